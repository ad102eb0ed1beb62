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
 * leads to a new dump: an interface goes down or up, loses or finds its carrier, or joins or leaves a VRF; the last
 * address of an interface is removed, or one is added, which revives dead next hops of routes with several; a next-hop
 * object is deleted, or is replaced while net.ipv4.nexthop_compat_mode is 0; one of several routes with the same
 * prefix, table and metric goes away.
 * <p>
 * {@link org.fibnuma.binding.rtnetlink.KernelRouteWriter} goes the other way, for demonstrations and tests.
 */
package org.fibnuma.binding.rtnetlink;
