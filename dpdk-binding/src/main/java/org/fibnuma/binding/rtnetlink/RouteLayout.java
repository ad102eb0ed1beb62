package org.fibnuma.binding.rtnetlink;

/** Messages about routes (linux/rtnetlink.h, Linux 6.1). */
final class RouteLayout
{
    static final int RTNLGRP_IPV4_ROUTE = 7;
    static final int RTNLGRP_IPV6_ROUTE = 11;
    static final int RTM_NEWROUTE = 24;
    static final int RTM_DELROUTE = 25;
    static final int RTM_GETROUTE = 26;

    /** struct rtmsg: 8 bits each up to the type. */
    static final int FAMILY_OFFSET = 0;
    static final int PREFIX_LENGTH_OFFSET = FAMILY_OFFSET + Byte.BYTES;
    static final int SOURCE_LENGTH_OFFSET = PREFIX_LENGTH_OFFSET + Byte.BYTES;
    static final int TOS_OFFSET = SOURCE_LENGTH_OFFSET + Byte.BYTES;
    /** Low 8 bits of the table; RTA_TABLE has all 32. */
    static final int TABLE_OFFSET = TOS_OFFSET + Byte.BYTES;
    static final int PROTOCOL_OFFSET = TABLE_OFFSET + Byte.BYTES;
    static final int SCOPE_OFFSET = PROTOCOL_OFFSET + Byte.BYTES;
    /** {@code RTN_...}. */
    static final int TYPE_OFFSET = SCOPE_OFFSET + Byte.BYTES;
    /** {@code RTM_F_...} and, for a single next hop, {@code RTNH_F_...}; 32 bits. */
    static final int FLAGS_OFFSET = TYPE_OFFSET + Byte.BYTES;
    static final int LENGTH = FLAGS_OFFSET + Integer.BYTES;

    static final int RTA_DST = 1;
    static final int RTA_OIF = 4;
    static final int RTA_GATEWAY = 5;
    static final int RTA_PRIORITY = 6;
    static final int RTA_PREFSRC = 7;
    /** Nested {@code RTAX_...}, 32 bits each. */
    static final int RTA_METRICS = 8;
    static final int RTA_MULTIPATH = 9;
    static final int RTA_TABLE = 15;
    static final int RTA_VIA = 18;
    /** Preference of a route of a router advertisement, 8 bits (RFC 4191 section 2.1, linux/icmpv6.h). */
    static final int RTA_PREF = 20;
    static final int RTA_ENCAP_TYPE = 21;
    static final int RTA_NH_ID = 30;

    /** One bit for each metric that is locked. */
    static final int RTAX_LOCK = 1;
    static final int RTAX_MTU = 2;

    static final int ICMPV6_ROUTER_PREF_MEDIUM = 0;
    static final int ICMPV6_ROUTER_PREF_HIGH = 1;
    static final int ICMPV6_ROUTER_PREF_LOW = 3;

    static final int RTN_UNICAST = 1;
    static final int RTN_LOCAL = 2;
    static final int RTN_BROADCAST = 3;
    /** An address of several hosts; IPv6: this host is one of them. */
    static final int RTN_ANYCAST = 4;
    static final int RTN_BLACKHOLE = 6;
    static final int RTN_UNREACHABLE = 7;
    static final int RTN_PROHIBIT = 8;

    /** Made by the kernel for an address. */
    static final int RTPROT_KERNEL = 2;
    /** Installed by a routing daemon or an administrator. */
    static final int RTPROT_STATIC = 4;
    static final int RT_SCOPE_UNIVERSE = 0;
    static final int RT_SCOPE_LINK = 253;
    static final int RT_SCOPE_HOST = 254;
    /** Matches any scope when a route is deleted. */
    static final int RT_SCOPE_NOWHERE = 255;

    /** struct rtnexthop: length including attributes, 16 bits. */
    static final int HOP_LENGTH_OFFSET = 0;
    /** {@code RTNH_F_...}, 8 bits. */
    static final int HOP_FLAGS_OFFSET = HOP_LENGTH_OFFSET + Short.BYTES;
    /** Weight - 1, 8 bits. */
    static final int HOP_WEIGHT_OFFSET = HOP_FLAGS_OFFSET + Byte.BYTES;
    static final int HOP_INDEX_OFFSET = HOP_WEIGHT_OFFSET + Byte.BYTES;
    static final int HOP_LENGTH = HOP_INDEX_OFFSET + Integer.BYTES;

    /** struct rtvia: family of the address that follows; 16 bits. */
    static final int VIA_FAMILY_OFFSET = 0;
    static final int VIA_ADDRESS_OFFSET = VIA_FAMILY_OFFSET + Short.BYTES;

    /** Metric of an IPv6 route that does not state one (IP6_RT_PRIO_USER, net/ip6_route.h). */
    static final int IPV6_DEFAULT_METRIC = 1024;

    /** A copy for one destination, with its path MTU. */
    static final int RTM_F_CLONED = 0x200;
    /** The kernel does not use this next hop: its interface is down. */
    static final int RTNH_F_DEAD = 1;

    private RouteLayout()
    {
    }
}
