package org.fibnuma.binding.afxdp;

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
 * One AF_XDP socket with its memory registered and its four rings mapped. Opened and closed by the control thread;
 * its rings belong to the queues made over them.
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
     * Opens a socket that is not bound yet.
     *
     * @param pool     whose region becomes its memory.
     * @param settings of its rings.
     * @throws SystemCallException where the kernel refuses; nothing stays open.
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

    /** How many entries a FILL ring has: enough for a full RX ring beside those waiting to be filled. */
    static int fillSize(final PortSettings settings)
    {
        return 2 * settings.rxRingSize();
    }

    /** Starts to poll the driver in the caller's context, instead of waiting for its interrupts. */
    void busyPoll()
    {
        option(SOL_SOCKET, SysSocket.SO_PREFER_BUSY_POLL, 1, "SO_PREFER_BUSY_POLL");
        option(SOL_SOCKET, SysSocket.SO_BUSY_POLL, settings.busyPollMicros(), "SO_BUSY_POLL");
        option(SOL_SOCKET, SysSocket.SO_BUSY_POLL_BUDGET, settings.busyPollBudget(), "SO_BUSY_POLL_BUDGET");
    }

    /**
     * Binds to a queue, in zero-copy mode where that is allowed and the driver has it.
     *
     * @param ifindex of the interface.
     * @param queue   of it.
     */
    void bind(final int ifindex, final int queue)
    {
        try (StructMemory address = new StructMemory(XdpLayout.SOCKADDR_SIZE))
        {
            address.putShort(XdpLayout.SOCKADDR_FAMILY_OFFSET, SysSocket.AF_XDP)
                .putShort(XdpLayout.SOCKADDR_FLAGS_OFFSET,
                    XdpLayout.XDP_USE_NEED_WAKEUP | (settings.allowZeroCopy() ? 0 : XdpLayout.XDP_COPY))
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

    /** {@code struct xdp_statistics}, to be closed by the caller. */
    StructMemory statistics()
    {
        return get(SOL_XDP, XdpLayout.XDP_STATISTICS, XdpLayout.STATISTICS_SIZE, "XDP_STATISTICS");
    }

    /**
     * Whether the interface that the socket was bound to has been deleted, which is the only error that the kernel
     * leaves at such a socket (net/xdp/xsk.c, xsk_notifier, Linux 6.18). To ask takes no lock that changes of routes
     * hold.
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

    /** The kernel receives into none of its chunks any more; harmless when repeated. */
    @Override
    public void close()
    {
        if (open)
        {
            open = false;
            libC.close(fd);
        }
        for (final RingMapping ring : new RingMapping[]{rx, tx, fill, completion})
        {
            if (ring != null)
            {
                ring.close();
            }
        }
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
     * Lets one system call send a whole ring in copy mode (Linux has 32 descriptors otherwise, and had no such option
     * before 6.17) and lets as much be on its way: the kernel counts two buffers' worth for a small frame.
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
