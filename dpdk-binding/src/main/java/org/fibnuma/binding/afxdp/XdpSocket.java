package org.fibnuma.binding.afxdp;

import org.agrona.CloseHelper;
import org.fibnuma.binding.libc.Errno;
import org.fibnuma.binding.libc.LibC;
import org.fibnuma.binding.libc.StructMemory;
import org.fibnuma.binding.libc.SysSocket;
import org.fibnuma.binding.libc.SystemCallException;
import org.fibnuma.core.frame.FramePool;
import org.fibnuma.core.port.PortSettings;

import static org.fibnuma.binding.libc.SysSocket.SOL_SOCKET;
import static org.fibnuma.binding.libc.SysSocket.SOL_XDP;

/**
 * An AF_XDP socket with registered memory and four mapped rings. The control thread opens and closes it; the queues use
 * its rings.
 */
final class XdpSocket implements AutoCloseable
{
    private final LibC libC = LibC.get();
    private final PortSettings settings;
    private final int fd;
    private RingMapping rx;
    private RingMapping tx;
    private RingMapping fill;
    private RingMapping completion;
    private boolean open = true;
    private boolean isInterfaceDeleted;

    /**
     * Opens a socket with some rings that is not bound yet. The region of the pool becomes its memory.
     *
     * @throws SystemCallException if the kernel refuses; nothing stays open.
     */
    XdpSocket(final FramePool pool, final PortSettings settings)
    {
        this.settings = settings;
        this.fd = SystemCallException.check(
            libC.socket(SysSocket.AF_XDP, SysSocket.SOCK_RAW | SysSocket.SOCK_CLOEXEC, 0), "socket(AF_XDP)");
        try
        {
            registerMemory(pool);
            makeRings();
            widenTransmit(pool.chunkSize());
        }
        catch (final RuntimeException ex)
        {
            close();
            throw ex;
        }
    }

    /** Returns the number of entries of a FILL ring: enough for a full RX ring beside the free chunks. */
    static int fillSize(final PortSettings settings)
    {
        return 2 * settings.rxRingSize();
    }

    /** Enables polling of the driver by system calls, instead of interrupts. */
    void busyPoll()
    {
        option(SOL_SOCKET, SysSocket.SO_PREFER_BUSY_POLL, 1, "SO_PREFER_BUSY_POLL");
        option(SOL_SOCKET, SysSocket.SO_BUSY_POLL, settings.busyPollMicros(), "SO_BUSY_POLL");
        option(SOL_SOCKET, SysSocket.SO_BUSY_POLL_BUDGET, settings.busyPollBudget(), "SO_BUSY_POLL_BUDGET");
    }

    /** Binds to a queue of an interface, in zero-copy or copy mode; after a refusal it may be called again. */
    void bind(final int ifindex, final int queue, final boolean zeroCopy)
    {
        try (StructMemory address = new StructMemory(XdpLayout.SOCKADDR_SIZE))
        {
            address.putShort(XdpLayout.SOCKADDR_FAMILY_OFFSET, SysSocket.AF_XDP)
                .putShort(XdpLayout.SOCKADDR_FLAGS_OFFSET,
                    XdpLayout.XDP_USE_NEED_WAKEUP | (zeroCopy ? XdpLayout.XDP_ZEROCOPY : XdpLayout.XDP_COPY))
                .putInt(XdpLayout.SOCKADDR_IFINDEX_OFFSET, ifindex)
                .putInt(XdpLayout.SOCKADDR_QUEUE_ID_OFFSET, queue);
            SystemCallException.check(libC.bind(fd, address.address(), address.size()), "bind(AF_XDP)");
        }
    }

    boolean isZeroCopy()
    {
        try (StructMemory options = get(SOL_XDP, XdpLayout.XDP_OPTIONS, Integer.BYTES, "XDP_OPTIONS"))
        {
            return (options.getInt(0) & XdpLayout.XDP_OPTIONS_ZEROCOPY) != 0;
        }
    }

    /** Returns {@code struct xdp_statistics}, closed by the caller. */
    StructMemory statistics()
    {
        return get(SOL_XDP, XdpLayout.XDP_STATISTICS, XdpLayout.STATISTICS_SIZE, "XDP_STATISTICS");
    }

    /**
     * Returns whether the interface of the socket was deleted. That is the only error that the kernel sets on such a
     * socket (net/xdp/xsk.c, xsk_notifier, Linux 6.18). Reading it needs no lock that route changes hold.
     */
    boolean isInterfaceDeleted()
    {
        if (!isInterfaceDeleted)
        {
            try (StructMemory error = get(SOL_SOCKET, SysSocket.SO_ERROR, Integer.BYTES, "SO_ERROR"))
            {
                isInterfaceDeleted = Errno.ENETDOWN.is(error.getInt(0));
            }
        }
        return isInterfaceDeleted;
    }

    int fd()
    {
        return fd;
    }

    RingMapping rx()
    {
        return rx;
    }

    RingMapping tx()
    {
        return tx;
    }

    RingMapping fill()
    {
        return fill;
    }

    RingMapping completion()
    {
        return completion;
    }

    /** Closes the socket. The kernel then receives into none of its chunks. Further calls have no effect. */
    @Override
    public void close()
    {
        if (open)
        {
            open = false;
            libC.close(fd);
        }
        CloseHelper.closeAll(rx, tx, fill, completion);
    }

    private void registerMemory(final FramePool pool)
    {
        try (StructMemory umem = new StructMemory(XdpLayout.UMEM_SIZE))
        {
            umem.putLong(XdpLayout.UMEM_ADDR_OFFSET, pool.region().address())
                .putLong(XdpLayout.UMEM_LEN_OFFSET, pool.region().size())
                .putInt(XdpLayout.UMEM_CHUNK_SIZE_OFFSET, pool.chunkSize());
            SystemCallException.check(
                libC.setsockopt(fd, SOL_XDP, XdpLayout.XDP_UMEM_REG, umem.address(), umem.size()),
                "setsockopt(XDP_UMEM_REG)");
        }
    }

    private void makeRings()
    {
        final int fillSize = fillSize(settings);
        final int completionSize = settings.txRingSize();
        option(SOL_XDP, XdpLayout.XDP_UMEM_FILL_RING, fillSize, "XDP_UMEM_FILL_RING");
        option(SOL_XDP, XdpLayout.XDP_UMEM_COMPLETION_RING, completionSize, "XDP_UMEM_COMPLETION_RING");
        option(SOL_XDP, XdpLayout.XDP_RX_RING, settings.rxRingSize(), "XDP_RX_RING");
        option(SOL_XDP, XdpLayout.XDP_TX_RING, settings.txRingSize(), "XDP_TX_RING");
        try (StructMemory offsets = get(
            SOL_XDP, XdpLayout.XDP_MMAP_OFFSETS, XdpLayout.MMAP_OFFSETS_SIZE, "XDP_MMAP_OFFSETS"))
        {
            rx = new RingMapping(fd, XdpLayout.XDP_PGOFF_RX_RING,
                offsets, XdpLayout.MMAP_RX_OFFSET, settings.rxRingSize(), XdpLayout.DESC_SIZE);
            tx = new RingMapping(fd, XdpLayout.XDP_PGOFF_TX_RING,
                offsets, XdpLayout.MMAP_TX_OFFSET, settings.txRingSize(), XdpLayout.DESC_SIZE);
            fill = new RingMapping(fd, XdpLayout.XDP_UMEM_PGOFF_FILL_RING,
                offsets, XdpLayout.MMAP_FILL_OFFSET, fillSize, Long.BYTES);
            completion = new RingMapping(fd, XdpLayout.XDP_UMEM_PGOFF_COMPLETION_RING,
                offsets, XdpLayout.MMAP_COMPLETION_OFFSET, completionSize, Long.BYTES);
        }
    }

    /**
     * Allows one system call to send a whole ring in copy mode, by an option of Linux 6.17 and later; the default is 32
     * descriptors. Sizes the send buffer for it: the kernel counts twice the buffer for a small frame.
     */
    private void widenTransmit(final int chunkSize)
    {
        tryOption(SOL_XDP, XdpLayout.XDP_MAX_TX_SKB_BUDGET, settings.txRingSize());
        final int bytes = (int)Math.min(2L * settings.txRingSize() * chunkSize, Integer.MAX_VALUE / 2);
        if (!tryOption(SOL_SOCKET, SysSocket.SO_SNDBUFFORCE, bytes))
        {
            tryOption(SOL_SOCKET, SysSocket.SO_SNDBUF, bytes);
        }
    }

    private void option(final int level, final int option, final int value, final String name)
    {
        if (!tryOption(level, option, value))
        {
            SystemCallException.check(-1, "setsockopt(" + name + ")");
        }
    }

    private boolean tryOption(final int level, final int option, final int value)
    {
        final StructMemory memory = new StructMemory(Integer.BYTES).putInt(0, value);
        final int result = libC.setsockopt(fd, level, option, memory.address(), memory.size());
        memory.close();
        return result == 0;
    }

    private StructMemory get(final int level, final int option, final int size, final String name)
    {
        final StructMemory value = new StructMemory(size);
        try (StructMemory length = new StructMemory(Integer.BYTES))
        {
            length.putInt(0, size);
            SystemCallException.check(
                libC.getsockopt(fd, level, option, value.address(), length.address()), "getsockopt(" + name + ")");
            if (length.getInt(0) != size)
            {
                throw new IllegalStateException("getsockopt(" + name + ") has " + length.getInt(0) +
                    " bytes where Linux 5.9 and later have " + size);
            }
            return value;
        }
        catch (final RuntimeException ex)
        {
            value.close();
            throw ex;
        }
    }
}
