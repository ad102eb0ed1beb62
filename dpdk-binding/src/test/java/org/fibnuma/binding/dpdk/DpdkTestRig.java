package org.fibnuma.binding.dpdk;

import org.fibnuma.core.frame.FrameBatch;
import org.fibnuma.core.frame.FramePool;
import org.fibnuma.core.memory.MemoryRegion;
import org.fibnuma.core.port.Port;
import org.fibnuma.core.port.PortRequest;
import org.fibnuma.core.port.PortSettings;
import org.fibnuma.core.port.Ports;

import java.util.ArrayList;
import java.util.List;

import static org.junit.jupiter.api.Assertions.assertEquals;

/** Frame memory and the ports of a test over it, which all have the same pools. */
final class DpdkTestRig implements AutoCloseable
{
    /** Frames of a worker. */
    static final int POOL = 8192;
    /** Descriptors of a queue. */
    static final int RING = 128;

    private final List<FramePool> pools = new ArrayList<>();
    private final List<Port> ports = new ArrayList<>();
    private MemoryRegion region;

    /** Makes the memory; before the first port. */
    void allocate(final int chunkSize, final int workers)
    {
        region = MemoryRegion.ofChunks(workers * POOL, chunkSize);
        for (int worker = 0; worker < workers; worker++)
        {
            pools.add(new FramePool(region, chunkSize, worker * POOL, POOL));
        }
    }

    /** Where the first chunk lies. */
    long address()
    {
        return region.address();
    }

    FramePool pool(final int worker)
    {
        return pools.get(worker);
    }

    Port open(final String device)
    {
        return open(device, RING);
    }

    /** With another number of descriptors of a queue. */
    Port open(final String device, final int ring)
    {
        final Port port = Ports.open(
            new PortRequest("p", device, ports.size(), pools, new PortSettings(ring, ring, 0, 64, true)));
        ports.add(port);
        return port;
    }

    /** Gives the frames of a batch back to the first worker, and clears it. */
    void release(final FrameBatch batch)
    {
        for (int i = 0; i < batch.size(); i++)
        {
            pools.get(0).release(batch.handle(i));
        }
        batch.clear();
    }

    /** Closes the ports and counts. */
    void assertNothingLost()
    {
        closePorts();
        for (final FramePool pool : pools)
        {
            assertEquals(pool.capacity(), pool.available());
        }
    }

    private void closePorts()
    {
        ports.forEach(Port::close);
        ports.clear();
    }

    @Override
    public void close()
    {
        closePorts();
        if (region != null)
        {
            region.close();
        }
    }
}
