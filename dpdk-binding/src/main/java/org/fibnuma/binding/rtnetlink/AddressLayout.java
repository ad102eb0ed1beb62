package org.fibnuma.binding.rtnetlink;

/** Messages about addresses (linux/rtnetlink.h and linux/if_addr.h, Linux 6.1). */
final class AddressLayout
{
    static final int RTNLGRP_IPV4_IFADDR = 5;
    static final int RTM_NEWADDR = 20;
    static final int RTM_DELADDR = 21;
    static final int RTM_GETADDR = 22;

    /** struct ifaddrmsg: 8 bits each. */
    static final int FAMILY_OFFSET = 0;
    static final int PREFIX_LENGTH_OFFSET = FAMILY_OFFSET + Byte.BYTES;
    static final int FLAGS_OFFSET = PREFIX_LENGTH_OFFSET + Byte.BYTES;
    static final int SCOPE_OFFSET = FLAGS_OFFSET + Byte.BYTES;
    /** Interface; 32 bits. */
    static final int INDEX_OFFSET = SCOPE_OFFSET + Byte.BYTES;
    static final int LENGTH = INDEX_OFFSET + Integer.BYTES;

    /** The other end's address on a point-to-point link, else the same as {@link #IFA_LOCAL}. */
    static final int IFA_ADDRESS = 1;
    /** This host's address. */
    static final int IFA_LOCAL = 2;

    private AddressLayout()
    {
    }
}
