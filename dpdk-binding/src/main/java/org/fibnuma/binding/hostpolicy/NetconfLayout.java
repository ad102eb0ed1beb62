package org.fibnuma.binding.hostpolicy;

/** Messages about the settings of interfaces (linux/netconf.h, linux/rtnetlink.h, Linux 6.1). */
final class NetconfLayout
{
    static final int RTNLGRP_IPV4_NETCONF = 24;
    static final int RTNLGRP_IPV6_NETCONF = 25;
    static final int RTM_NEWNETCONF = 80;
    static final int RTM_DELNETCONF = 81;
    static final int RTM_GETNETCONF = 82;

    /** struct netconfmsg: 8 bits. */
    static final int FAMILY_OFFSET = 0;
    static final int LENGTH = 1;

    static final int NETCONFA_IFINDEX = 1;
    static final int NETCONFA_FORWARDING = 2;
    static final int NETCONFA_RP_FILTER = 3;
    /** In place of an index: settings that are combined with those of each interface. */
    static final int NETCONFA_IFINDEX_ALL = -1;

    private NetconfLayout()
    {
    }
}
