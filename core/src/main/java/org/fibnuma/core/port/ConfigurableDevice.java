package org.fibnuma.core.port;

/**
 * Capability of a port that owns its device, such as a DPDK port: the settings of the device's MAC can be changed while
 * the port runs. Used by the control thread.
 */
public interface ConfigurableDevice
{
    /**
     * Sets the link-layer address and the MTU of the device to those of the kernel's interface that represents it.
     *
     * @param macAddress in the format of {@link org.fibnuma.core.wire.MacAddress}.
     * @param mtu        in bytes, without the Ethernet header.
     * @throws org.fibnuma.core.UserException if the device does not accept a larger MTU.
     */
    void adopt(long macAddress, int mtu);

    /**
     * Enables flow control in the device's MAC: it sends pause frames when its receive buffer fills, and obeys received
     * ones. Called after {@link Port#start()}.
     *
     * @param priorities bit n for priority n (IEEE 802.1Qbb); 0 for the whole link (IEEE 802.3 Annex 31B).
     * @return {@link FlowControlAnswer.Outcome#NOT_NOW} if a later call may succeed.
     */
    FlowControlAnswer enableFlowControl(int priorities);

    /**
     * Returns whether {@link #enableFlowControl} has succeeded; if not, this process alone handles pause frames. Any
     * thread.
     */
    boolean isFlowControlEnabled();
}
