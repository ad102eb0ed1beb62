package org.fibnuma.binding.netdevice;

/** Generic netlink and its families "netdev" and "ethtool" (linux/genetlink.h, netdev.h, ethtool_netlink.h, 6.3). */
final class GenericNetlinkLayout
{
    static final int NETLINK_GENERIC = 16;

    static final int GENL_ID_CTRL = 0x10;
    /** {@code struct genlmsghdr}: the command is the first byte, the version the second. */
    static final int HEADER_LENGTH = 4;
    static final int VERSION_OFFSET = 1;
    static final int VERSION = 1;
    static final int CTRL_CMD_GETFAMILY = 3;
    static final int CTRL_ATTR_FAMILY_ID = 1;
    static final int CTRL_ATTR_FAMILY_NAME = 2;
    static final int CTRL_ATTR_MCAST_GROUPS = 7;
    static final int CTRL_ATTR_MCAST_GRP_NAME = 1;
    static final int CTRL_ATTR_MCAST_GRP_ID = 2;

    static final String NETDEV_FAMILY_NAME = "netdev";
    static final int NETDEV_CMD_DEV_GET = 1;
    static final int NETDEV_A_DEV_IFINDEX = 1;
    static final int NETDEV_A_DEV_XDP_FEATURES = 3;
    static final int NETDEV_XDP_ACT_NDO_XMIT = 4;
    static final int NETDEV_XDP_ACT_XSK_ZEROCOPY = 8;

    static final String ETHTOOL_GENL_NAME = "ethtool";
    static final String ETHTOOL_MCGRP_MONITOR_NAME = "monitor";
    static final int ETHTOOL_MSG_FEATURES_NTF = 13;
    static final int ETHTOOL_MSG_CHANNELS_NTF = 19;
    /** First attribute of every notification; it contains the index of the interface. */
    static final int ETHTOOL_A_HEADER = 1;
    static final int ETHTOOL_A_HEADER_DEV_INDEX = 1;

    private GenericNetlinkLayout()
    {
    }
}
