package org.fibnuma.core.wire;

/** Layout of the TCP header (RFC 9293 section 3.1). */
public final class TcpHeader
{
    /** Length of the header with options in words of 32 bits, in the upper 4 bits. */
    public static final int DATA_OFFSET_OFFSET = 12;
    /** Control bits, 8 bits. */
    public static final int FLAGS_OFFSET = 13;
    public static final int CHECKSUM_OFFSET = 16;
    public static final int FIN = 0x01;
    public static final int SYN = 0x02;
    public static final int RST = 0x04;
    public static final int ACK = 0x10;
    /** Length of the header without options, in bytes. */
    public static final int MIN_LENGTH = 20;

    private TcpHeader()
    {
    }
}
