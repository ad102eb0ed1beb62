/**
 * The path of selected frames through the stages of a running router, for {@code fibnuma trace}. A worker marks frames
 * that match. After each stage, {@link org.fibnuma.fibnic.trace.FrameTraces} compares each marked frame with its state
 * before the stage. Each frame has one record.
 * <pre>
 *  worker: TraceObserver -> FrameTraces -> RecordRing --> Trace -> control socket -> TraceReceiver -> TracedFrame
 *                                                         (router)                   (fibnuma trace)
 * </pre>
 */
@org.fibnuma.core.Internal
package org.fibnuma.fibnic.trace;

