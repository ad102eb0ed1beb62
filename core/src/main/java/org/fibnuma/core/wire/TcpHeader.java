package org.fibnuma.core.wire;

/** Layout of the TCP header (RFC 9293 section 3.1). */
public final class TcpHeader
{
    public static final int CHECKSUM_OFFSET = 16;
    /** Length of the header without options, in bytes. */
    public static final int MIN_LENGTH = 20;

    private TcpHeader()
    {
    }
}
