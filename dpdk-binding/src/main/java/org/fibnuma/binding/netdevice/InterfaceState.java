package org.fibnuma.binding.netdevice;

import org.fibnuma.binding.libc.Errno;
import org.fibnuma.binding.libc.LibC;
import org.fibnuma.binding.libc.StructMemory;

/**
 * Polls the interface that has a name, and the interface that has an index, which may be another one after interfaces
 * were renamed. Interfaces are in the network namespace of the thread that called the constructor, whatever thread
 * calls the methods. One thread at a time.
 */
public final class InterfaceState implements AutoCloseable
{
    private final int socket;
    private final String name;
    private final StructMemory ifreq = new StructMemory(IfreqLayout.SIZE);

    /**
     * Opens a socket in the calling thread's network namespace.
     *
     * @param name of the interface, which {@link NetworkDevice#isName} accepts.
     * @throws org.fibnuma.binding.libc.SystemCallException where the kernel refuses.
     */
    public InterfaceState(final String name)
    {
        this.name = name;
        socket = NetworkDevice.openSocket(LibC.get());
    }

    /**
     * Returns whether an interface has the name now: false after it was deleted, renamed or moved to another namespace.
     */
    public boolean exists()
    {
        return request(named(), IfreqLayout.SIOCGIFINDEX) || !Errno.ENODEV.is(Errno.last());
    }

    /**
     * Returns the index of the interface that has the name now, or 0 where there is none. An interface that was deleted
     * and created again has another index.
     */
    public int index()
    {
        return request(named(), IfreqLayout.SIOCGIFINDEX) ? ifreq.getInt(IfreqLayout.VALUE_OFFSET) : 0;
    }

    /** Returns whether the interface of the name is set up and has a carrier; false also where there is none. */
    public boolean isRunning()
    {
        return isRunning(named());
    }

    /** Returns whether an interface has an index now, whatever its name: false after it was deleted or moved. */
    public boolean exists(final int index)
    {
        return of(index) != null;
    }

    /** Returns whether the interface of an index is set up and has a carrier; false also where there is none. */
    public boolean isRunning(final int index)
    {
        return isRunning(of(index));
    }

    /**
     * Returns the address of the interface of an index, as in {@link org.fibnuma.core.wire.MacAddress}; 0 where there
     * is none.
     */
    public long macAddress(final int index)
    {
        return request(of(index), IfreqLayout.SIOCGIFHWADDR) ? NetworkDevice.macAddress(ifreq) : 0;
    }

    @Override
    public void close()
    {
        LibC.get().close(socket);
        ifreq.close();
    }

    private StructMemory named()
    {
        return ifreq.putString(IfreqLayout.NAME_OFFSET, name, IfreqLayout.NAME_SIZE);
    }

    /** Returns a request about the interface of an index, by the name that it has now; null where there is none. */
    private StructMemory of(final int index)
    {
        return request(ifreq.putInt(IfreqLayout.VALUE_OFFSET, index), IfreqLayout.SIOCGIFNAME) ? ifreq : null;
    }

    private boolean isRunning(final StructMemory about)
    {
        return request(about, IfreqLayout.SIOCGIFFLAGS) &&
            (ifreq.getShort(IfreqLayout.VALUE_OFFSET) & IfreqLayout.IFF_RUNNING) != 0;
    }

    private boolean request(final StructMemory about, final int number)
    {
        return about != null && LibC.get().ioctl(socket, number, about.address()) == 0;
    }
}
