/**
 * The stages of the data path: {@link org.fibnuma.fibnic.stage.Stage} has their names in their order with their
 * counters and drop reasons. Each worker writes its {@link org.fibnuma.fibnic.stage.StageTimes}; any process can read a
 * {@link org.fibnuma.fibnic.stage.StageTimesReport}.
 */
@org.fibnuma.core.Internal
package org.fibnuma.fibnic.stage;

