package org.fibnuma.binding.dpdk.layout;

/** The supported releases, and the offsets that changed between them. Other offsets are in the layout classes. */
public enum DpdkRelease
{
    /** Debian 12. Tested with the library. */
    V22_11("DPDK 22.11.", 23, FpOpsLayout.OF_22_11, 44, 48),
    /**
     * Debian 12 backports. Release notes 23.11, "ABI Changes": the queues of {@code rte_eth_fp_ops} moved before its
     * functions; {@code rte_eth_dev_info} got {@code max_rx_bufsize} after {@code min_rx_bufsize}.
     */
    V23_11("DPDK 23.11.", 24, FpOpsLayout.OF_23_11, 48, 64),
    /** Debian 13. */
    V24_11("DPDK 24.11.", 25, FpOpsLayout.OF_23_11, 48, 72);

    private final String versionStart;
    private final int abi;
    private final FpOpsLayout fpOps;
    private final int infoMaxRxQueuesOffset;
    private final int devDataOffset;

    DpdkRelease(
        final String versionStart,
        final int abi,
        final FpOpsLayout fpOps,
        final int infoMaxRxQueuesOffset,
        final int devDataOffset)
    {
        this.devDataOffset = devDataOffset;
        this.versionStart = versionStart;
        this.abi = abi;
        this.fpOps = fpOps;
        this.infoMaxRxQueuesOffset = infoMaxRxQueuesOffset;
    }

    /** Returns the release of a version text such as {@code DPDK 22.11.11}, or null if it is not supported. */
    public static DpdkRelease of(final String version)
    {
        for (final DpdkRelease release : values())
        {
            if (version.startsWith(release.versionStart) && !version.contains("-rc"))
            {
                return release;
            }
        }
        return null;
    }

    /** Returns the number after {@code .so.} in the file names of its libraries. */
    public int abi()
    {
        return abi;
    }

    /** Returns the layout of its table of burst functions. */
    public FpOpsLayout fpOps()
    {
        return fpOps;
    }

    /**
     * Returns the offset of {@code max_rx_queues} in {@code struct rte_eth_dev_info}; {@code max_tx_queues} follows it.
     */
    public int infoMaxRxQueuesOffset()
    {
        return infoMaxRxQueuesOffset;
    }

    /**
     * Returns the offset of {@code data} in {@code struct rte_eth_dev} of ethdev_driver.h. Newer releases have more
     * functions before it.
     */
    public int devDataOffset()
    {
        return devDataOffset;
    }
}
