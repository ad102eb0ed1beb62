package org.fibnuma.pfc.headroom;

/**
 * The headroom that all lossless priorities of a switch share, as SONiC computes it for NVIDIA switches
 * ({@code buffer_pool_mellanox.lua}). It is the sum of their xoff less a private headroom of 10 KiB for each port,
 * divided by the over-subscription ratio.
 *
 * @param xoffBytes  xoff of each lossless priority of each port, 1 or more.
 * @param ports      ports with lossless priorities, 1 or more.
 * @param priorities lossless priorities of each port, 1 to 8.
 * @param ratio      over-subscription ratio, 1 or more; 1: all ports can be paused at the same time.
 */
public record SharedHeadroomPool(long xoffBytes, int ports, int priorities, double ratio)
{
    private static final long PRIVATE_BYTES = 10 * 1024;
    /** Size of a pool whose ports need no more than their private headroom. */
    private static final long SMALLEST_BYTES = 655_360;

    /** Checks the ranges. */
    public SharedHeadroomPool
    {
        require(ports >= 1, "ports of " + ports + " is out of range; use 1 or more");
        require(priorities >= 1 && priorities <= 8, "priorities of " + priorities + " is out of range; use 1 to 8");
        require(ratio >= 1 && !Double.isInfinite(ratio),
            "over-subscription ratio of " + ratio + " is out of range; use 1 or more");
    }

    /** {@return the size of the pool in bytes} */
    public long bytes()
    {
        final long excess = Math.max(0, ports * (priorities * xoffBytes - PRIVATE_BYTES));
        final long shared = (long)Math.ceil(excess / ratio);
        return shared == 0 ? SMALLEST_BYTES : shared;
    }

    private static void require(final boolean met, final String message)
    {
        if (!met)
        {
            throw new IllegalArgumentException(message);
        }
    }
}
