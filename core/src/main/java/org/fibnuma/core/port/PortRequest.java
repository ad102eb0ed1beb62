package org.fibnuma.core.port;

import org.fibnuma.core.frame.FramePool;

import java.util.List;

/**
 * What a port needs to know to open.
 *
 * @param name     that the configuration gives it.
 * @param device   what follows the scheme: an interface, a name, files.
 * @param index    of the port in its router: what it writes into a batch as ingress port.
 * @param pools    one for each worker, all in one region; queue {@code i} uses pool {@code i}.
 * @param settings of the port's rings.
 */
public record PortRequest(String name, String device, int index, List<FramePool> pools, PortSettings settings)
{
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
