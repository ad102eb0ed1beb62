/**
 * The kernel's links, and its IPv4 and IPv6 addresses, neighbours and routes, over rtnetlink, behind
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
 * When an interface goes down, the kernel removes the routes that it made for the addresses of this interface, the IPv4
 * ones without a notification. {@link org.fibnuma.binding.rtnetlink.OwnRoutes} has them, and their removal is reported
 * without a dump. So an interface with addresses and no other routes comes and goes without a dump.
 * <p>
 * The kernel removes and changes other IPv4 routes without a notification in these cases (Linux 6.18), and each starts
 * a new dump:
 * <ul>
 * <li>An interface of routes or next-hop objects goes up or down.
 * <li>The carrier of an interface changes that is one of several next hops of a route, or has next-hop objects, or has
 * ignore_routes_with_linkdown.
 * <li>The master (such as a VRF) of an interface with an address or routes changes.
 * <li>The source address of routes, or the last address of an interface with routes, is removed.
 * <li>An address is added to an interface of routes with several next hops; dead next hops are used again.
 * <li>A next-hop object is deleted, or is replaced while net.ipv4.nexthop_compat_mode is 0.
 * <li>One of several routes with the same prefix, table and metric is removed, and
 * {@link org.fibnuma.binding.rtnetlink.DuplicateRoutes} did not track them.
 * </ul>
 * For all other changes of IPv4 addresses, routes and links the notifications are sufficient. Links that no route uses
 * are added and removed without a dump, also while one is running.
 * <p>
 * The kernel notifies of each IPv6 route that it removes. It does not, or may not, in these cases, and each starts a
 * new dump:
 * <ul>
 * <li>One of several next hops is removed, see {@link org.fibnuma.binding.rtnetlink.Ipv6DuplicateRoutes}.
 * <li>One of several routes with the same prefix, table and metric is removed or replaced.
 * <li>An interface of routes goes up or down: net.ipv6.route.skip_notify_on_dev_down may be set.
 * <li>IPv6 is switched off or on for an interface of routes with several next hops, which changes its addresses.
 * </ul>
 * A list of IPv6 routes during which routes were removed may be incomplete, and is read again. {@code dump} delivers no
 * notifications; {@link org.fibnuma.binding.rtnetlink.Ipv6Removals} detects removals meanwhile. The kernel does not
 * notify that a router advertisement has changed the preference of a default route (RFC 4191); the next dump reports
 * it. IPv6 addresses are reported from the end of duplicate address detection on.
 * <p>
 * A dump after the first is read in slices of at most {@link org.fibnuma.binding.rtnetlink.RtnetlinkDump#SLICE_NS}, one
 * with each poll, after the pending notifications.
 */
@org.fibnuma.core.Internal
package org.fibnuma.binding.rtnetlink;
