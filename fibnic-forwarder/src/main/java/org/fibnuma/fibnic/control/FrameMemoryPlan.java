package org.fibnuma.fibnic.control;

import org.fibnuma.core.UserException;
import org.fibnuma.core.frame.FramePool;
import org.fibnuma.core.memory.MemoryRegion;
import org.fibnuma.core.port.Ports;
import org.fibnuma.core.port.fault.FaultPortProvider;
import org.fibnuma.fibnic.config.PortConfig;
import org.fibnuma.fibnic.config.RouterConfig;
import org.fibnuma.fibnic.config.WorkerConfig;
import org.fibnuma.fibnic.lossless.LosslessPort;
import org.fibnuma.pfc.wire.MacControl;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/** Computes number and size of a router's chunks. They suffice when all rings, FIFOs and queues are full. */
final class FrameMemoryPlan
{
    /** Holds a 1,500-byte packet with the headroom before it. */
    private static final int SMALLEST_FRAME_SIZE = 2048;

    /** Fragments, error messages and batches in process. */
    private static final int IN_FLIGHT = 1024;

    /** A smaller FILL ring of AF_XDP would be empty while the router reads frames from the receive ring. */
    private static final int FILL_PER_RECEIVE = 2;

    /** Bytes of the headers of a DPDK packet buffer and of the room that drivers leave before a frame. */
    private static final int BUFFER_HEADERS = 320;
    private static final String DPDK = "dpdk:";
    /** Devices that need chunks aligned to their size: UMEM, and PCI devices. */
    private static final Pattern ALIGNED = Pattern.compile("xdp:.*|dpdk:([0-9a-fA-F]{4}:)?[0-9a-fA-F]{2}:.*");

    private FrameMemoryPlan()
    {
    }

    /**
     * Replaces {@link WorkerConfig#FRAME_SIZE_OF_PORTS} by the largest size that a port needs for its MTU. A device
     * that cannot be read now is refused when its port is opened.
     */
    static RouterConfig withFrameSize(final RouterConfig config)
    {
        if (config.workers().frameSize() != WorkerConfig.FRAME_SIZE_OF_PORTS)
        {
            return config;
        }
        int size = SMALLEST_FRAME_SIZE;
        for (final PortConfig port : config.ports())
        {
            size = Math.max(size, chunkSizeOf(port, config));
        }
        return config.withFrameSize(size);
    }

    private static int chunkSizeOf(final PortConfig port, final RouterConfig config)
    {
        try
        {
            return Ports.chunkSize(FaultPortProvider.underlying(port.device()), config.rings());
        }
        catch (final UserException ignore)
        {
            return 0;
        }
    }

    /** Returns the chunks of each worker, with those of spare ports and of one more port, which leads to the kernel. */
    static int framesPerWorker(final RouterConfig config)
    {
        if (config.workers().framesPerWorker() > 0)
        {
            return config.workers().framesPerWorker();
        }
        final int ports = config.ports().size() + config.sparePlaces() + 1;
        final int ringFrames =
            ports * (FILL_PER_RECEIVE * config.rings().rxRingSize() + config.rings().txRingSize());
        return ringFrames + ports * ports * config.limits().egressFifoDepth() + config.limits().holdFrames() +
            IN_FLIGHT + losslessFrames(config);
    }

    /** Frames for eight FIFOs instead of one, and for the headroom of the lossless priorities. */
    private static int losslessFrames(final RouterConfig config)
    {
        if (!config.isLossless())
        {
            return 0;
        }
        final int ports = config.ports().size();
        int frames = (MacControl.PRIORITIES - 1) * (ports + 1) * ports * config.limits().egressFifoDepth();
        for (final PortConfig port : config.ports())
        {
            frames += Integer.bitCount(config.pfc().losslessPriorities()) *
                LosslessPort.mostFrames(config.pfc().linkOf(port.name()));
        }
        return frames;
    }

    /**
     * Returns the bytes from one chunk to the next. With virtual DPDK devices and no device of {@link #ALIGNED}, this
     * is an odd number of cache lines: otherwise the headers of all packet buffers would map to a few cache sets.
     */
    static int chunkSize(final RouterConfig config)
    {
        final int frameSize = config.workers().frameSize();
        final List<String> devices =
            config.ports().stream().map(port -> FaultPortProvider.underlying(port.device())).toList();
        final boolean aligned = devices.stream().anyMatch(device -> ALIGNED.matcher(device).matches());
        final boolean buffers = devices.stream().anyMatch(device -> device.startsWith(DPDK));
        return buffers && !aligned ? frameSize + BUFFER_HEADERS : frameSize;
    }

    /** Returns the memory of the workers, and behind it that of hosts in the same process. */
    static MemoryRegion region(final RouterConfig config, final int hostFrames)
    {
        return MemoryRegion.ofChunks(
            config.workers().count() * framesPerWorker(config) + hostFrames, chunkSize(config));
    }

    static FramePool hostPool(final RouterConfig config, final MemoryRegion region, final int hostFrames)
    {
        return new FramePool(
            region, chunkSize(config), config.workers().count() * framesPerWorker(config), hostFrames);
    }

    static List<FramePool> pools(final RouterConfig config, final MemoryRegion region)
    {
        final int frames = framesPerWorker(config);
        final List<FramePool> pools = new ArrayList<>();
        for (int worker = 0; worker < config.workers().count(); worker++)
        {
            pools.add(new FramePool(region, chunkSize(config), worker * frames, frames));
        }
        return pools;
    }
}
