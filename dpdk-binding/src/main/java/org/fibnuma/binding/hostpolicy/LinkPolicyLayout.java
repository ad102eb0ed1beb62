package org.fibnuma.binding.hostpolicy;

/**
 * Attributes of links and messages about traffic control (linux/if_link.h, linux/rtnetlink.h, linux/pkt_sched.h,
 * linux/pkt_cls.h, Linux 6.1).
 */
final class LinkPolicyLayout
{
    static final int IFLA_LINKINFO = 18;
    static final int IFLA_INFO_SLAVE_KIND = 4;
    static final int IFLA_XDP_PROG_ID = 4;
    static final int IFLA_XDP_HW_PROG_ID = 7;

    static final int RTNLGRP_TC = 4;
    static final int RTM_NEWQDISC = 36;
    static final int RTM_DELQDISC = 37;
    static final int RTM_GETQDISC = 38;
    static final int RTM_NEWTFILTER = 44;
    static final int RTM_DELTFILTER = 45;
    static final int RTM_GETTFILTER = 46;

    /** struct tcmsg: after the family, 8 bits, and padding. */
    static final int TC_INDEX_OFFSET = 4;
    static final int TC_HANDLE_OFFSET = TC_INDEX_OFFSET + Integer.BYTES;
    static final int TC_PARENT_OFFSET = TC_HANDLE_OFFSET + Integer.BYTES;
    /** After the priority and protocol. */
    static final int TC_LENGTH = TC_PARENT_OFFSET + 2 * Integer.BYTES;
    /** TC_H_MAKE(TC_H_CLSACT, TC_H_MIN_INGRESS). */
    static final int TC_INGRESS = 0xFFFF_FFF2;
    /** TC_H_MAKE(TC_H_CLSACT, TC_H_MIN_EGRESS). */
    static final int TC_EGRESS = 0xFFFF_FFF3;

    static final int TCA_KIND = 1;
    static final int TCA_OPTIONS = 2;
    static final int TCA_BPF_ID = 11;
    static final int TCA_FQ_FLOW_MAX_RATE = 7;

    private LinkPolicyLayout()
    {
    }
}
