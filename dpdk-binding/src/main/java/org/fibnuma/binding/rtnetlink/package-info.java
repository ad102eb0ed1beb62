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
 *                          +---> change without a notification of the kernel: dump again
 * </pre>
 * The kernel removes and changes IPv4 routes without a notification in these cases (Linux 6.18), and each starts a new
 * dump:
 * <ul>
 * <li>An interface goes down or up, loses or gets its carrier, or joins or leaves a VRF.
 * <li>An address is removed that is the source address of routes, or is the last one of an interface with routes.
 * <li>An address is added to an interface of routes with several next hops; dead next hops are used again.
 * <li>A next-hop object is deleted, or is replaced while net.ipv4.nexthop_compat_mode is 0.
 * <li>One of several routes with the same prefix, table and metric is removed, and
 * {@link org.fibnuma.binding.rtnetlink.DuplicateRoutes} did not track them.
 * </ul>
 * For all other changes of addresses, routes and links their notifications are sufficient.
 * <p>
 * A dump after the first is read in slices of at most {@link org.fibnuma.binding.rtnetlink.RtnetlinkDump#SLICE_NS}, one
 * with each poll, after the waiting notifications.
 */
package org.fibnuma.binding.rtnetlink;
