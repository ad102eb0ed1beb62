package org.fibnuma.core.wire;

/** IP protocol numbers and IPv6 extension header types (Assigned Internet Protocol Numbers registry). */
public final class IpProtocol
{
    /** IPv6 hop-by-hop options, RFC 8200 section 4.3. */
    public static final int HOP_BY_HOP = 0;
    /** RFC 792. */
    public static final int ICMP = 1;
    /** RFC 9293. */
    public static final int TCP = 6;
    /** RFC 768. */
    public static final int UDP = 17;
    /** IPv6 routing header, RFC 8200 section 4.4. */
    public static final int ROUTING = 43;
    /** IPv6 fragment header, RFC 8200 section 4.5. */
    public static final int FRAGMENT = 44;
    /** RFC 4302. */
    public static final int AUTHENTICATION = 51;
    /** RFC 4443. */
    public static final int ICMPV6 = 58;
    /** IPv6 destination options, RFC 8200 section 4.6. */
    public static final int DESTINATION_OPTIONS = 60;
    /** RFC 9260. */
    public static final int SCTP = 132;
    /** RFC 3828. */
    public static final int UDP_LITE = 136;

    private IpProtocol()
    {
    }

    /** Returns the name of a transport protocol in lower case, such as {@code icmpv6}; the number of another one. */
    public static String name(final int protocol)
    {
        return switch (protocol)
        {
            case ICMP -> "icmp";
            case TCP -> "tcp";
            case UDP -> "udp";
            case ICMPV6 -> "icmpv6";
            case SCTP -> "sctp";
            case UDP_LITE -> "udplite";
            default -> Integer.toString(protocol);
        };
    }
}
