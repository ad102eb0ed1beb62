package org.fibnuma.core.port;

import org.fibnuma.core.UserException;
import org.fibnuma.core.wire.IpAddress;

/**
 * A port whose peer is an interface of this host's kernel. The kernel receives on that interface the frames that the
 * port sends, and the port receives the frames that the kernel sends. It represents a port whose device the kernel does
 * not see, so that the kernel can use it (exception path). {@link #interfaceIndex()} is the index of that interface.
 * The control thread configures it before {@link #start()}, which sets the interface up.
 */
public interface KernelPort extends Port
{
    /**
     * Sets the MAC address and the MTU of the kernel's interface to those of the represented port. An existing
     * interface keeps a smaller MTU.
     *
     * @param macAddress in the format of {@link org.fibnuma.core.wire.MacAddress}; 0 for no change.
     * @param mtu        in bytes, without the Ethernet header.
     * @throws UserException with one line for the user if the kernel refuses.
     */
    void represent(long macAddress, int mtu);

    /**
     * Adds an address, with its connected network, to the kernel's interface.
     *
     * @param address      of either family.
     * @param prefixLength 0 to 32 or 0 to 128.
     * @throws UserException with one line for the user if the kernel refuses.
     */
    void address(IpAddress address, int prefixLength);

    /** Sets the carrier of the kernel's interface; also after {@link #start()}. */
    void carrier(boolean up);
}
