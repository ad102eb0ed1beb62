package org.fibnuma.binding.tun;

import org.fibnuma.binding.libc.Errno;
import org.fibnuma.binding.libc.Fcntl;
import org.fibnuma.binding.libc.LibC;
import org.fibnuma.binding.libc.StructMemory;
import org.fibnuma.binding.libc.SystemCallException;
import org.fibnuma.binding.netdevice.NetworkDevice;

/**
 * This process's end of a TUN or TAP interface: one file descriptor for each queue. The first descriptor makes the
 * interface if it is missing. The kernel then removes it with the last descriptor, also at the end of the process.
 */
final class TunDevice implements AutoCloseable
{
    /** Result of {@link org.fibnuma.core.port.PortProvider#whyFixed} for ports that make their interface. */
    static final String WHY_FIXED =
        "its interface in the kernel is made with the port and deleted with it, addresses and routes included";

    private final int[] fds;
    private final NetworkDevice device;
    private final boolean inherited;

    /**
     * Attaches to an interface in the calling thread's network namespace, which is made if it is missing.
     *
     * @param name   of the interface.
     * @param flags  {@code IFF_...} of {@link TunLayout}.
     * @param queues 1, or more with IFF_MULTI_QUEUE.
     * @throws SystemCallException if the kernel refuses; nothing stays open.
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
            // An existing interface keeps the offloads of the process that made it.
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

    /** Returns the properties of the interface at the time it was opened. */
    NetworkDevice device()
    {
        return device;
    }

    /** Returns whether the interface existed before, so that it stays. */
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
