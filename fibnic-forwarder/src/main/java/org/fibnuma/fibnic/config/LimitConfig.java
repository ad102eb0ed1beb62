package org.fibnuma.fibnic.config;

/**
 * Bounds of what the data path keeps and says; defaults are those of
 * {@link org.fibnuma.fibnic.datapath.ForwarderContext} and {@link org.fibnuma.fibnic.datapath.KernelPaths}.
 *
 * @param egressFifoDepth       frames in each (ingress, egress) FIFO, a power of two.
 * @param holdFramesPerNeighbor frames kept for each neighbour that is being resolved.
 * @param holdFrames            frames kept for all of them by each worker.
 * @param holdMilliseconds      how long they are kept.
 * @param icmpErrorsPerSecond   that each worker may send on average.
 * @param icmpErrorBurst        that it may send at once.
 * @param puntsPerSecond        frames that each worker lets up to the kernel from each port.
 */
public record LimitConfig(
    int egressFifoDepth,
    int holdFramesPerNeighbor,
    int holdFrames,
    int holdMilliseconds,
    int icmpErrorsPerSecond,
    int icmpErrorBurst,
    int puntsPerSecond)
{
}
