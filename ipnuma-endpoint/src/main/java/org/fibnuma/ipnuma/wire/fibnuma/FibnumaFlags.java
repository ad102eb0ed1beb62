package org.fibnuma.ipnuma.wire.fibnuma;

/** Bits of the flags of a fibnuma datagram. */
public final class FibnumaFlags
{
    /** Its TLPs take effect after those of every earlier sequence; without it, when it arrives. */
    public static final int ORDERED = 1;
    /** The application is to be told when it has taken effect. */
    public static final int DOORBELL = 1 << 1;
    /** Its sender received a datagram with congestion experienced. */
    public static final int CE_ECHO = 1 << 2;
    /** TLPs and trailer are encrypted; an authentication tag follows. */
    public static final int SEALED = 1 << 3;
    /** The echoed timestamp is one that has not been echoed before. */
    public static final int ECHO_VALID = 1 << 4;
    /** It has reads or atomics; all their answers fit into one datagram. */
    public static final int REQUESTS = 1 << 5;

    private FibnumaFlags()
    {
    }
}
