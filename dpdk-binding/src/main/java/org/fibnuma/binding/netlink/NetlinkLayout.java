package org.fibnuma.binding.netlink;

/** Messages, attributes, errors and socket addresses (linux/netlink.h, Linux 6.1). */
public final class NetlinkLayout
{
    /** Protocol of a netlink socket: links, addresses, neighbours and routes. */
    public static final int NETLINK_ROUTE = 0;

    /** Protocol of a netlink socket: netfilter. */
    public static final int NETLINK_NETFILTER = 12;

    /** struct nlmsghdr: bytes of the message with this header, without padding; 32 bits. */
    public static final int LENGTH_OFFSET = 0;
    /** What the message is; 16 bits. */
    public static final int TYPE_OFFSET = LENGTH_OFFSET + Integer.BYTES;
    /** {@code NLM_F_...}; 16 bits. */
    public static final int FLAGS_OFFSET = TYPE_OFFSET + Short.BYTES;
    /** Number that ties an answer to its request; 32 bits. */
    public static final int SEQUENCE_OFFSET = FLAGS_OFFSET + Short.BYTES;
    /** Port of the asking socket; 32 bits. */
    public static final int PORT_ID_OFFSET = SEQUENCE_OFFSET + Integer.BYTES;
    /** Bytes before the payload. */
    public static final int HEADER_LENGTH = PORT_ID_OFFSET + Integer.BYTES;

    /** An answer: refused, or accepted where the error is 0. */
    public static final int NLMSG_ERROR = 2;
    /** A list is complete. */
    public static final int NLMSG_DONE = 3;
    /** Notifications were lost. */
    public static final int NLMSG_OVERRUN = 4;

    /** It is a request. */
    public static final int NLM_F_REQUEST = 0x01;
    /** Answer also when it succeeds. */
    public static final int NLM_F_ACK = 0x04;
    /** The list changed while it was read. */
    public static final int NLM_F_DUMP_INTR = 0x10;
    /** Give the whole list. */
    public static final int NLM_F_DUMP = 0x300;
    /** Takes the place of what there is. */
    public static final int NLM_F_REPLACE = 0x100;
    /** Only where there is none yet. */
    public static final int NLM_F_EXCL = 0x200;
    /** Make it where it is missing. */
    public static final int NLM_F_CREATE = 0x400;
    /** Beside what there is, behind it. */
    public static final int NLM_F_APPEND = 0x800;
    /** On an answer: the request is not quoted in full. */
    public static final int NLM_F_CAPPED = 0x100;
    /** On an answer: attributes follow. */
    public static final int NLM_F_ACK_TLVS = 0x200;

    /** struct nlmsgerr: negative error number, or 0; 32 bits. The header of the request follows. */
    public static final int ERROR_OFFSET = 0;
    /** Bytes before what is quoted of the request's payload, or before the attributes. */
    public static final int ERROR_LENGTH = ERROR_OFFSET + Integer.BYTES + HEADER_LENGTH;
    /** Attribute of an answer: what is wrong, in words. */
    public static final int NLMSGERR_ATTR_MSG = 1;

    /** struct nlattr: bytes of the attribute with this header, without padding; 16 bits. */
    public static final int ATTRIBUTE_LENGTH_OFFSET = 0;
    /** What the attribute is, with two flag bits on top; 16 bits. */
    public static final int ATTRIBUTE_TYPE_OFFSET = ATTRIBUTE_LENGTH_OFFSET + Short.BYTES;
    /** Bytes before the value. */
    public static final int ATTRIBUTE_HEADER_LENGTH = ATTRIBUTE_TYPE_OFFSET + Short.BYTES;
    /** NLA_TYPE_MASK: the type without NLA_F_NESTED and NLA_F_NET_BYTEORDER. */
    public static final int ATTRIBUTE_TYPE_MASK = 0x3FFF;

    /** Option of {@code SOL_NETLINK}: receive the notifications of a group. */
    static final int NETLINK_ADD_MEMBERSHIP = 1;
    /** Option: do not quote requests in answers. */
    static final int NETLINK_CAP_ACK = 10;
    /** Option: say in words why a request was refused. */
    static final int NETLINK_EXT_ACK = 11;
    /** Option: obey the filters in requests for lists. */
    static final int NETLINK_GET_STRICT_CHK = 12;

    /** struct sockaddr_nl: family, 16 bits; two bytes of padding follow. */
    static final int SOCKET_FAMILY_OFFSET = 0;
    /** Port of the socket; 0 is the kernel; 32 bits. */
    static final int SOCKET_PORT_ID_OFFSET = 4;
    /** Bytes, the mask of groups included. */
    static final int SOCKET_ADDRESS_LENGTH = 12;

    private static final int ALIGNMENT = 4;

    private NetlinkLayout()
    {
    }

    /**
     * NLMSG_ALIGN and NLA_ALIGN: where what follows begins.
     *
     * @param length in bytes.
     * @return the next multiple of 4.
     */
    public static int align(final int length)
    {
        return length + ALIGNMENT - 1 & -ALIGNMENT;
    }
}
