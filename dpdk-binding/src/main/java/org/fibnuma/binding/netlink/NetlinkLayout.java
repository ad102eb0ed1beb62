package org.fibnuma.binding.netlink;

/** Messages, attributes, errors and socket addresses (linux/netlink.h, Linux 6.1). */
public final class NetlinkLayout
{
    /** Netlink protocol: links, addresses, neighbours and routes. */
    public static final int NETLINK_ROUTE = 0;

    /** Netlink protocol: IPsec policies and states. */
    public static final int NETLINK_XFRM = 6;

    /** Netlink protocol: netfilter. */
    public static final int NETLINK_NETFILTER = 12;

    /** struct nlmsghdr: length of the message including this header, without padding; 32 bits. */
    public static final int LENGTH_OFFSET = 0;
    /** Type of the message; 16 bits. */
    public static final int TYPE_OFFSET = LENGTH_OFFSET + Integer.BYTES;
    /** {@code NLM_F_...}; 16 bits. */
    public static final int FLAGS_OFFSET = TYPE_OFFSET + Short.BYTES;
    /** Number of a request and its answer; 32 bits. */
    public static final int SEQUENCE_OFFSET = FLAGS_OFFSET + Short.BYTES;
    /** Port of the requesting socket; 32 bits. */
    public static final int PORT_ID_OFFSET = SEQUENCE_OFFSET + Integer.BYTES;
    /** Bytes before the payload. */
    public static final int HEADER_LENGTH = PORT_ID_OFFSET + Integer.BYTES;

    /** An answer: the request was refused, or accepted if the error number is 0. */
    public static final int NLMSG_ERROR = 2;
    /** A list is complete. */
    public static final int NLMSG_DONE = 3;
    /** Notifications were lost. */
    public static final int NLMSG_OVERRUN = 4;

    public static final int NLM_F_REQUEST = 0x01;
    /** Answer also when the request succeeds. */
    public static final int NLM_F_ACK = 0x04;
    /** The list changed while it was read. */
    public static final int NLM_F_DUMP_INTR = 0x10;
    /** Return the whole list. */
    public static final int NLM_F_DUMP = 0x300;
    /** Replace an existing object. */
    public static final int NLM_F_REPLACE = 0x100;
    /** Fail if the object exists. */
    public static final int NLM_F_EXCL = 0x200;
    /** Create the object if it does not exist. */
    public static final int NLM_F_CREATE = 0x400;
    /** Add after existing objects. */
    public static final int NLM_F_APPEND = 0x800;
    /** In an answer: the request is not quoted in full. */
    public static final int NLM_F_CAPPED = 0x100;
    /** In an answer: attributes follow. */
    public static final int NLM_F_ACK_TLVS = 0x200;

    /** struct nlmsgerr: negative error number, or 0; 32 bits. The header of the request follows. */
    public static final int ERROR_OFFSET = 0;
    /** Length before the quoted payload of the request, or before the attributes. */
    public static final int ERROR_LENGTH = ERROR_OFFSET + Integer.BYTES + HEADER_LENGTH;
    /** Attribute of an answer: the kernel's error message. */
    public static final int NLMSGERR_ATTR_MSG = 1;

    /** struct nlattr: length of the attribute including this header, without padding; 16 bits. */
    public static final int ATTRIBUTE_LENGTH_OFFSET = 0;
    /** Type of the attribute, with two flag bits on top; 16 bits. */
    public static final int ATTRIBUTE_TYPE_OFFSET = ATTRIBUTE_LENGTH_OFFSET + Short.BYTES;
    public static final int ATTRIBUTE_HEADER_LENGTH = ATTRIBUTE_TYPE_OFFSET + Short.BYTES;
    /** Flag of a type: the value consists of attributes. */
    public static final int NLA_F_NESTED = 0x8000;
    /** NLA_TYPE_MASK: the type without NLA_F_NESTED and NLA_F_NET_BYTEORDER. */
    public static final int ATTRIBUTE_TYPE_MASK = 0x3FFF;

    /** Option of {@code SOL_NETLINK}: receive the notifications of a group. */
    static final int NETLINK_ADD_MEMBERSHIP = 1;
    /** Option: do not receive the notifications of a group. */
    static final int NETLINK_DROP_MEMBERSHIP = 2;
    /**
     * Option: the kernel learns that this socket lost a notification. A sender that can repeat it then does so, as
     * connection tracking does with the end of a connection.
     */
    static final int NETLINK_BROADCAST_ERROR = 4;
    /** Option: do not quote requests in answers. */
    static final int NETLINK_CAP_ACK = 10;
    /** Option: add an error message to a refusal. */
    static final int NETLINK_EXT_ACK = 11;
    /** Option: apply the filters of dump requests. */
    static final int NETLINK_GET_STRICT_CHK = 12;

    /** struct sockaddr_nl: family, 16 bits; two bytes of padding follow. */
    static final int SOCKET_FAMILY_OFFSET = 0;
    /** Port of the socket; 0 is the kernel; 32 bits. */
    static final int SOCKET_PORT_ID_OFFSET = 4;
    /** Length including the mask of groups. */
    static final int SOCKET_ADDRESS_LENGTH = 12;

    private static final int ALIGNMENT = 4;

    private NetlinkLayout()
    {
    }

    /** Returns the next multiple of 4, as NLMSG_ALIGN and NLA_ALIGN do. */
    public static int align(final int length)
    {
        return length + ALIGNMENT - 1 & -ALIGNMENT;
    }
}
