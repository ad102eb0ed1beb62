package org.fibnuma.fibnic.config;

/**
 * Limits of the data path; defaults are those of
 * {@link org.fibnuma.fibnic.datapath.ForwarderContext} and {@link org.fibnuma.fibnic.ports.KernelPaths}.
 *
 * @param egressFifoDepth        frames in each (ingress, egress) FIFO, a power of two.
 * @param holdFramesPerNeighbor  frames held for each neighbour that is being resolved.
 * @param holdFrames             frames held for all neighbours by each worker.
 * @param holdMilliseconds       longest hold time.
 * @param icmpErrorsPerSecond    ICMP errors of each worker on average.
 * @param icmpErrorBurst         ICMP errors of each worker at once.
 * @param puntsPerSecond         frames that each worker punts from each port.
 * @param maxFlows               connections that packet filters have accepted and whose packets the router forwards.
 * @param flowRefreshesPerSecond refreshes of the entries of these connections.
 */
public record LimitConfig(
    int egressFifoDepth,
    int holdFramesPerNeighbor,
    int holdFrames,
    int holdMilliseconds,
    int icmpErrorsPerSecond,
    int icmpErrorBurst,
    int puntsPerSecond,
    int maxFlows,
    int flowRefreshesPerSecond)
{
    /** A quarter of what the kernel tracks by default on a host with 4 GiB of memory. */
    public static final int DEFAULT_MAX_FLOWS = 65_536;
    /** Enough for 600,000 connections of UDP with the default timeout; takes a tenth of the control thread's time. */
    public static final int DEFAULT_FLOW_REFRESHES_PER_SECOND = 20_000;
}
