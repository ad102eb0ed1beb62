package org.fibnuma.bench.system;

import java.util.HexFormat;

/**
 * A frame that arrived at a host, with its fields as scapy reads them.
 *
 * @param time when it arrived, in seconds of the machine's clock.
 * @param hex  its bytes.
 * @param ip   fields of IPv4, or null.
 * @param ipv6 fields of IPv6, or null.
 */
public record ReceivedFrame(double time, String hex, int length, String destination, String source, Ip ip, Ipv6 ipv6)
{
    public byte[] bytes()
    {
        return HexFormat.of().parseHex(hex);
    }

    public boolean isIp()
    {
        return ip != null;
    }

    public boolean isIcmp()
    {
        return isIp() && ip.icmp != null;
    }

    public Icmp icmp()
    {
        return ip.icmp;
    }

    public boolean isIpv6()
    {
        return ipv6 != null;
    }

    public boolean isIcmpv6()
    {
        return isIpv6() && ipv6.icmp != null;
    }

    public Icmpv6 icmpv6()
    {
        return ipv6.icmp;
    }

    /**
     * IPv4 fields. The payload ends where the total length says.
     *
     * @param trailing bytes behind the payload.
     */
    public record Ip(
        String source, String destination, int ttl, int tos, int id, int totalLength, boolean dontFragment,
        boolean moreFragments, int fragmentOffset, boolean checksumRight, boolean transportChecksumRight,
        String payload, String options, String trailing, Icmp icmp)
    {
    }

    /**
     * IPv6 fields. The payload begins behind the fixed header and ends where the payload length says.
     *
     * @param trailing bytes behind the payload.
     */
    public record Ipv6(
        String source, String destination, int flowLabel, int hopLimit, int payloadLength,
        boolean transportChecksumRight, String payload, String trailing, Icmpv6 icmp)
    {
    }

    /**
     * ICMP fields.
     *
     * @param unused first half of the second word.
     * @param mtu    second half of the second word, as in RFC 1191.
     */
    public record Icmp(int type, int code, boolean checksumRight, int unused, int mtu, String quote)
    {
    }

    /**
     * ICMPv6 fields.
     *
     * @param rest the second word.
     * @param body what is behind it.
     */
    public record Icmpv6(int type, int code, boolean checksumRight, long rest, String body)
    {
    }
}
