package org.fibnuma.core.port;

/**
 * A port whose far end is an interface of this host's kernel: what is sent comes in there, what the kernel sends there
 * is received. It stands for a port that the kernel does not see, so that the kernel can talk through it: the exception
 * path. {@link #interfaceIndex()} is that interface. Set up by the control thread, before {@link #start()}, which sets
 * the interface up.
 */
public interface KernelPort extends Port
{
    /**
     * Shows the kernel the link-layer address and the MTU of the port that this one stands for. An interface that was
     * there before keeps an MTU that is smaller.
     *
     * @param macAddress as in {@link org.fibnuma.core.wire.MacAddress}; 0 leaves the interface the one it has.
     * @param mtu        in bytes, without the Ethernet header.
     * @throws PortException with one line for the user where the kernel refuses.
     */
    void represent(long macAddress, int mtu);

    /**
     * Gives the kernel's interface an address, with the connected network that it implies.
     *
     * @param address      as in {@link org.fibnuma.core.wire.Ipv4Address}.
     * @param prefixLength 0 to 32.
     * @throws PortException with one line for the user where the kernel refuses.
     */
    void address(int address, int prefixLength);

    /**
     * Shows the kernel whether there is a link; also after {@link #start()}.
     *
     * @param up false to take the carrier away.
     */
    void carrier(boolean up);
}
