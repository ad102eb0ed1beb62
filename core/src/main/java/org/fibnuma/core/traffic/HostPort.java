package org.fibnuma.core.traffic;

import org.fibnuma.core.UserException;
import org.fibnuma.core.frame.FramePool;
import org.fibnuma.core.memory.MemoryRegion;
import org.fibnuma.core.port.Port;
import org.fibnuma.core.port.PortFilter;
import org.fibnuma.core.port.PortRequest;
import org.fibnuma.core.port.PortSettings;
import org.fibnuma.core.port.Ports;
import org.fibnuma.core.service.host.HostChanges;
import org.fibnuma.core.service.netns.NamespaceAccess;

import java.util.List;

/** An AF_XDP port with its own frame memory on a device of any network namespace. It sends and receives as a host. */
public final class HostPort implements AutoCloseable
{
    private static final int CHUNK_SIZE = 2048;
    private static final int CHUNKS = 8192;
    private static final PortSettings RINGS = new PortSettings(1024, 2048, 0, 64, false);

    private final MemoryRegion region = MemoryRegion.ofChunks(CHUNKS, CHUNK_SIZE);
    private final FramePool pool = new FramePool(region, CHUNK_SIZE, 0, CHUNKS);
    private final Port port;

    private HostPort(final String namespace, final String device, final PortFilter filter)
    {
        try
        {
            port = NamespaceAccess.load().call(namespace, () -> Ports.open(
                new PortRequest(
                    device, "xdp:" + device, 0, List.of(pool), RINGS, filter, HostChanges.unrecorded())));
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
     * @param namespace absolute path of the namespace file of the device.
     * @param device    name of the device in that namespace.
     * @throws UserException with one line for the user.
     */
    public static HostPort open(final String namespace, final String device)
    {
        return start(new HostPort(namespace, device, PortFilter.TRANSIT.withIpv6()));
    }

    /** Opens and starts a port, as {@link #open} does, that also receives PAUSE and PFC frames. */
    public static HostPort openWithPauses(final String namespace, final String device)
    {
        return start(new HostPort(namespace, device, PortFilter.TRANSIT.withIpv6().withMacControl()));
    }

    private static HostPort start(final HostPort host)
    {
        host.port.start();
        return host;
    }

    /** Returns the started port, which has one queue. */
    public Port port()
    {
        return port;
    }

    /** Returns the frame pool of queue 0, for the thread that uses the queue. */
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
