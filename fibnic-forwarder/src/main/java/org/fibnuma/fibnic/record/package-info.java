/**
 * Record streams, from the workers to a client of the control socket: frames of a capture, ways of a trace. A worker
 * copies records into its {@link org.fibnuma.fibnic.record.RecordRing} and counts those for which the ring has no room;
 * it never waits.
 * <pre>
 *  worker: RecordRing \
 *  worker: RecordRing --> RecordStream -> control socket -> RecordReceiver
 *                         (router)                          (command)
 * </pre>
 */
@org.fibnuma.core.Internal
package org.fibnuma.fibnic.record;
