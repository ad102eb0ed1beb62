package org.fibnuma.binding.afxdp;

import org.fibnuma.binding.netdevice.NetworkDevice;
import org.fibnuma.binding.netdevice.XdpFeatures;
import org.fibnuma.core.frame.FramePool;
import org.fibnuma.core.wire.EthernetHeaderFlyweight;

import java.util.Map;

/**
 * The part of a chunk into which a driver receives in zero-copy mode. The kernel keeps {@link FramePool#HEADROOM} bytes
 * of a chunk. Network cards count the rest in units, and a driver rounds down: of a chunk of 2,048 bytes, igb uses
 * 1,024. A longer frame continues in the next chunk, and its pieces are not frames. In copy mode the kernel copies into
 * the whole rest, and drops longer frames.
 */
final class ReceiveBuffer
{
    /** Largest chunk of AF_XDP in bytes: a memory page. */
    static final int LARGEST_CHUNK = 4096;
    private static final int SMALLEST_CHUNK = 2048;

    /** Unit of an unknown driver in bytes: the largest unit of the known ones. */
    private static final int UNKNOWN_UNIT = 1024;

    /**
     * Units in bytes by driver. igb shifts the length into SRRCTL.BSIZEPKT (igb_setup_srrctl, Linux 6.14); virtio_net
     * received every length whole under Linux 7.3. The others are the units of their registers, and are untested:
     * IGC_SRRCTL_BSIZEPKT, SRRCTL.BSIZEPKT of the 82599 (other cards of ixgbe have the same driver),
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
     * Returns the smallest chunk size in bytes, a power of two, with which an interface receives all packets of its
     * MTU; 4,096 also if that is too little. Zero-copy mode is tried only if it is allowed.
     */
    static int chunkSize(final NetworkDevice device, final boolean allowZeroCopy)
    {
        final boolean zeroCopy = allowZeroCopy && mayBeZeroCopy(device);
        final int needed = zeroCopy ? neededFor(device.mtu()) : device.mtu() + EthernetHeaderFlyweight.LENGTH;
        final int longest = zeroCopy ? longestFrame(device.driver(), SMALLEST_CHUNK) :
            SMALLEST_CHUNK - FramePool.HEADROOM;
        return needed <= longest ? SMALLEST_CHUNK : LARGEST_CHUNK;
    }

    /**
     * Returns whether the driver may have zero-copy mode. Before Linux 6.3, which reports it, the drivers of the table
     * may.
     */
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
