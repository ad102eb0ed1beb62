package org.fibnuma.binding.netdevice;

import org.fibnuma.binding.libc.Errno;
import org.fibnuma.binding.libc.LibC;
import org.fibnuma.binding.libc.StructMemory;

/**
 * Polls whether an interface exists and has a link. The interface is in the network namespace of the thread that called
 * the constructor, whatever thread calls the methods. One thread at a time.
 */
public final class InterfaceState implements AutoCloseable
{
    private final int socket;
    private final StructMemory ifreq = new StructMemory(IfreqLayout.SIZE);

    /**
     * Opens a socket in the calling thread's network namespace.
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
     * Returns whether an interface has the name now: false after it was deleted, renamed or moved to another namespace.
     */
    public boolean exists()
    {
        return LibC.get().ioctl(socket, IfreqLayout.SIOCGIFINDEX, ifreq.address()) == 0 ||
            !Errno.ENODEV.is(Errno.last());
    }

    /**
     * Returns the index of the interface that has the name now, or 0 where there is none. An interface that was deleted
     * and created again has another index.
     */
    public int index()
    {
        return LibC.get().ioctl(socket, IfreqLayout.SIOCGIFINDEX, ifreq.address()) == 0 ?
            ifreq.getInt(IfreqLayout.VALUE_OFFSET) : 0;
    }

    /** Returns whether the interface is set up and has a carrier; false also where it does not exist. */
    public boolean isRunning()
    {
        return LibC.get().ioctl(socket, IfreqLayout.SIOCGIFFLAGS, ifreq.address()) == 0 &&
            (ifreq.getShort(IfreqLayout.VALUE_OFFSET) & IfreqLayout.IFF_RUNNING) != 0;
    }

    /** Returns the address as in {@link org.fibnuma.core.wire.MacAddress}; 0 where the interface does not exist. */
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
