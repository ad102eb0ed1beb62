package org.fibnuma.binding.netlink;

/** Messages of netfilter's subsystems (linux/netfilter/nfnetlink.h, Linux 6.1). Numbers are in network order. */
public final class NfnetlinkLayout
{
    /** struct nfgenmsg: address family or {@code NFPROTO_...}; 8 bits. A version and a resource number follow. */
    public static final int FAMILY_OFFSET = 0;
    /** Length of struct nfgenmsg. */
    public static final int LENGTH = 4;

    private static final int SUBSYSTEM_SHIFT = 8;

    private NfnetlinkLayout()
    {
    }

    /** Returns the type of a message: a number of its subsystem, {@code NFNL_SUBSYS_...}. */
    public static int message(final int subsystem, final int number)
    {
        return subsystem << SUBSYSTEM_SHIFT | number;
    }
}
