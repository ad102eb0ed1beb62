package org.fibnuma.core.port;

import org.fibnuma.core.flow.FlowTable;
import org.fibnuma.core.kernel.Transit;
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
     * Sets which transit the port receives, that is frames that the kernel could forward. The kernel receives the
     * others. At first the port receives all of both families, as far as its filter includes them.
     */
    void takeTransit(Transit ipv4, Transit ipv6);

    /**
     * Sets the flows whose frames the port receives with {@link Transit#FLOWS}. Without flows, and where the kernel
     * refuses the program for them, it receives none.
     *
     * @param flows in memory that a program of the kernel can read, or null for none.
     * @return in one line why the port cannot find flows, empty if it can.
     */
    String flows(FlowTable flows);

    /**
     * Sets which transit of a VLAN or macvlan interface the port receives. At first the port receives that of none.
     * Frames with a priority tag only, VID 0, count as untagged.
     *
     * @param number     of the interface, see {@link org.fibnuma.core.frame.InterfaceNumber}.
     * @param identity   the VLAN tags without PCP and DEI, see {@link org.fibnuma.core.wire.VlanTag#identity}, or
     *                   {@link org.fibnuma.core.frame.InterfaceNumber#macvlanIdentity}.
     * @param macAddress of the interface, in the format of {@link org.fibnuma.core.wire.MacAddress}.
     * @param ipv4       which of its IPv4 packets are received.
     * @param ipv6       which of its IPv6 packets are received.
     */
    void takeVlan(int number, long identity, long macAddress, Transit ipv4, Transit ipv6);

    /** Leaves all frames of a VLAN or macvlan interface to the kernel again. */
    void leaveVlan(long identity);

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
