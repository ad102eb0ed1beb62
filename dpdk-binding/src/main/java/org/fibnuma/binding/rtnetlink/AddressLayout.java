package org.fibnuma.binding.rtnetlink;

/** Messages about addresses (linux/rtnetlink.h and linux/if_addr.h, Linux 6.1). */
public final class AddressLayout
{
    /** Multicast group of notifications about IPv4 addresses. */
    public static final int RTNLGRP_IPV4_IFADDR = 5;
    /** Multicast group of notifications about IPv6 addresses. */
    public static final int RTNLGRP_IPV6_IFADDR = 9;
    /** Notification: an address exists. Request: add it. */
    public static final int RTM_NEWADDR = 20;
    /** Notification: an address was removed. Request: remove it. */
    public static final int RTM_DELADDR = 21;
    /** Requests the addresses. */
    public static final int RTM_GETADDR = 22;

    /** struct ifaddrmsg: 8 bits each. */
    public static final int FAMILY_OFFSET = 0;
    /** Prefix length of the connected network. */
    public static final int PREFIX_LENGTH_OFFSET = FAMILY_OFFSET + Byte.BYTES;
    /** IFA_F_..., 0 for none. */
    public static final int FLAGS_OFFSET = PREFIX_LENGTH_OFFSET + Byte.BYTES;
    /** RT_SCOPE_..., 0 for everywhere. */
    public static final int SCOPE_OFFSET = FLAGS_OFFSET + Byte.BYTES;
    /** Index of the interface; 32 bits. */
    public static final int INDEX_OFFSET = SCOPE_OFFSET + Byte.BYTES;
    /** Length of struct ifaddrmsg. */
    public static final int LENGTH = INDEX_OFFSET + Integer.BYTES;

    /** The peer's address on a point-to-point link, otherwise the same as {@link #IFA_LOCAL}. */
    public static final int IFA_ADDRESS = 1;
    /** This host's address. */
    public static final int IFA_LOCAL = 2;
    /** All 32 bits of the flags; the field of struct ifaddrmsg has the low 8. */
    public static final int IFA_FLAGS = 8;

    /** Not the first IPv4 address of its network, or a temporary IPv6 address. */
    public static final int IFA_F_SECONDARY = 0x01;
    /** The host prefers other IPv6 addresses: the preferred lifetime has ended. */
    public static final int IFA_F_DEPRECATED = 0x20;
    /** Duplicate address detection has not ended, or has failed (IFA_F_DADFAILED): the host does not use it. */
    public static final int IFA_F_TENTATIVE = 0x40;
    /** The host uses the address although it is tentative (RFC 4429). */
    public static final int IFA_F_OPTIMISTIC = 0x04;

    /** IPv6 without duplicate address detection. */
    public static final int IFA_F_NODAD = 0x02;
    /** The kernel makes no route to the network of the address. */
    public static final int IFA_F_NOPREFIXROUTE = 0x200;

    private AddressLayout()
    {
    }
}
