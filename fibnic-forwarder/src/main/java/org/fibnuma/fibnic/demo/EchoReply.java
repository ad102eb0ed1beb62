package org.fibnuma.fibnic.demo;

import org.fibnuma.core.wire.IpAddress;

/**
 * The reply to a ping.
 *
 * @param from           IPv4 or IPv6 address of the sender of the reply.
 * @param isEcho         true for an echo reply of the host, false for an ICMP error of a router on the path.
 * @param roundTripNanos nanoseconds from before the request was sent until after the reply was read.
 */
record EchoReply(IpAddress from, boolean isEcho, long roundTripNanos)
{
}
