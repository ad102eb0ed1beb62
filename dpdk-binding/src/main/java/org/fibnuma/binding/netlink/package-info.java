/**
 * The netlink protocol (RFC 3549, linux/netlink.h): sockets, messages, attributes, requests and answers. The contents
 * of messages are defined in the packages of the families, such as {@link org.fibnuma.binding.rtnetlink}.
 * <pre>
 *  NetlinkRequest --> NetlinkExchange --> NetlinkSocket --> kernel
 *                           |                   |
 *            NetlinkMessageHandler   &lt;--  NetlinkMessageFlyweight, NetlinkAttributeFlyweight
 * </pre>
 * Numbers are in the byte order of the machine unless a family defines another; addresses are in network order.
 */
@org.fibnuma.core.Internal
package org.fibnuma.binding.netlink;
