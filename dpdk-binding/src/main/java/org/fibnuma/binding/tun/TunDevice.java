package org.fibnuma.binding.tun;

import org.fibnuma.binding.libc.Errno;
import org.fibnuma.binding.libc.Fcntl;
import org.fibnuma.binding.libc.LibC;
import org.fibnuma.binding.libc.StructMemory;
import org.fibnuma.binding.libc.SystemCallException;
import org.fibnuma.binding.netdevice.NetworkDevice;

/**
 * Our end of a TUN or TAP interface: one file descriptor for each queue. The interface is made by the first and goes
 * with the last, however the process ends, unless it was there before.
 */
final class TunDevice implements AutoCloseable
{
    /** {@link org.fibnuma.core.port.PortProvider#whyFixed} of ports with an interface of their own. */
    static final String WHY_FIXED =
        "its interface in the kernel is made with the port and deleted with it, addresses and routes included";

    private final int[] fds;
    private final NetworkDevice device;
    private final boolean inherited;

    /**
     * Attaches to an interface in the calling thread's network namespace, which is made where there is none.
     *
     * @param name   of the interface.
     * @param flags  {@code IFF_...} of {@link TunLayout}.
     * @param queues 1, or more with IFF_MULTI_QUEUE.
     * @throws SystemCallException where the kernel refuses; nothing stays open.
     */
    TunDevice(final String name, final int flags, final int queues)
    {
        this.fds = new int[queues];
        this.inherited = NetworkDevice.read(name) != null;
        int opened = 0;
        try (StructMemory ifreq = new StructMemory(TunLayout.IFREQ_SIZE))
        {
            while (opened < queues)
            {
                fds[opened] = SystemCallException.check(
                    LibC.get().open(
                        TunLayout.CLONE_DEVICE, Fcntl.O_RDWR | Fcntl.O_NONBLOCK | Fcntl.O_CLOEXEC, 0),
                    "open " + TunLayout.CLONE_DEVICE);
                opened++;
                ifreq.putString(TunLayout.NAME_OFFSET, name, TunLayout.NAME_SIZE)
                    .putShort(TunLayout.FLAGS_OFFSET, flags);
                SystemCallException.check(
                    LibC.get().ioctl(fds[opened - 1], TunLayout.TUNSETIFF, ifreq.address()), "ioctl(TUNSETIFF)");
            }
            // An interface that was there keeps what the process before us took upon itself.
            SystemCallException.check(
                LibC.get().ioctl(fds[0], TunLayout.TUNSETOFFLOAD, TunLayout.NO_OFFLOADS), "ioctl(TUNSETOFFLOAD)");
            this.device = NetworkDevice.read(name);
            if (device == null)
            {
                throw new SystemCallException("interface " + name, Errno.ENODEV.number(), "");
            }
        }
        catch (final RuntimeException ex)
        {
            close(opened);
            throw ex;
        }
    }

    int fd(final int queue)
    {
        return fds[queue];
    }

    int queueCount()
    {
        return fds.length;
    }

    /** The interface as it was when it was opened. */
    NetworkDevice device()
    {
        return device;
    }

    /** Returns whether the interface was there before, and will stay. */
    boolean isInherited()
    {
        return inherited;
    }

    @Override
    public void close()
    {
        close(fds.length);
    }

    private void close(final int count)
    {
        for (int i = 0; i < count; i++)
        {
            LibC.get().close(fds[i]);
        }
    }
}
