package org.fibnuma.binding.fpm;

/** Header of a frame of the forwarding plane manager interface (fpm/fpm.h, FRR 8.4). */
final class FpmLayout
{
    /** Version of the protocol; 8 bits. */
    static final int VERSION_OFFSET = 0;
    /** Type of the payload; 8 bits. */
    static final int TYPE_OFFSET = VERSION_OFFSET + Byte.BYTES;
    /** Length of the frame including this header; 16 bits in network order. */
    static final int LENGTH_OFFSET = TYPE_OFFSET + Byte.BYTES;
    /** Bytes before the payload. */
    static final int HEADER_LENGTH = LENGTH_OFFSET + Short.BYTES;

    static final int VERSION = 1;
    /** The payload consists of netlink messages. */
    static final int TYPE_NETLINK = 1;
    /** The payload is of zebra's older module {@code fpm}, encoded by protobuf. */
    static final int TYPE_PROTOBUF = 2;

    static final int MAX_LENGTH = 0xFFFF;

    private FpmLayout()
    {
    }
}
