package org.fibnuma.binding.dpdk.eal;

import org.fibnuma.binding.dpdk.layout.FlowControlLayout;
import org.fibnuma.binding.libc.Errno;
import org.fibnuma.binding.libc.StructMemory;

/** Configures the MAC of a device to send pause frames when its receive buffer fills, and to obey received ones. */
final class DeviceFlowControl
{
    /** The longest PFC pause in quanta; another frame ends it as soon as there is room. */
    private static final int LONGEST_PAUSE = 0xFFFF;

    private DeviceFlowControl()
    {
    }

    /**
     * Configures a started device. The watermarks of its buffer remain those of its driver, because they depend on the
     * device.
     *
     * @param library    of DPDK's devices.
     * @param port       number of the device.
     * @param priorities bit n for priority n (IEEE 802.1Qbb); 0 for the whole link (IEEE 802.3 Annex 31B).
     * @return 0, or DPDK's negative error number of the first refusal.
     */
    static int configure(final EthdevLibrary library, final int port, final int priorities)
    {
        try (StructMemory conf = new StructMemory(FlowControlLayout.PFC_SIZE))
        {
            library.rte_eth_dev_flow_ctrl_get(port, conf.address());
            conf.putInt(FlowControlLayout.MODE_OFFSET, FlowControlLayout.MODE_FULL)
                .putShort(FlowControlLayout.PAUSE_TIME_OFFSET, LONGEST_PAUSE)
                .putShort(FlowControlLayout.SEND_XON_OFFSET, 1);
            if (priorities == 0)
            {
                return library.rte_eth_dev_flow_ctrl_set(port, conf.address());
            }
            int result = 0;
            for (int rest = priorities; rest != 0 && result == 0; rest &= rest - 1)
            {
                conf.putByte(FlowControlLayout.PRIORITY_OFFSET, Integer.numberOfTrailingZeros(rest));
                result = library.rte_eth_dev_priority_flow_ctrl_set(port, conf.address());
            }
            return result;
        }
    }

    /**
     * Returns whether a later attempt may succeed, by the result of {@link #configure}. Drivers return EIO if the PHY
     * cannot be read or written, for example while the link negotiates (e1000_ethdev.c, eth_em_flow_ctrl_set, DPDK
     * 22.11).
     */
    static boolean isTransient(final int result)
    {
        return Errno.EIO.is(-result) || Errno.EAGAIN.is(-result) || Errno.EBUSY.is(-result) ||
            Errno.ETIMEDOUT.is(-result);
    }
}
