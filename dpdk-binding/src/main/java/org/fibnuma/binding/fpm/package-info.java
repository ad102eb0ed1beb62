/**
 * Routes of FRR's zebra over the forwarding plane manager interface (FPM), behind
 * {@link org.fibnuma.core.kernel.RouteFeed}. The counterpart is zebra's module {@code dplane_fpm_nl}, FRR 8.4.
 * <pre>
 *  zebra --- TCP 2620 --> FpmServer --> FpmConnection --> HandedRouteDecoder --> RouteFeedListener
 *                         accept        frames            netlink messages
 * </pre>
 * A frame is a version, a type, a length of 16 bits in network order that includes these four bytes, and netlink
 * messages in the byte order of the machine. zebra connects every 3 s until it is accepted, and then sends its next-hop
 * objects, then its routes, then every change. Nothing marks the last route. zebra has routes of other daemons only
 * after these have connected to it.
 */
@org.fibnuma.core.Internal
package org.fibnuma.binding.fpm;
