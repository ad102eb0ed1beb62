package org.fibnuma.bench.system;

/** Scapy expressions of frames to the router, for whose Ethernet header each host has the name {@code TO_ROUTER}. */
final class Frames
{
    /** Transport header of most frames. */
    static final String UDP = "/UDP(sport=1, dport=2)";

    private Frames()
    {
    }

    /** Returns a UDP packet of host a. */
    static String ipv4(final String destination)
    {
        return ip("10.0.0.2", destination, "") + UDP;
    }

    /** Returns an IPv4 header of any source with some more fields, such as {@code ttl=1}. */
    static String ip(final String source, final String destination, final String fields)
    {
        return header("IP", source, destination, fields);
    }

    /** Returns a UDP packet of host a. */
    static String ipv6(final String destination)
    {
        return ip6(RouterLab.A6, destination, "") + UDP;
    }

    /** Returns an IPv6 header of any source with some more fields, such as {@code hlim=1}. */
    static String ip6(final String source, final String destination, final String fields)
    {
        return header("IPv6", source, destination, fields);
    }

    private static String header(final String type, final String source, final String destination, final String fields)
    {
        return "TO_ROUTER/" + type + "(src='" + source + "', dst='" + destination + "'" +
            (fields.isEmpty() ? "" : ", " + fields) + ")";
    }
}
