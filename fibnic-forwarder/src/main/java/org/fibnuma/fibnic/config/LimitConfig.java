package org.fibnuma.fibnic.config;

/**
 * Bounds of what the data path keeps and says.
 *
 * @param egressFifoDepth       frames in each (ingress, egress) FIFO, a power of two.
 * @param holdFrames            frames kept for each neighbour that is being resolved.
 * @param holdMilliseconds      how long they are kept.
 * @param icmpErrorsPerSecond   that each worker may send on average.
 * @param icmpErrorBurst        that it may send at once.
 */
public record LimitConfig(
    int egressFifoDepth, int holdFrames, int holdMilliseconds, int icmpErrorsPerSecond, int icmpErrorBurst)
{
    /** At a gigabit 256 frames of 1,500 bytes are 3 ms: enough for a burst, too little to be noticed. */
    static final int DEFAULT_EGRESS_FIFO_DEPTH = 256;
    /** RFC 1122 section 2.3.2.2 asks for at least one; three is what Linux kept for years, sixteen holds a window. */
    static final int DEFAULT_HOLD_FRAMES = 16;
    /** The kernel asks three times, a second apart (mcast_solicit, retrans_time_ms), before it gives up. */
    static final int DEFAULT_HOLD_MILLISECONDS = 3000;
    /** Linux limits the host to 1,000 messages a second (icmp_msgs_per_sec). */
    static final int DEFAULT_ICMP_ERRORS_PER_SECOND = 1000;
    /** Linux lets 50 go at once (icmp_msgs_burst), enough for a traceroute with all probes in flight. */
    static final int DEFAULT_ICMP_ERROR_BURST = 50;
}
