package org.fibnuma.binding.rtnetlink;

/** Messages about next-hop objects (linux/rtnetlink.h and linux/nexthop.h, Linux 6.1). */
final class NextHopLayout
{
    static final int RTNLGRP_NEXTHOP = 32;
    static final int RTM_NEWNEXTHOP = 104;
    static final int RTM_DELNEXTHOP = 105;
    static final int RTM_GETNEXTHOP = 106;

    /** struct nhmsg: 8 bits each, the last is padding. */
    static final int FAMILY_OFFSET = 0;
    static final int SCOPE_OFFSET = FAMILY_OFFSET + Byte.BYTES;
    static final int PROTOCOL_OFFSET = SCOPE_OFFSET + Byte.BYTES;
    /** {@code RTNH_F_...}; 32 bits. */
    static final int FLAGS_OFFSET = PROTOCOL_OFFSET + Short.BYTES;
    static final int LENGTH = FLAGS_OFFSET + Integer.BYTES;

    static final int NHA_ID = 1;
    static final int NHA_GROUP = 2;
    /** One of {@code NEXTHOP_GRP_TYPE_...}, 16 bits. */
    static final int NHA_GROUP_TYPE = 3;
    static final int NHA_BLACKHOLE = 4;
    static final int NHA_OIF = 5;
    static final int NHA_GATEWAY = 6;
    static final int NHA_ENCAP_TYPE = 7;
    static final int NHA_FDB = 11;
    /** Nested; the properties of a resilient group. */
    static final int NHA_RES_GROUP = 12;

    static final int NEXTHOP_GRP_TYPE_RES = 1;

    /** 16 bits. */
    static final int NHA_RES_GROUP_BUCKETS = 1;
    /** Both in {@link #CLOCKS_PER_SECOND}, 32 bits. */
    static final int NHA_RES_GROUP_IDLE_TIMER = 2;
    static final int NHA_RES_GROUP_UNBALANCED_TIMER = 3;
    /** USER_HZ of all architectures that the JVM runs on. */
    static final int CLOCKS_PER_SECOND = 100;

    /** struct nexthop_grp: number of an object, 32 bits. */
    static final int GROUP_ID_OFFSET = 0;
    /** Weight - 1: its low 8 bits, then its high 8 bits (Linux 6.12; padding before), then padding. */
    static final int GROUP_WEIGHT_OFFSET = GROUP_ID_OFFSET + Integer.BYTES;
    static final int GROUP_WEIGHT_HIGH_OFFSET = GROUP_WEIGHT_OFFSET + Byte.BYTES;
    static final int GROUP_ENTRY_LENGTH = GROUP_WEIGHT_OFFSET + Integer.BYTES;

    private NextHopLayout()
    {
    }
}
