package org.fibnuma.binding.libc;

/** Constants for sockets (linux/socket.h, asm-generic/socket.h, Linux 6.1). */
public final class SysSocket
{
    public static final int AF_UNIX = 1;
    public static final int AF_INET = 2;
    public static final int AF_INET6 = 10;
    public static final int AF_NETLINK = 16;
    public static final int AF_PACKET = 17;
    public static final int AF_XDP = 44;

    public static final int SOCK_DGRAM = 2;
    public static final int SOCK_RAW = 3;
    /** Not inherited by programs that this process starts. */
    public static final int SOCK_CLOEXEC = 0x80000;

    /** Options of any socket. */
    public static final int SOL_SOCKET = 1;
    /** Options of netlink sockets. */
    public static final int SOL_NETLINK = 270;
    /** Options of AF_XDP sockets. */
    public static final int SOL_XDP = 283;

    /** The pending error of the socket; reading it clears it. */
    public static final int SO_ERROR = 4;
    /** Size of the send buffer in bytes. */
    public static final int SO_SNDBUF = 7;
    /** Size of the receive buffer in bytes. */
    public static final int SO_RCVBUF = 8;
    /** Longest wait of a receive call, as a struct timeval. */
    public static final int SO_RCVTIMEO = 20;
    /** As {@link #SO_SNDBUF}, beyond the system's limit; needs CAP_NET_ADMIN. */
    public static final int SO_SNDBUFFORCE = 32;
    /** As {@link #SO_RCVBUF}, beyond the system's limit; needs CAP_NET_ADMIN. */
    public static final int SO_RCVBUFFORCE = 33;
    /** Time in us for which a system call polls the driver. */
    public static final int SO_BUSY_POLL = 46;
    /** Busy polling takes precedence over interrupts. */
    public static final int SO_PREFER_BUSY_POLL = 69;
    /** Largest number of frames for one busy poll. */
    public static final int SO_BUSY_POLL_BUDGET = 70;

    /** Read a message without removing it. */
    public static final int MSG_PEEK = 0x02;
    /** Return the true length of a datagram that is longer than the buffer. */
    public static final int MSG_TRUNC = 0x20;
    /** Do not block. */
    public static final int MSG_DONTWAIT = 0x40;

    private SysSocket()
    {
    }
}
