package org.fibnuma.binding.libc;

/** Numbers for sockets (linux/socket.h, asm-generic/socket.h, Linux 6.1). */
public final class SysSocket
{
    /** IPv4. */
    public static final int AF_INET = 2;
    /** Netlink. */
    public static final int AF_NETLINK = 16;
    /** Packet sockets. */
    public static final int AF_PACKET = 17;
    /** AF_XDP. */
    public static final int AF_XDP = 44;

    /** Datagrams. */
    public static final int SOCK_DGRAM = 2;
    /** Whatever the family means by raw. */
    public static final int SOCK_RAW = 3;
    /** Not inherited by programs that this process starts. */
    public static final int SOCK_CLOEXEC = 0x80000;

    /** Options of any socket. */
    public static final int SOL_SOCKET = 1;
    /** Options of netlink sockets. */
    public static final int SOL_NETLINK = 270;
    /** Options of AF_XDP sockets. */
    public static final int SOL_XDP = 283;

    /** The error that the socket has met since it was last asked. */
    public static final int SO_ERROR = 4;
    /** Bytes that may wait to be sent. */
    public static final int SO_SNDBUF = 7;
    /** Bytes that may wait to be received. */
    public static final int SO_RCVBUF = 8;
    /** How long a receive waits, as a struct timeval. */
    public static final int SO_RCVTIMEO = 20;
    /** As {@link #SO_SNDBUF}, beyond the system's limit; needs CAP_NET_ADMIN. */
    public static final int SO_SNDBUFFORCE = 32;
    /** As {@link #SO_RCVBUF}, beyond the system's limit; needs CAP_NET_ADMIN. */
    public static final int SO_RCVBUFFORCE = 33;
    /** How long the driver is polled in the caller's context, in us. */
    public static final int SO_BUSY_POLL = 46;
    /** Busy polling takes precedence over interrupts. */
    public static final int SO_PREFER_BUSY_POLL = 69;
    /** Frames for each busy poll. */
    public static final int SO_BUSY_POLL_BUDGET = 70;

    /** Look without taking. */
    public static final int MSG_PEEK = 0x02;
    /** Tell the true length of a datagram that is longer than the room. */
    public static final int MSG_TRUNC = 0x20;
    /** Never block. */
    public static final int MSG_DONTWAIT = 0x40;

    private SysSocket()
    {
    }
}
