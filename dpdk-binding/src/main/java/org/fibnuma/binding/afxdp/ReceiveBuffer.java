package org.fibnuma.binding.afxdp;

import org.fibnuma.binding.netdevice.NetworkDevice;
import org.fibnuma.binding.netdevice.XdpFeatures;
import org.fibnuma.core.frame.FramePool;
import org.fibnuma.core.wire.EthernetHeaderFlyweight;

import java.util.Map;

/**
 * The part of a chunk that a driver receives into in zero-copy mode. The kernel keeps {@link FramePool#HEADROOM} bytes
 * of a chunk. Network cards count the rest in units, and a driver that rounds down wastes what is beyond the last unit:
 * of a chunk of 2,048 bytes, igb uses 1,024. A longer frame continues in the next chunk, and its pieces are no frames.
 * In copy mode the kernel copies into all that it does not keep, and drops longer frames.
 */
final class ReceiveBuffer
{
    /** The largest chunk that AF_XDP has: a page. */
    static final int LARGEST_CHUNK = 4096;
    private static final int SMALLEST_CHUNK = 2048;

    /** Of a driver that is not known: the largest unit of those that are. */
    private static final int UNKNOWN_UNIT = 1024;

    /**
     * Units in bytes by driver. igb shifts the length into SRRCTL.BSIZEPKT (igb_setup_srrctl, Linux 6.14); with
     * virtio_net every length arrived whole under Linux 7.3. The others are the units of their registers, and were not
     * tried: IGC_SRRCTL_BSIZEPKT, SRRCTL.BSIZEPKT of the 82599 (other cards of ixgbe have the same driver),
     * I40E_RXQ_CTX_DBUFF_SHIFT, ICE_RLAN_CTX_DBUF_S, and mlx5's descriptors, which have the length itself.
     */
    private static final Map<String, Integer> UNITS = Map.of(
        "igb", 1024, "igc", 1024, "ixgbe", 1024,
        "i40e", 128, "ice", 128,
        "mlx5_core", 1, "virtio_net", 1);

    private static final int VLAN_TAG = 4;

    private ReceiveBuffer()
    {
    }

    /** Returns the longest frame in bytes, without FCS, that zero-copy mode of a driver receives whole into a chunk. */
    static int longestFrame(final String driver, final int chunkSize)
    {
        final int unit = UNITS.getOrDefault(driver, UNKNOWN_UNIT);
        return (chunkSize - FramePool.HEADROOM) / unit * unit;
    }

    /** Returns the length of the longest frame that may arrive in bytes, with a VLAN tag and without FCS. */
    static int neededFor(final int mtu)
    {
        return mtu + EthernetHeaderFlyweight.LENGTH + VLAN_TAG;
    }

    /**
     * Returns the smallest chunk size with which an interface receives all packets of its MTU.
     *
     * @param device        interface.
     * @param allowZeroCopy whether zero-copy mode will be tried.
     * @return bytes, a power of two; 4,096 also if that is too little.
     */
    static int chunkSize(final NetworkDevice device, final boolean allowZeroCopy)
    {
        final boolean zeroCopy = allowZeroCopy && mayBeZeroCopy(device);
        final int needed = zeroCopy ? neededFor(device.mtu()) : device.mtu() + EthernetHeaderFlyweight.LENGTH;
        final int longest = zeroCopy ? longestFrame(device.driver(), SMALLEST_CHUNK) :
            SMALLEST_CHUNK - FramePool.HEADROOM;
        return needed <= longest ? SMALLEST_CHUNK : LARGEST_CHUNK;
    }

    /** Before Linux 6.3 the kernel does not report it: then the drivers of the table may. */
    private static boolean mayBeZeroCopy(final NetworkDevice device)
    {
        if (!ZeroCopyDefect.of(device.driver()).isEmpty())
        {
            return false;
        }
        try (XdpFeatures features = new XdpFeatures(device.index()))
        {
            return features.isKnown() ? features.receivesZeroCopy() : UNITS.containsKey(device.driver());
        }
    }
}
