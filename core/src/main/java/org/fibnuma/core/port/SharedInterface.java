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
     * Sets whether an IPv4 or IPv6 address belongs to this host: an own unicast or anycast address, or a broadcast
     * address of a connected network. The kernel receives frames to such an address.
     */
    void localAddress(IpAddress address, boolean local);

    /**
     * Sets of which families the port receives transit, that is frames that the kernel could forward. The kernel
     * receives those of the other family. At first the port receives both, as far as its filter includes them.
     */
    void takeTransit(boolean ipv4, boolean ipv6);

    /**
     * Sets of which families the port receives transit of a VLAN. At first the port receives transit of no VLAN. Frames
     * with a priority tag only, VID 0, count as untagged.
     *
     * @param tags       VLAN tags that identify the VLAN, without PCP and DEI, see
     *                   {@link org.fibnuma.core.wire.VlanTag}.
     * @param macAddress of the VLAN interface, in the format of {@link org.fibnuma.core.wire.MacAddress}.
     * @param ipv4       false to leave its IPv4 to the kernel.
     * @param ipv6       false to leave its IPv6 to the kernel.
     */
    void takeVlan(long tags, long macAddress, boolean ipv4, boolean ipv6);

    /** Leaves all frames of a VLAN to the kernel again. */
    void leaveVlan(long tags);

    /**
     * Reads the interface's link-layer address, which an administrator may have changed, and receives frames to the new
     * one. Returns whether {@link Port#macAddress()} has changed.
     */
    boolean followAddress();

    /**
     * Returns in one line why frames are not moved in the fastest mode, with the error of the driver; empty if the
     * driver has refused nothing. Any thread.
     */
    String fallback();

    /**
     * Returns how many receive queues of the interface have no worker, because their number was changed. The kernel
     * receives their frames. Any thread.
     */
    int unservedQueues();

    /**
     * Follows changes of the interface's settings that others have made: reads its number of queues, and switches
     * offloads off again that the port needs off. Returns whether {@link #unservedQueues()} has changed.
     */
    boolean followSettings();
}
