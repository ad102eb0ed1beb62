package org.fibnuma.binding.dpdk.layout;

/**
 * The releases whose binary interface is known here, and the offsets that changed between them. All other offsets are
 * constants of the layout classes of this package.
 */
public enum DpdkRelease
{
    /** Debian 12. Tested against the library itself. */
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

    /**
     * The release that a library says it is.
     *
     * @param version what {@code rte_version()} returns, such as {@code DPDK 22.11.11}.
     * @return the release, or null where it is none of these.
     */
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

    /**
     * What the file names of its libraries end with.
     *
     * @return the number after {@code .so.}.
     */
    public int abi()
    {
        return abi;
    }

    /**
     * Its table of fast functions.
     *
     * @return offsets.
     */
    public FpOpsLayout fpOps()
    {
        return fpOps;
    }

    /**
     * Offset of {@code max_rx_queues} in {@code struct rte_eth_dev_info}; {@code max_tx_queues} follows it.
     *
     * @return bytes.
     */
    public int infoMaxRxQueuesOffset()
    {
        return infoMaxRxQueuesOffset;
    }

    /**
     * Offset of {@code data} in {@code struct rte_eth_dev} of ethdev_driver.h, behind the device's functions, which
     * became more.
     *
     * @return bytes.
     */
    public int devDataOffset()
    {
        return devDataOffset;
    }
}
