package org.fibnuma.fibnic.control;

import org.fibnuma.core.frame.FramePool;
import org.fibnuma.core.memory.MemoryRegion;
import org.fibnuma.fibnic.config.RouterConfig;

import java.util.ArrayList;
import java.util.List;

/** How many frames a router needs: as many as all its rings, FIFOs and queues hold when they are full. */
final class FrameMemoryPlan
{
    /** Fragments, error messages and batches on their way. */
    private static final int IN_FLIGHT = 1024;

    /** AF_XDP's FILL ring has to be twice the receive ring, or it runs dry while frames are read from that. */
    private static final int FILL_PER_RECEIVE = 2;

    private FrameMemoryPlan()
    {
    }

    /** Chunks for each worker, with one port more than configured for the way to the kernel. */
    static int framesPerWorker(final RouterConfig config)
    {
        if (config.workers().framesPerWorker() > 0)
        {
            return config.workers().framesPerWorker();
        }
        final int ports = config.ports().size() + 1;
        final int ringFrames =
            ports * (FILL_PER_RECEIVE * config.rings().rxRingSize() + config.rings().txRingSize());
        return ringFrames + ports * ports * config.limits().egressFifoDepth() + config.limits().holdFrames() +
            IN_FLIGHT;
    }

    /** Memory for the workers, then for hosts in the same process. */
    static MemoryRegion region(final RouterConfig config, final int hostFrames)
    {
        return MemoryRegion.ofChunks(
            config.workers().count() * framesPerWorker(config) + hostFrames, config.workers().frameSize());
    }

    static FramePool hostPool(final RouterConfig config, final MemoryRegion region, final int hostFrames)
    {
        return new FramePool(
            region, config.workers().frameSize(), config.workers().count() * framesPerWorker(config), hostFrames);
    }

    static List<FramePool> pools(final RouterConfig config, final MemoryRegion region)
    {
        final int frames = framesPerWorker(config);
        final List<FramePool> pools = new ArrayList<>();
        for (int worker = 0; worker < config.workers().count(); worker++)
        {
            pools.add(new FramePool(region, config.workers().frameSize(), worker * frames, frames));
        }
        return pools;
    }
}
