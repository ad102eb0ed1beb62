package org.fibnuma.ipnuma.wire.fibnuma;

/** Bits of the flags of a fibnuma datagram. */
public final class FibnumaFlags
{
    /** The TLPs take effect after those of every earlier sequence; without this flag, on arrival. */
    public static final int ORDERED = 1;
    /** The receiver notifies the application when the datagram has taken effect. */
    public static final int DOORBELL = 1 << 1;
    /** The sender received a datagram marked "congestion experienced". */
    public static final int CE_ECHO = 1 << 2;
    /** TLPs and trailer are encrypted; an authentication tag follows. */
    public static final int SEALED = 1 << 3;
    /** The echoed timestamp has not been echoed before. */
    public static final int ECHO_VALID = 1 << 4;
    /** The datagram has reads or atomics. All their completions fit into one datagram. */
    public static final int REQUESTS = 1 << 5;

    private FibnumaFlags()
    {
    }
}
