package org.fibnuma.binding.rtnetlink;

/** Messages about links (linux/rtnetlink.h, linux/if_link.h and linux/if.h, Linux 6.1). */
public final class LinkLayout
{
    /** Multicast group of notifications about links. */
    public static final int RTNLGRP_LINK = 1;
    /** A link was added or changed. */
    public static final int RTM_NEWLINK = 16;
    /** A link was removed. */
    public static final int RTM_DELLINK = 17;
    /** Requests the links. */
    public static final int RTM_GETLINK = 18;
    public static final int RTM_SETLINK = 19;

    /** struct ifinfomsg: AF_UNSPEC for the link itself; 8 bits. */
    static final int FAMILY_OFFSET = 0;
    /** Hardware type; 16 bits, after one byte of padding. */
    static final int HARDWARE_OFFSET = FAMILY_OFFSET + Short.BYTES;
    /** Index of the link; 32 bits. */
    public static final int INDEX_OFFSET = HARDWARE_OFFSET + Short.BYTES;
    /** {@code IFF_...}; 32 bits. */
    static final int FLAGS_OFFSET = INDEX_OFFSET + Integer.BYTES;
    static final int CHANGE_MASK_OFFSET = FLAGS_OFFSET + Integer.BYTES;
    /** Length of struct ifinfomsg. */
    public static final int LENGTH = CHANGE_MASK_OFFSET + Integer.BYTES;

    /** Attribute: link-layer address. */
    public static final int IFLA_ADDRESS = 1;
    /** Attribute: name of the link. */
    public static final int IFLA_IFNAME = 3;
    static final int IFLA_MTU = 4;
    /** Index of the interface below a VLAN or macvlan interface; other kinds use it too. */
    public static final int IFLA_LINK = 5;
    /** Attribute: index of the link's bridge, bond or VRF. */
    public static final int IFLA_MASTER = 10;
    /** Kind of the interface and its properties; the next ones are nested in it. */
    static final int IFLA_LINKINFO = 18;
    /** Name of the kind. */
    public static final int IFLA_INFO_KIND = 1;
    /** Properties of the kind; those of a VLAN are nested in it. */
    public static final int IFLA_INFO_DATA = 2;
    /** VLAN identifier; 16 bits. */
    static final int IFLA_VLAN_ID = 1;
    /** EtherType of the VLAN tag; 16 bits in network order. Kernels before 3.10 have 802.1Q only and omit it. */
    static final int IFLA_VLAN_PROTOCOL = 5;
    /** Mode of a macvlan or macvtap interface, {@code MACVLAN_MODE_...}; 32 bits. */
    public static final int IFLA_MACVLAN_MODE = 1;
    public static final int MACVLAN_MODE_PRIVATE = 1;
    public static final int MACVLAN_MODE_VEPA = 2;
    public static final int MACVLAN_MODE_BRIDGE = 4;
    public static final int MACVLAN_MODE_PASSTHRU = 8;
    public static final int MACVLAN_MODE_SOURCE = 16;
    /** Kind of macvlan interfaces. */
    public static final String KIND_MACVLAN = "macvlan";
    /** Kind of VLAN interfaces. */
    static final String KIND_VLAN = "vlan";
    /** Settings of the address families; one attribute for each, with the number of the family, is nested in it. */
    static final int IFLA_AF_SPEC = 26;
    /** Settings of IPv4, 32 bits each, without the one of number 0. */
    static final int IFLA_INET_CONF = 1;
    /** Settings of IPv6, 32 bits each. */
    static final int IFLA_INET6_CONF = 2;
    /** Routes by an interface without carrier are not used (linux/ip.h). */
    static final int IPV4_DEVCONF_IGNORE_ROUTES_WITH_LINKDOWN = 29;
    /** The same for IPv6 (linux/ipv6.h). */
    static final int DEVCONF_IGNORE_ROUTES_WITH_LINKDOWN = 39;
    /** Network namespace of {@link #IFLA_LINK} if it is another one. */
    public static final int IFLA_LINK_NETNSID = 37;
    /** Attribute of a request: {@code RTEXT_FILTER_...}. */
    public static final int IFLA_EXT_MASK = 29;

    /** Attribute: XDP program; the next ones are nested in it. */
    public static final int IFLA_XDP = 43;
    /** File descriptor of a program to attach; -1 detaches. */
    public static final int IFLA_XDP_FD = 1;
    /** {@code XDP_FLAGS_...}. */
    public static final int IFLA_XDP_FLAGS = 3;

    /** Omit the counters from lists. */
    public static final int RTEXT_FILTER_SKIP_STATS = 1 << 3;

    static final int AF_UNSPEC = 0;
    static final int IFF_UP = 1;
    static final int IFF_RUNNING = 1 << 6;
    static final int IFF_LOWER_UP = 1 << 16;

    private LinkLayout()
    {
    }
}
