package org.fibnuma.binding.dpdk;

import org.agrona.UnsafeApi;
import org.fibnuma.binding.dpdk.eal.FunctionPointer;
import org.fibnuma.binding.dpdk.layout.MemifLayout;
import org.fibnuma.binding.libc.NativeText;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Keeps memif's driver from unmapping the rings while a burst uses them. When a peer ends, DPDK's interrupt thread
 * takes the connection down ({@code memif_disconnect} of memif_socket.c): it clears the flag of a connection, takes and
 * gives back a lock for the control channel, and unmaps the shared memory. Bursts look at the flag once and take no
 * lock, so that the memory can go under them. With that lock held during each burst, and the flag seen to be set under
 * it, it cannot: the driver waits for the end of the burst, and there is none after.
 * <p>
 * Any thread. Workers take turns, since the device has one lock.
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

    /** Whether arguments of a device are for this driver. */
    static boolean isMemif(final String arguments)
    {
        return arguments.startsWith(DRIVER);
    }

    /**
     * That of a device.
     *
     * @param device    what its driver keeps of it, or 0.
     * @param arguments that it was made with.
     * @return null where the device's memory does not say the same as the arguments, so that another layout is likely.
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

    /** What the driver keeps of the device. */
    long device()
    {
        return device;
    }

    /**
     * Before a burst.
     *
     * @return false where there is no peer, so that there must be no burst; true until {@link #leave}.
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
     * Receives or sends a burst, during which the peer's end does not take the rings away.
     *
     * @return as {@link FunctionPointer#burst}; 0 without a peer, as the driver yields then.
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

    /** After a burst: the driver may take the connection down. */
    void leave()
    {
        UnsafeApi.putIntRelease(null, lock, 0);
    }
}
