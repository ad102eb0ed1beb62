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
import java.util.function.Function;

/** A port with its own frame memory that sends and receives as a host: AF_XDP in any network namespace, or DPDK. */
public final class HostPort implements AutoCloseable
{
    private static final int CHUNK_SIZE = 2048;
    /** DPDK's mbuf and headroom are in the chunk too. */
    private static final int DPDK_CHUNK_SIZE = 2368;
    private static final int CHUNKS = 8192;
    private static final PortSettings RINGS = new PortSettings(1024, 2048, 0, 64, false);

    private final MemoryRegion region;
    private final FramePool pool;
    private final Port port;

    private HostPort(final int chunkSize, final Function<FramePool, Port> opener)
    {
        region = MemoryRegion.ofChunks(CHUNKS, chunkSize);
        pool = new FramePool(region, chunkSize, 0, CHUNKS);
        try
        {
            port = opener.apply(pool);
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
        return openXdp(namespace, device, PortFilter.TRANSIT.withIpv6());
    }

    /** Opens and starts a port, as {@link #open} does, that also receives PAUSE and PFC frames. */
    public static HostPort openWithPauses(final String namespace, final String device)
    {
        return openXdp(namespace, device, PortFilter.TRANSIT.withIpv6().withMacControl());
    }

    /**
     * Opens and starts a port of DPDK.
     *
     * @param name of the port, unique in this process.
     * @param vdev DPDK's description of the device.
     * @throws UserException with one line for the user.
     */
    public static HostPort openDpdk(final String name, final String vdev)
    {
        return start(new HostPort(DPDK_CHUNK_SIZE, pool -> Ports.open(
            new PortRequest(name, "dpdk:" + vdev, 0, List.of(pool), RINGS))));
    }

    private static HostPort openXdp(final String namespace, final String device, final PortFilter filter)
    {
        return start(new HostPort(CHUNK_SIZE, pool -> NamespaceAccess.load().call(namespace, () -> Ports.open(
            new PortRequest(device, "xdp:" + device, 0, List.of(pool), RINGS, filter, HostChanges.unrecorded())))));
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
