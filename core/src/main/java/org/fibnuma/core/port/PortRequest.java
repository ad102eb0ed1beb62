package org.fibnuma.core.port;

import org.fibnuma.core.frame.FramePool;
import org.fibnuma.core.service.host.HostChanges;

import java.util.List;

/**
 * Everything that is needed to open a port.
 *
 * @param name     name of the port in the configuration.
 * @param device   the part of the device after the scheme: an interface, a name, files.
 * @param index    index of the port in its router, from 0; received frames have it as their ingress port.
 * @param pools    one for each worker, all in one region; queue {@code i} uses pool {@code i}.
 * @param settings ring sizes and polling.
 * @param filter   frames that the application receives from an interface which the kernel uses too.
 * @param changes  record of changes to interfaces; the port writes to it before it changes one.
 */
public record PortRequest(
    String name,
    String device,
    int index,
    List<FramePool> pools,
    PortSettings settings,
    PortFilter filter,
    HostChanges changes)
{
    /**
     * Makes a request of a tool: for transit IPv4, without a record of the changes to interfaces. The device has its
     * scheme.
     */
    public PortRequest(
        final String name,
        final String device,
        final int index,
        final List<FramePool> pools,
        final PortSettings settings)
    {
        this(name, device, index, pools, settings, PortFilter.TRANSIT, HostChanges.unrecorded());
    }

    /** Returns this request for another device. */
    public PortRequest withDevice(final String other)
    {
        return new PortRequest(name, other, index, pools, settings, filter, changes);
    }

    /** Returns the number of queues, one for each worker. */
    public int queueCount()
    {
        return pools.size();
    }
}
