/**
 * The stages of the data path: their names in their order, and the time that each takes. Each worker writes its
 * {@link org.fibnuma.fibnic.stage.StageTimes}; any process can read a
 * {@link org.fibnuma.fibnic.stage.StageTimesReport}.
 */
package org.fibnuma.fibnic.stage;
