package org.fibnuma.binding.rtnetlink;

/**
 * Payloads of rtnetlink messages, byte for byte as linux/rtnetlink.h, if_link.h, if_addr.h, neighbour.h and nexthop.h
 * lay them out on a little-endian machine. Interface 3 is {@code v0}.
 */
final class Samples
{
    /** Ethernet, up, running, lower up, MTU 1400, 02:00:00:00:00:01, master 6. */
    static final String LINK =
        "00 00 0100 03000000 43100100 00000000" + "0700 0300 763000 00" + "0800 0400 78050000" + "0800 0a00 06000000" +
        "0a00 0100 020000000001 0000";
    /** The same without carrier and master. */
    static final String LINK_WITHOUT_CARRIER =
        "00 00 0100 03000000 03100000 00000000" + "0700 0300 763000 00" + "0800 0400 78050000" +
        "0a00 0100 020000000001 0000";
    /** The bridge's view of a port: not the link itself. */
    static final String BRIDGE_PORT = "07 00 0100 03000000 43100100 00000000" + "0700 0300 763000 00";

    /** 10.0.0.1/24. */
    static final String ADDRESS = "02 18 80 00 03000000" + "0800 0100 0a000001" + "0800 0200 0a000001";
    /** 172.16.0.1, the other end is 172.16.0.2. */
    static final String ADDRESS_WITH_PEER = "02 20 80 00 03000000" + "0800 0100 ac100002" + "0800 0200 ac100001";
    /** fe80::1/64. */
    static final String IPV6_ADDRESS = "0a 40 80 fd 03000000" + "1400 0100 fe800000000000000000000000000001";
    /** 2001:db8::1, the other end is 2001:db8::2. */
    static final String IPV6_ADDRESS_WITH_PEER = "0a 80 80 00 03000000" +
        "1400 0200 20010db8000000000000000000000001" + "1400 0100 20010db8000000000000000000000002";

    /** 10.0.0.2 is 02:00:00:00:00:22, permanent. */
    static final String NEIGHBOR =
        "02 000000 03000000 8000 00 01" + "0800 0100 0a000002" + "0a00 0200 020000000022 0000";
    static final String FAILED_NEIGHBOR = "02 000000 03000000 2000 00 01" + "0800 0100 0a000002";
    static final String INCOMPLETE_NEIGHBOR = "02 000000 03000000 0100 00 01" + "0800 0100 0a000002";
    static final String NEIGHBOR_WITHOUT_STATE = "02 000000 03000000 0000 00 01" + "0800 0100 0a000002";
    static final String PROXIED_NEIGHBOR = "02 000000 03000000 0000 08 01" + "0800 0100 0a000002";
    /** fe80::1 is 02:00:00:00:00:22, permanent. */
    static final String IPV6_NEIGHBOR = "0a 000000 03000000 8000 00 01" +
        "1400 0100 fe800000000000000000000000000001" + "0a00 0200 020000000022 0000";
    /** ff02::16 is 33:33:00:00:00:16, noarp. */
    static final String IPV6_MULTICAST_NEIGHBOR = "0a 000000 03000000 4000 00 05" +
        "1400 0100 ff020000000000000000000000000016" + "0a00 0200 333300000016 0000";

    /** 192.0.2.0/24 via 10.0.0.2 on 3, metric 7, main. */
    static final String ROUTE = "02 18 00 00 fe 03 00 01 00000000" + "0800 0f00 fe000000" + "0800 0100 c0000200" +
        "0800 0600 07000000" + "0800 0500 0a000002" + "0800 0400 03000000";
    /** The same, the interface down. */
    static final String DEAD_ROUTE = "02 18 00 00 fe 03 00 01 01000000" + "0800 0f00 fe000000" +
        "0800 0100 c0000200" + "0800 0600 07000000" + "0800 0500 0a000002" + "0800 0400 03000000";
    /** The same for TOS 0x10. */
    static final String TOS_ROUTE = "02 18 00 10 fe 03 00 01 00000000" + "0800 0f00 fe000000" + "0800 0100 c0000200" +
        "0800 0600 07000000" + "0800 0500 0a000002" + "0800 0400 03000000";
    /** 192.0.2.0/24 for TOS 0x08, blackhole in the local table. */
    static final String LOCAL_TOS_ROUTE = "02 18 00 08 ff 03 00 06 00000000" + "0800 0100 c0000200";
    /** An IPv6 route with a TOS, which no kernel sends. */
    static final String IPV6_TOS_ROUTE = "0a 30 00 10 fe 03 00 01 00000000" +
        "1400 0100 20010db8000500000000000000000000" + "0800 0400 03000000";
    /** Table 77. */
    static final String OTHER_TABLE_ROUTE =
        "02 18 00 00 4d 03 00 01 00000000" + "0800 0f00 4d000000" + "0800 0100 c0000200" + "0800 0400 03000000";
    /** Table 1254, whose low byte is that of none: RT_TABLE_COMPAT 252. */
    static final String LARGE_TABLE_ROUTE =
        "02 18 00 00 fc 03 00 01 00000000" + "0800 0f00 e6040000" + "0800 0100 c0000200" + "0800 0400 03000000";
    static final String DEFAULT_ROUTE =
        "02 00 00 00 fe 03 00 01 00000000" + "0800 0500 0a0000fe" + "0800 0400 03000000";
    static final String LOCAL_ROUTE = "02 20 00 00 ff 02 fe 02 00000000" + "0800 0100 0a000001" + "0800 0400 03000000";
    static final String BROADCAST_ROUTE =
        "02 20 00 00 ff 02 fd 03 00000000" + "0800 0100 0a0000ff" + "0800 0400 03000000";
    static final String BLACKHOLE_ROUTE = "02 18 00 00 fe 03 00 06 00000000" + "0800 0100 cb007100";
    static final String UNREACHABLE_ROUTE = "02 18 00 00 fe 03 00 07 00000000" + "0800 0100 cb007100";
    static final String PROHIBIT_ROUTE = "02 18 00 00 fe 03 00 08 00000000" + "0800 0100 cb007100";
    static final String THROW_ROUTE = "02 18 00 00 fe 03 00 09 00000000" + "0800 0100 cb007100";
    /** IPv4 via fe80::1. */
    static final String VIA_IPV6_ROUTE = "02 18 00 00 fe 03 00 01 00000000" + "0800 0100 cb007200" +
        "1600 1200 0a00 fe800000000000000000000000000001 0000" + "0800 0400 03000000";
    /** MPLS label 100. */
    static final String ENCAPSULATED_ROUTE = "02 18 00 00 fe 03 00 01 00000000" + "0800 0100 cb007200" +
        "0800 0500 0a000002" + "0800 0400 03000000" + "0600 1500 0100 0000" + "0c00 1680 0800 0100 00064100";
    /** Via 10.0.0.2 on 3, or 10.9.0.2 on 4. */
    static final String MULTIPATH_ROUTE = "02 18 00 00 fe 03 00 01 00000000" + "0800 0100 c6336400" +
        "2400 0900" + "1000 00 00 03000000 0800 0500 0a000002" + "1000 00 00 04000000 0800 0500 0a090002";
    /** The same, the first dead. */
    static final String HALF_DEAD_ROUTE = "02 18 00 00 fe 03 00 01 00000000" + "0800 0100 c6336400" +
        "2400 0900" + "1000 11 00 03000000 0800 0500 0a000002" + "1000 00 00 04000000 0800 0500 0a090002";
    /** The same, both dead. */
    static final String ALL_DEAD_ROUTE = "02 18 00 00 fe 03 00 01 01000000" + "0800 0100 c6336400" +
        "2400 0900" + "1000 01 00 03000000 0800 0500 0a000002" + "1000 01 00 04000000 0800 0500 0a090002";
    /** By next-hop object 7, not spelled out. */
    static final String NEXT_HOP_7_ROUTE =
        "02 18 00 00 fe 03 00 01 00000000" + "0800 0100 cb007300" + "0800 1e00 07000000";
    /** By next-hop group 8, not spelled out. */
    static final String NEXT_HOP_8_ROUTE =
        "02 18 00 00 fe 03 00 01 00000000" + "0800 0100 cb007300" + "0800 1e00 08000000";
    /** By next-hop object 7, spelled out. */
    static final String NEXT_HOP_7_SPELLED_OUT_ROUTE = "02 18 00 00 fe 03 00 01 00000000" + "0800 0100 cb007300" +
        "0800 1e00 07000000" + "0800 0500 0a000009" + "0800 0400 05000000";
    /** 2001:db8:5::/48 via fe80::1 on 3, metric 1024, main. */
    static final String IPV6_ROUTE = "0a 30 00 00 fe 03 00 01 00000000" + "0800 0f00 fe000000" +
        "1400 0100 20010db8000500000000000000000000" + "0800 0600 00040000" +
        "1400 0500 fe800000000000000000000000000001" + "0800 0400 03000000" + "0500 1400 00 000000";
    /** The same without a metric. */
    static final String IPV6_ROUTE_WITHOUT_METRIC = "0a 30 00 00 fe 03 00 01 00000000" +
        "1400 0100 20010db8000500000000000000000000" + "0800 0400 03000000";
    static final String IPV6_DEFAULT_ROUTE = "0a 00 00 00 fe 09 00 01 00000000" + "0800 0600 00040000" +
        "1400 0500 fe800000000000000000000000000001" + "0800 0400 03000000";
    /** RTM_F_CLONED: the path MTU to one destination. */
    static final String IPV6_CLONED_ROUTE = "0a 80 00 00 fe 03 00 01 00020000" +
        "1400 0100 20010db8000500000000000000000001" + "0800 0400 03000000";
    /** From 2001:db8:6::/48 only, without a gateway. */
    static final String IPV6_SOURCE_ROUTE = "0a 30 30 00 fe 03 00 01 00000000" +
        "1400 0100 20010db8000500000000000000000000" + "1400 0200 20010db8000600000000000000000000" +
        "0800 0400 03000000";
    /** The same by a gateway, metric 512, in the local table. */
    static final String IPV6_LOCAL_SOURCE_ROUTE = "0a 30 30 00 ff 03 00 01 00000000" +
        "1400 0100 20010db8000500000000000000000000" + "1400 0200 20010db8000600000000000000000000" +
        "0800 0600 00020000" + "1400 0500 fe800000000000000000000000000001" + "0800 0400 03000000";
    /** Any destination from 2001:db8:6::/48, by next-hop object 7. */
    static final String IPV6_SOURCE_DEFAULT_ROUTE = "0a 00 30 00 fe 03 00 01 00000000" +
        "1400 0200 20010db8000600000000000000000000" + "0800 1e00 07000000";
    /** An IPv4 route with a source prefix, which no kernel sends. */
    static final String IPV4_SOURCE_ROUTE =
        "02 18 18 00 fe 03 00 01 00000000" + "0800 0100 c0000200" + "0800 0200 c0000300" + "0800 0400 03000000";
    /** fe80::/64, made by the kernel. */
    static final String IPV6_LINK_LOCAL_ROUTE = "0a 40 00 00 fe 02 00 01 00000000" +
        "1400 0100 fe800000000000000000000000000000" + "0800 0600 00010000" + "0800 0400 03000000";
    /** ff00::/8 in the local table, type multicast. */
    static final String IPV6_MULTICAST_ROUTE = "0a 08 00 00 ff 02 00 05 00000000" +
        "1400 0100 ff000000000000000000000000000000" + "0800 0600 00010000" + "0800 0400 03000000";
    /** 2001:db8::1 in the local table, metric 0. */
    static final String IPV6_LOCAL_ROUTE = "0a 80 00 00 ff 02 00 02 00000000" +
        "1400 0100 20010db8000000000000000000000001" + "0800 0600 00000000" + "0800 0400 03000000";
    /** 2001:db8:: in the local table, type anycast. */
    static final String IPV6_ANYCAST_ROUTE = "0a 80 00 00 ff 02 00 04 00000000" +
        "1400 0100 20010db8000000000000000000000000" + "0800 0600 00000000" + "0800 0400 03000000";
    /** Unreachable 2001:db8:5::/48 on the loopback interface. */
    static final String IPV6_UNREACHABLE_ROUTE = "0a 30 00 00 fe 03 00 07 00000000" +
        "1400 0100 20010db8000500000000000000000000" + "0800 0600 00040000" + "0800 0400 01000000" +
        "2400 0c00 0000000000000000000000008fffffff0000000000000000000000000000000000";
    /** Via 2001:db8::9 on 4, or 2001:db8::3 on 3, or 2001:db8::2 on 3. */
    static final String IPV6_MULTIPATH_ROUTE = "0a 30 00 00 fe 03 00 01 00000000" +
        "1400 0100 20010db8000500000000000000000000" + "0800 0600 00040000" + "5800 0900" +
        "1c00 00 00 04000000 1400 0500 20010db8000000000000000000000009" +
        "1c00 00 00 03000000 1400 0500 20010db8000000000000000000000003" +
        "1c00 00 00 03000000 1400 0500 20010db8000000000000000000000002";
    /** The same, the last two dead. */
    static final String IPV6_HALF_DEAD_ROUTE = "0a 30 00 00 fe 03 00 01 00000000" +
        "1400 0100 20010db8000500000000000000000000" + "0800 0600 00040000" + "5800 0900" +
        "1c00 00 00 04000000 1400 0500 20010db8000000000000000000000009" +
        "1c00 01 00 03000000 1400 0500 20010db8000000000000000000000003" +
        "1c00 01 00 03000000 1400 0500 20010db8000000000000000000000002";

    /** Object 7: via 10.0.0.2 on 3. */
    static final String NEXT_HOP_7 =
        "02 00 03 00 00000000" + "0800 0100 07000000" + "0800 0500 03000000" + "0800 0600 0a000002";
    /** Object 7, its interface down. */
    static final String DEAD_NEXT_HOP_7 =
        "02 00 03 00 01000000" + "0800 0100 07000000" + "0800 0500 03000000" + "0800 0600 0a000002";
    /** Object 9: via 10.9.0.2 on 4. */
    static final String NEXT_HOP_9 =
        "02 00 03 00 00000000" + "0800 0100 09000000" + "0800 0500 04000000" + "0800 0600 0a090002";
    /** Object 7 as a blackhole. */
    static final String BLACKHOLE_NEXT_HOP_7 = "02 00 03 00 00000000" + "0800 0100 07000000" + "0400 0400";
    /** Object 7 via fe80::1. */
    static final String IPV6_NEXT_HOP_7 = "0a 00 03 00 00000000" + "0800 0100 07000000" + "0800 0500 03000000" +
        "1400 0600 fe800000000000000000000000000001";
    /** Group 8 of 7 and 9. */
    static final String NEXT_HOP_GROUP_8 = "00 00 03 00 00000000" + "0800 0100 08000000" + "0600 0300 0000 0000" +
        "1400 0200" + "07000000 00 00 0000" + "09000000 00 00 0000";

    private Samples()
    {
    }
}
