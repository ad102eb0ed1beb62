package org.fibnuma.fibnic.demo;

/**
 * What came back for a ping.
 *
 * @param from           who answered, an IPv4 address.
 * @param isEcho         true for the answer of the host itself, false for an error from a router on the way.
 * @param roundTripNanos from before the request was sent to after the answer was read.
 */
record EchoReply(int from, boolean isEcho, long roundTripNanos)
{
}
