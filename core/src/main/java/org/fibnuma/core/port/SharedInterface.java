package org.fibnuma.core.port;

import org.fibnuma.core.wire.IpAddress;

/**
 * Capability of a port on a network interface that the kernel uses too, such as an AF_XDP port. The port divides the
 * received frames between its queues and the kernel. All methods are called on the control thread, before or after
 * {@link Port#start()}.
 */
public interface SharedInterface
{
    /**
     * Sets whether an IPv4 or IPv6 address belongs to this host. Frames to such an address stay with the kernel.
     *
     * @param address unicast or anycast address of this host, or a broadcast address of a connected network.
     * @param local   true to add the address, false to remove it.
     */
    void localAddress(IpAddress address, boolean local);

    /**
     * Sets of which family the port takes frames that the kernel could forward. From the beginning a port takes them of
     * both, as far as its filter has them.
     *
     * @param ipv4 false to leave IPv4 to the kernel.
     * @param ipv6 false to leave IPv6 to the kernel.
     */
    void takeTransit(boolean ipv4, boolean ipv6);

    /**
     * Sets whether the port takes frames of a VLAN that the kernel could forward. From the beginning it takes those of
     * none; it takes frames with a priority tag only, VID 0, as untagged ones.
     *
     * @param tags       that identify the VLAN, without PCP and DEI, see {@link org.fibnuma.core.wire.VlanTag}.
     * @param macAddress of the VLAN interface, in the format of {@link org.fibnuma.core.wire.MacAddress}.
     * @param ipv4       false to leave its IPv4 to the kernel.
     * @param ipv6       false to leave its IPv6 to the kernel.
     */
    void takeVlan(long tags, long macAddress, boolean ipv4, boolean ipv6);

    /** Leaves all frames of a VLAN to the kernel again. */
    void leaveVlan(long tags);

    /**
     * Reads the interface's link-layer address, which an administrator may have changed. The port takes frames to the
     * new address from then on.
     *
     * @return whether {@link Port#macAddress()} has changed.
     */
    boolean followAddress();

    /**
     * Returns why frames are not moved in the fastest mode, with the error of the driver; any thread.
     *
     * @return one line; empty if the driver refused nothing that was tried.
     */
    String fallback();

    /**
     * Returns how many receive queues of the interface have no worker, because their number was changed; any thread.
     * Their frames stay with the kernel.
     *
     * @return 0 if every queue has a worker.
     */
    int unservedQueues();

    /**
     * Follows changes of the interface's settings that others have made: its number of queues, and offloads that the
     * port needs off, which it switches off again.
     *
     * @return whether {@link #unservedQueues()} has changed.
     */
    boolean followSettings();
}
