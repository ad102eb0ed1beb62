package org.fibnuma.binding.netdevice;

import org.fibnuma.binding.libc.Errno;
import org.fibnuma.binding.libc.LibC;
import org.fibnuma.binding.libc.StructMemory;

/**
 * Reads the state of the interface that has a name, and of the interface that has an index. After interfaces were
 * renamed these may be two interfaces of the network namespace of the thread that called the constructor. One thread at
 * a time.
 */
public final class InterfaceState implements AutoCloseable
{
    private final int socket;
    private final String name;
    private final StructMemory ifreq = new StructMemory(IfreqLayout.SIZE);

    /**
     * Opens a socket in the calling thread's network namespace, for a name that {@link NetworkDevice#isName} accepts.
     *
     * @throws org.fibnuma.binding.libc.SystemCallException if the kernel refuses.
     */
    public InterfaceState(final String name)
    {
        this.name = name;
        socket = NetworkDevice.openSocket(LibC.get());
    }

    /**
     * Returns whether an interface has the name now; false after it was deleted, renamed or moved to another namespace.
     */
    public boolean exists()
    {
        return request(named(), IfreqLayout.SIOCGIFINDEX) || !Errno.ENODEV.is(Errno.last());
    }

    /**
     * Returns the index of the interface that has the name now, or 0 if there is none. An interface that was deleted
     * and created again has another index.
     */
    public int index()
    {
        return request(named(), IfreqLayout.SIOCGIFINDEX) ? ifreq.getInt(IfreqLayout.VALUE_OFFSET) : 0;
    }

    /** Returns whether the interface of the name is set up and has a carrier; false also if there is none. */
    public boolean isRunning()
    {
        return isRunning(named());
    }

    /** Returns whether an interface has an index now; false after it was deleted or moved. */
    public boolean exists(final int index)
    {
        return of(index) != null;
    }

    /** Returns whether the interface of an index is set up and has a carrier; false also if there is none. */
    public boolean isRunning(final int index)
    {
        return isRunning(of(index));
    }

    /**
     * Returns the address of the interface of an index in the format of {@link org.fibnuma.core.wire.MacAddress}, or 0
     * if there is none.
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

    /** Returns a request with the present name of the interface of an index; null if there is none. */
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
