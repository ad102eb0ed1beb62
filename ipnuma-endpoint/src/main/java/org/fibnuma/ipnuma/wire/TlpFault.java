package org.fibnuma.ipnuma.wire;

/** Why bytes of the network were not taken; the numbers are negative, so that a length and a fault fit in one int. */
public final class TlpFault
{
    /** The datagram does not begin as its format does. */
    public static final int BAD_MAGIC = -1;
    /** The datagram ends before the TLP that it announces. */
    public static final int TRUNCATED = -2;
    /** The byte enables cannot stand in a request of that length. */
    public static final int BAD_BYTE_ENABLES = -3;
    /** The request crosses a boundary of 4 KiB. */
    public static final int CROSSES_BOUNDARY = -4;
    /** The sender marks the data as wrong (EP). */
    public static final int POISONED = -5;
    /** A length of 0, or one that an atomic operation cannot have. */
    public static final int BAD_LENGTH = -6;
    /** A type that this format cannot carry or that nobody waits for. */
    public static final int UNKNOWN_TYPE = -7;
    /** Bytes remain behind what the format carries. */
    public static final int TRAILING_BYTES = -8;
    /** The code that ends a list is missing. */
    public static final int NO_END_CODE = -9;

    private TlpFault()
    {
    }
}
