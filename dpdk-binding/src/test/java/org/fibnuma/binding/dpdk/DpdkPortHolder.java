package org.fibnuma.binding.dpdk;

import org.fibnuma.core.frame.FrameBatch;
import org.fibnuma.core.frame.FramePool;
import org.fibnuma.core.memory.MemoryRegion;
import org.fibnuma.core.port.Port;
import org.fibnuma.core.port.PortRequest;
import org.fibnuma.core.port.PortSettings;
import org.fibnuma.core.port.Ports;

import java.io.IOException;
import java.util.List;

/** A process that forwards from a DPDK port to itself until it is killed or reads a line. */
final class DpdkPortHolder
{
    private static final int CHUNKS = 1024;
    private static final int CHUNK_SIZE = 4096;
    private static final long LIFE_NS = 60_000_000_000L;

    private DpdkPortHolder()
    {
    }

    /**
     * Opens a port and sends what it receives.
     *
     * @param arguments the device, and whether there is telemetry.
     * @throws IOException where its input fails.
     */
    public static void main(final String[] arguments) throws IOException
    {
        System.setProperty("fibnuma.dpdk.telemetry", arguments[1]);
        final MemoryRegion region = MemoryRegion.ofChunks(CHUNKS, CHUNK_SIZE);
        final FramePool pool = new FramePool(region, CHUNK_SIZE, 0, CHUNKS);
        final Port port = Ports.open(
            new PortRequest("held", arguments[0], 0, List.of(pool), new PortSettings(64, 64, 0, 64, true)));
        port.start();
        System.out.println("ready");
        final FrameBatch batch = new FrameBatch();
        final long end = System.nanoTime() + LIFE_NS;
        while (System.nanoTime() - end < 0 && System.in.available() == 0)
        {
            batch.clear();
            port.rxQueue(0).receive(batch);
            for (int i = port.txQueue(0).offer(batch, 0, batch.size()); i < batch.size(); i++)
            {
                pool.release(batch.handle(i));
            }
            port.txQueue(0).flush();
            Thread.yield();
        }
        port.close();
        region.close();
    }
}
