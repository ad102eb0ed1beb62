/**
 * Capture of frames from a running router. {@link org.fibnuma.fibnic.capture.CapturePoint} is the switch of one worker:
 * off, it costs one load and one branch for a batch. On, it copies matching frames into the worker's
 * {@link org.fibnuma.fibnic.capture.CaptureRing} and counts those for which the ring has no room; the worker never
 * waits.
 * <pre>
 *  worker: CapturePoint -> CaptureRing \
 *  worker: CapturePoint -> CaptureRing --> Capture.drain -> control socket -> CaptureReceiver -> PcapngWriter -> file
 *                                        (router)                           (fibnuma capture)
 * </pre>
 */
@org.fibnuma.core.Internal
package org.fibnuma.fibnic.capture;
