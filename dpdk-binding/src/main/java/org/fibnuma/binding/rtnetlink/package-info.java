/**
 * The kernel's links, IPv4 addresses, neighbours and routes over rtnetlink, behind
 * {@link org.fibnuma.core.kernel.KernelNetwork}.
 * <pre>
 *  RtnetlinkKernelNetwork
 *     |  dump              poll                       resolve
 *     v                    v                          v
 *  RtnetlinkDump    RtnetlinkNotifications     NetlinkExchange
 *     |                    |
 *     +---> LinkDecoder, AddressDecoder, NeighborDecoder, NextHops, RouteDecoder ---> KernelNetworkListener
 *                          |
 *                          +---> something changed that the kernel does not tell: dump again
 * </pre>
 * The kernel removes and changes IPv4 routes without a notification in these cases (seen on Linux 6.18), and each
 * leads to a new dump: an interface goes down or up, loses or finds its carrier, or joins or leaves a VRF; an address
 * is removed that routes name as their source, or the last one of an interface by which routes leave; an address is
 * added to an interface by which routes with several next hops leave, dead ones of which it revives; a next-hop object
 * is deleted, or is replaced while net.ipv4.nexthop_compat_mode is 0; one of several routes with the same prefix,
 * table and metric goes away, where {@link org.fibnuma.binding.rtnetlink.DuplicateRoutes} has not followed them. All
 * other changes of addresses, routes and links are followed by their notifications alone.
 * <p>
 * A dump after the first is read in slices of at most {@link org.fibnuma.binding.rtnetlink.RtnetlinkDump#SLICE_NS},
 * one with each poll and behind the notifications that wait.
 * <p>
 * {@link org.fibnuma.binding.rtnetlink.KernelRouteWriter} goes the other way, for demonstrations and tests.
 */
package org.fibnuma.binding.rtnetlink;
