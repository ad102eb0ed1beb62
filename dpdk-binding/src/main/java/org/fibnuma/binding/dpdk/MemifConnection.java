package org.fibnuma.binding.dpdk;

import org.agrona.UnsafeApi;
import org.fibnuma.binding.dpdk.eal.FunctionPointer;
import org.fibnuma.binding.dpdk.layout.MemifLayout;
import org.fibnuma.binding.libc.NativeText;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Prevents memif's driver from unmapping the rings during a burst. When a peer ends, DPDK's interrupt thread
 * disconnects ({@code memif_disconnect} of memif_socket.c): it clears the connected flag, acquires and releases the
 * lock of the control channel, and unmaps the shared memory. The driver's burst functions read the flag once and
 * acquire no lock, so the memory may be unmapped during a burst. This class holds the lock during each burst and checks
 * the flag under it: the driver waits for the end of the burst, and no burst follows.
 * <p>
 * Any thread. One worker at a time can be in a burst, because the device has one lock.
 */
final class MemifConnection
{
    private static final String DRIVER = "net_memif";
    private static final Pattern ID = Pattern.compile(",id=(\\d+)");
    /** ETH_MEMIF_DEFAULT_SOCKET_FILENAME. */
    private static final String DEFAULT_SOCKET = "/run/memif.sock";
    private static final Pattern SOCKET = Pattern.compile(",socket=([^,]+)");

    private final long device;
    private final long flags;
    private final long lock;

    private MemifConnection(final long device)
    {
        this.device = device;
        this.flags = device + MemifLayout.FLAGS_OFFSET;
        this.lock = device + MemifLayout.LOCK_OFFSET;
    }

    /** Returns whether a device's arguments are for this driver. */
    static boolean isMemif(final String arguments)
    {
        return arguments.startsWith(DRIVER);
    }

    /**
     * Returns the connection of a device with some arguments, by the address of the driver's private data or 0. Null if
     * the memory differs from the arguments, because its layout is unknown.
     */
    static MemifConnection of(final long device, final String arguments)
    {
        if (device == 0)
        {
            return null;
        }
        final Matcher id = ID.matcher(arguments);
        final Matcher socket = SOCKET.matcher(arguments);
        final long file = UnsafeApi.getLong(device + MemifLayout.SOCKET_FILENAME_OFFSET);
        final int role = MemifSocket.isServer(arguments) ? MemifLayout.ROLE_SERVER : MemifLayout.ROLE_CLIENT;
        final boolean isKnown =
            UnsafeApi.getInt(device + MemifLayout.ID_OFFSET) == (id.find() ? Integer.parseInt(id.group(1)) : 0) &&
            UnsafeApi.getInt(device + MemifLayout.ROLE_OFFSET) == role &&
            (UnsafeApi.getInt(device + MemifLayout.LOCK_OFFSET) & ~1) == 0 &&
            file != 0 && NativeText.zeroTerminatedAt(file).equals(socket.find() ? socket.group(1) : DEFAULT_SOCKET);
        return isKnown ? new MemifConnection(device) : null;
    }

    /** Returns the address of the driver's private data. */
    long device()
    {
        return device;
    }

    /**
     * Acquires the lock before a burst. Returns false without the lock if there is no peer: a burst is then not
     * allowed.
     */
    boolean enter()
    {
        while (isConnected())
        {
            if (UnsafeApi.compareAndSetInt(null, lock, 0, 1))
            {
                if (isConnected())
                {
                    return true;
                }
                leave();
            }
            Thread.onSpinWait();
        }
        return false;
    }

    private boolean isConnected()
    {
        return (UnsafeApi.getIntVolatile(null, flags) & MemifLayout.FLAG_CONNECTED) != 0;
    }

    /**
     * Receives or sends a burst as {@link FunctionPointer#burst}; the rings stay mapped. Returns 0 without a peer, as
     * the driver does.
     */
    int burst(final long function, final long queue, final long mbufs, final int count)
    {
        if (!enter())
        {
            return 0;
        }
        try
        {
            return FunctionPointer.burst(function, queue, mbufs, count);
        }
        finally
        {
            leave();
        }
    }

    /** Releases the lock after a burst. */
    void leave()
    {
        UnsafeApi.putIntRelease(null, lock, 0);
    }
}
