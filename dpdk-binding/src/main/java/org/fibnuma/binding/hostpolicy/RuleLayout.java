package org.fibnuma.binding.hostpolicy;

/** Messages about routing rules (linux/fib_rules.h, linux/rtnetlink.h, Linux 6.1). */
final class RuleLayout
{
    static final int RTNLGRP_IPV4_RULE = 8;
    static final int RTNLGRP_IPV6_RULE = 19;
    static final int RTM_NEWRULE = 32;
    static final int RTM_DELRULE = 33;
    static final int RTM_GETRULE = 34;

    /** struct fib_rule_hdr: each field has 8 bits except the flags. */
    static final int FAMILY_OFFSET = 0;
    static final int DST_LEN_OFFSET = FAMILY_OFFSET + Byte.BYTES;
    static final int SRC_LEN_OFFSET = DST_LEN_OFFSET + Byte.BYTES;
    static final int TOS_OFFSET = SRC_LEN_OFFSET + Byte.BYTES;
    static final int TABLE_OFFSET = TOS_OFFSET + Byte.BYTES;
    /** After two reserved bytes. */
    static final int ACTION_OFFSET = TABLE_OFFSET + 3 * Byte.BYTES;
    static final int FLAGS_OFFSET = ACTION_OFFSET + Byte.BYTES;
    static final int LENGTH = FLAGS_OFFSET + Integer.BYTES;

    static final int FIB_RULE_INVERT = 2;
    static final int FR_ACT_TO_TBL = 1;
    static final int FR_ACT_GOTO = 2;
    static final int FR_ACT_NOP = 3;
    static final int FR_ACT_BLACKHOLE = 6;
    static final int FR_ACT_UNREACHABLE = 7;
    static final int FR_ACT_PROHIBIT = 8;

    static final int FRA_DST = 1;
    static final int FRA_SRC = 2;
    static final int FRA_IIFNAME = 3;
    static final int FRA_GOTO = 4;
    static final int FRA_PRIORITY = 6;
    static final int FRA_FWMARK = 10;
    static final int FRA_FLOW = 11;
    static final int FRA_TUN_ID = 12;
    static final int FRA_SUPPRESS_IFGROUP = 13;
    static final int FRA_SUPPRESS_PREFIXLEN = 14;
    static final int FRA_TABLE = 15;
    static final int FRA_FWMASK = 16;
    static final int FRA_OIFNAME = 17;
    static final int FRA_PAD = 18;
    static final int FRA_L3MDEV = 19;
    static final int FRA_UID_RANGE = 20;
    static final int FRA_PROTOCOL = 21;
    static final int FRA_IP_PROTO = 22;

    private RuleLayout()
    {
    }
}
