package org.fibnuma.core.port;

/**
 * Capability of a port that owns its device, such as a DPDK port: the settings of the device's MAC can be changed while
 * it runs. Control thread.
 */
public interface ConfigurableDevice
{
    /**
     * Gives the device the link-layer address and the MTU of the kernel's interface that represents it.
     *
     * @param macAddress as in {@link org.fibnuma.core.wire.MacAddress}.
     * @param mtu        in bytes, without the Ethernet header.
     * @throws org.fibnuma.core.UserException if the device does not accept a larger MTU.
     */
    void adopt(long macAddress, int mtu);

    /**
     * Makes the device's MAC send pause frames when its receive buffer fills, and obey those that it receives. Called
     * after {@link Port#start()}.
     *
     * @param priorities bit n for priority n (IEEE 802.1Qbb); 0 for the whole link (IEEE 802.3 Annex 31B).
     * @return the result; {@link FlowControlAnswer.Outcome#NOT_NOW} if a later call may succeed.
     */
    FlowControlAnswer enableFlowControl(int priorities);

    /**
     * Returns whether {@link #enableFlowControl} has succeeded; any thread.
     *
     * @return false if this process alone handles pause frames.
     */
    boolean isFlowControlEnabled();
}
