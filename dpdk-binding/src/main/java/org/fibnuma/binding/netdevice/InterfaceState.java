package org.fibnuma.binding.netdevice;

import org.fibnuma.binding.libc.Errno;
import org.fibnuma.binding.libc.LibC;
import org.fibnuma.binding.libc.StructMemory;

/**
 * Whether an interface is there and has a link, asked again and again: of the network namespace of the thread that made
 * this, whatever thread uses it then. One thread at a time.
 */
public final class InterfaceState implements AutoCloseable
{
    private final int socket;
    private final StructMemory ifreq = new StructMemory(IfreqLayout.SIZE);

    /**
     * For an interface of the calling thread's network namespace.
     *
     * @param name of the interface, which {@link NetworkDevice#isName} accepts.
     * @throws org.fibnuma.binding.libc.SystemCallException where the kernel refuses.
     */
    public InterfaceState(final String name)
    {
        socket = NetworkDevice.openSocket(LibC.get());
        ifreq.putString(IfreqLayout.NAME_OFFSET, name, IfreqLayout.NAME_SIZE);
    }

    /**
     * Whether there is an interface of the name now.
     *
     * @return false after it was deleted or renamed, or moved to another namespace.
     */
    public boolean exists()
    {
        return LibC.get().ioctl(socket, IfreqLayout.SIOCGIFINDEX, ifreq.address()) == 0 ||
            !Errno.ENODEV.is(Errno.last());
    }

    /**
     * The index of the interface that has the name now: one that was deleted and made again has another.
     *
     * @return above 0, or 0 where there is none.
     */
    public int index()
    {
        return LibC.get().ioctl(socket, IfreqLayout.SIOCGIFINDEX, ifreq.address()) == 0 ?
            ifreq.getInt(IfreqLayout.VALUE_OFFSET) : 0;
    }

    /**
     * Whether it is set up and has a carrier.
     *
     * @return false too where it is not there.
     */
    public boolean isRunning()
    {
        return LibC.get().ioctl(socket, IfreqLayout.SIOCGIFFLAGS, ifreq.address()) == 0 &&
            (ifreq.getShort(IfreqLayout.VALUE_OFFSET) & IfreqLayout.IFF_RUNNING) != 0;
    }

    /**
     * Its link-layer address now.
     *
     * @return as in {@link org.fibnuma.core.wire.MacAddress}; 0 where it is not there.
     */
    public long macAddress()
    {
        return LibC.get().ioctl(socket, IfreqLayout.SIOCGIFHWADDR, ifreq.address()) == 0 ?
            NetworkDevice.macAddress(ifreq) : 0;
    }

    @Override
    public void close()
    {
        LibC.get().close(socket);
        ifreq.close();
    }
}
