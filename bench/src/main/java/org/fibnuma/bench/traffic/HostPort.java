package org.fibnuma.bench.traffic;

import org.fibnuma.binding.libc.NetworkNamespace;
import org.fibnuma.core.UserException;
import org.fibnuma.core.frame.FramePool;
import org.fibnuma.core.memory.MemoryRegion;
import org.fibnuma.core.port.Port;
import org.fibnuma.core.port.PortRequest;
import org.fibnuma.core.port.PortSettings;
import org.fibnuma.core.port.Ports;

import java.util.List;

/**
 * An end of a cable over AF_XDP with frames of its own, in whatever network namespace: a host that is nothing but a
 * port, beside the kernel's.
 */
public final class HostPort implements AutoCloseable
{
    private static final int CHUNK_SIZE = 2048;
    private static final int CHUNKS = 8192;
    private static final PortSettings RINGS = new PortSettings(1024, 2048, 0, 64, false);
    private static final PortSettings RINGS_WITH_PAUSES = new PortSettings(1024, 2048, 0, 64, false, true, true);

    private final MemoryRegion region = MemoryRegion.ofChunks(CHUNKS, CHUNK_SIZE);
    private final FramePool pool = new FramePool(region, CHUNK_SIZE, 0, CHUNKS);
    private final Port port;

    private HostPort(final String namespace, final String device, final PortSettings settings)
    {
        try
        {
            port = NetworkNamespace.call(namespace, () -> Ports.open(
                new PortRequest(device, "xdp:" + device, 0, List.of(pool), settings)));
        }
        catch (final RuntimeException ex)
        {
            region.close();
            throw ex;
        }
    }

    /**
     * Opens and starts a port.
     *
     * @param namespace of the device, as for {@link NetworkNamespace#enter}.
     * @param device    its name there.
     * @return the port.
     * @throws UserException with one line for the user.
     */
    public static HostPort open(final String namespace, final String device)
    {
        return start(new HostPort(namespace, device, RINGS));
    }

    /**
     * As {@link #open}, and PAUSE and PFC frames are received too.
     *
     * @param namespace of the device, as for {@link NetworkNamespace#enter}.
     * @param device    its name there.
     * @return the port.
     * @throws UserException with one line for the user.
     */
    public static HostPort openWithPauses(final String namespace, final String device)
    {
        return start(new HostPort(namespace, device, RINGS_WITH_PAUSES));
    }

    private static HostPort start(final HostPort host)
    {
        host.port.start();
        return host;
    }

    /**
     * To send and receive by, queue 0.
     *
     * @return the started port.
     */
    public Port port()
    {
        return port;
    }

    /**
     * The frames of that queue, for the thread that uses it.
     *
     * @return its pool.
     */
    public FramePool pool()
    {
        return pool;
    }

    /** Detaches from the device. */
    @Override
    public void close()
    {
        port.close();
        region.close();
    }
}
