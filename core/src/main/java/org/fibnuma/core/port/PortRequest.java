package org.fibnuma.core.port;

import org.fibnuma.core.frame.FramePool;
import org.fibnuma.core.host.HostChanges;

import java.util.List;

/**
 * What a port needs to know to open.
 *
 * @param name     that the configuration gives it.
 * @param device   what follows the scheme: an interface, a name, files.
 * @param index    of the port in its router: what it writes into a batch as ingress port.
 * @param pools    one for each worker, all in one region; queue {@code i} uses pool {@code i}.
 * @param settings of the port's rings.
 * @param changes  where the port writes down what it changes on an interface, before it does.
 */
public record PortRequest(
    String name, String device, int index, List<FramePool> pools, PortSettings settings, HostChanges changes)
{
    /**
     * A request of a tool, which leaves no record of what its ports change.
     *
     * @param name     that the configuration gives it.
     * @param device   what follows the scheme.
     * @param index    of the port.
     * @param pools    one for each worker, all in one region.
     * @param settings of the port's rings.
     */
    public PortRequest(
        final String name,
        final String device,
        final int index,
        final List<FramePool> pools,
        final PortSettings settings)
    {
        this(name, device, index, pools, settings, HostChanges.unrecorded());
    }

    /**
     * The same for another device.
     *
     * @param other what takes the place of {@link #device}.
     * @return the request.
     */
    public PortRequest withDevice(final String other)
    {
        return new PortRequest(name, other, index, pools, settings, changes);
    }

    /**
     * How many queues are asked for: one for each worker.
     *
     * @return 1 or more.
     */
    public int queueCount()
    {
        return pools.size();
    }
}
