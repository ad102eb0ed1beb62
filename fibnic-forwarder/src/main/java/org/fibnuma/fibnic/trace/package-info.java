/**
 * The way of chosen frames through the stages of a running router, for {@code fibnuma trace}. A worker marks frames
 * that match. After each stage, {@link org.fibnuma.fibnic.trace.FrameTraces} compares each marked frame with what it
 * was before the stage. It writes one record for each frame.
 * <pre>
 *  worker: TraceObserver -> FrameTraces -> RecordRing --> Trace -> control socket -> TraceReceiver -> TracedFrame
 *                                                         (router)                   (fibnuma trace)
 * </pre>
 */
package org.fibnuma.fibnic.trace;

