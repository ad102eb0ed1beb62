package org.fibnuma.binding.tun;

import org.fibnuma.binding.libc.Errno;
import org.fibnuma.binding.libc.Fcntl;
import org.fibnuma.binding.libc.LibC;
import org.fibnuma.binding.libc.StructMemory;
import org.fibnuma.binding.libc.SystemCallException;
import org.fibnuma.binding.netdevice.NetworkDevice;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * An IP tunnel interface that goes away when it is closed (linux/if_tun.h, Linux 6.1). The kernel accepts packets
 * from it whatever interface their sender is reached through.
 */
final class TunDevice implements AutoCloseable
{
    private static final String CLONE_DEVICE = "/dev/net/tun";
    private static final long TUNSETIFF = 0x400454CAL;
    private static final int IFF_TUN = 0x0001;
    private static final int IFF_NO_PI = 0x1000;
    /** {@code struct ifreq}: IFNAMSIZ bytes of name, then the flags. */
    private static final int IFREQ_SIZE = 40;
    private static final int NAME_SIZE = 16;

    private static final Path IPV4_SETTINGS = Path.of("/proc/sys/net/ipv4/conf");
    private static final String REVERSE_PATH_FILTER = "rp_filter";
    private static final String NO_FILTER = "0";
    private static final String LOOSE_FILTER = "2";
    /** 192.0.0.8, the IPv4 dummy address of RFC 7600: never seen on a wire. */
    private static final int DUMMY_ADDRESS = 0xC000_0008;

    private final int fd;
    private final int index;
    private final int mtu;

    /**
     * Makes an interface in the calling thread's network namespace and sets it up.
     *
     * @param name of the interface.
     * @throws SystemCallException  where the kernel refuses; nothing stays open.
     * @throws UncheckedIOException where the kernel's settings cannot be changed; nothing stays open.
     */
    TunDevice(final String name)
    {
        final LibC libC = LibC.get();
        this.fd = SystemCallException.check(
            libC.open(CLONE_DEVICE, Fcntl.O_RDWR | Fcntl.O_NONBLOCK | Fcntl.O_CLOEXEC, 0), "open " + CLONE_DEVICE);
        try (StructMemory ifreq = new StructMemory(IFREQ_SIZE))
        {
            ifreq.putString(0, name, NAME_SIZE).putShort(NAME_SIZE, IFF_TUN | IFF_NO_PI);
            SystemCallException.check(libC.ioctl(fd, TUNSETIFF, ifreq.address()), "ioctl(TUNSETIFF)");
            acceptAnySource(name);
            NetworkDevice.setUp(name);
            final NetworkDevice device = NetworkDevice.read(name);
            if (device == null)
            {
                throw new SystemCallException("interface " + name, Errno.ENODEV.number(), "");
            }
            this.index = device.index();
            this.mtu = device.mtu();
        }
        catch (final RuntimeException ex)
        {
            close();
            throw ex;
        }
    }

    int fd()
    {
        return fd;
    }

    int index()
    {
        return index;
    }

    int mtu()
    {
        return mtu;
    }

    @Override
    public void close()
    {
        LibC.get().close(fd);
    }

    /**
     * The kernel applies the larger of an interface's reverse path filter and that of "all". Loose (2) is above
     * strict (1) and accepts whatever has a route, on an interface that has an address.
     */
    private static void acceptAnySource(final String name)
    {
        try
        {
            final Path all = IPV4_SETTINGS.resolve("all").resolve(REVERSE_PATH_FILTER);
            final boolean unfiltered = NO_FILTER.equals(Files.readString(all).strip());
            Files.writeString(
                IPV4_SETTINGS.resolve(name).resolve(REVERSE_PATH_FILTER), unfiltered ? NO_FILTER : LOOSE_FILTER);
            if (!unfiltered)
            {
                NetworkDevice.setHostAddress(name, DUMMY_ADDRESS);
            }
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
    }
}
