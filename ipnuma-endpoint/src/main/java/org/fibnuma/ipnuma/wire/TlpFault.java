package org.fibnuma.ipnuma.wire;

/** Why a decoder rejected received bytes. The numbers are negative: one int contains a length or a fault. */
public final class TlpFault
{
    /** The datagram does not begin with the magic of its format. */
    public static final int BAD_MAGIC = -1;
    /** The datagram ends before the TLP that it announces. */
    public static final int TRUNCATED = -2;
    /** The byte enables are invalid in a request of that length. */
    public static final int BAD_BYTE_ENABLES = -3;
    /** The request crosses a boundary of 4 KiB. */
    public static final int CROSSES_BOUNDARY = -4;
    /** The sender marked the data as wrong (EP). */
    public static final int POISONED = -5;
    /** The length is 0, or one that an atomic operation cannot have. */
    public static final int BAD_LENGTH = -6;
    /** The format does not support the type, and the type has no completion. */
    public static final int UNKNOWN_TYPE = -7;
    /** Bytes follow the last TLP of the datagram. */
    public static final int TRAILING_BYTES = -8;
    /** The code that ends a list is missing. */
    public static final int NO_END_CODE = -9;

    private TlpFault()
    {
    }
}
