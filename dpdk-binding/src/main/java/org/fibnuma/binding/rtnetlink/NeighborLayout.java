package org.fibnuma.binding.rtnetlink;

/** Messages about neighbours (linux/rtnetlink.h and linux/neighbour.h, Linux 6.1). */
final class NeighborLayout
{
    static final int RTNLGRP_NEIGH = 3;
    static final int RTM_NEWNEIGH = 28;
    static final int RTM_DELNEIGH = 29;
    static final int RTM_GETNEIGH = 30;

    /** struct ndmsg: 8 bits, then three bytes of padding. */
    static final int FAMILY_OFFSET = 0;
    static final int INDEX_OFFSET = FAMILY_OFFSET + Integer.BYTES;
    /** {@code NUD_...}; 16 bits. */
    static final int STATE_OFFSET = INDEX_OFFSET + Integer.BYTES;
    /** {@code NTF_...}; 8 bits. */
    static final int FLAGS_OFFSET = STATE_OFFSET + Short.BYTES;
    static final int TYPE_OFFSET = FLAGS_OFFSET + Byte.BYTES;
    static final int LENGTH = TYPE_OFFSET + Byte.BYTES;

    static final int NDA_DST = 1;
    static final int NDA_LLADDR = 2;

    static final int NUD_NONE = 0;
    static final int NUD_FAILED = 0x20;
    /** Reachable, stale, delay, probe. */
    static final int NUD_FOUND = 0x02 | 0x04 | 0x08 | 0x10;
    /** Noarp, permanent: together with {@link #NUD_FOUND}, NUD_VALID (net/neighbour.h). */
    static final int NUD_GIVEN = 0x40 | 0x80;

    /** Resolve the neighbour as if a packet were to be sent to it. */
    static final int NTF_USE = 1;
    /** This host answers for the neighbour. */
    static final int NTF_PROXY = 1 << 3;

    private NeighborLayout()
    {
    }
}
