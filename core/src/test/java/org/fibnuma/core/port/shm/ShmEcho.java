package org.fibnuma.core.port.shm;

import org.fibnuma.core.frame.FrameBatch;
import org.fibnuma.core.frame.FramePool;
import org.fibnuma.core.memory.MemoryRegion;
import org.fibnuma.core.port.Port;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Echoes every frame that an end of a link receives, for a minute or until it is killed. */
public final class ShmEcho
{
    private ShmEcho()
    {
    }

    /**
     * Opens the end, prints {@code r} and echoes.
     *
     * @param arguments the device.
     */
    public static void main(final String[] arguments)
    {
        final FrameBatch batch = new FrameBatch();
        final long end = System.nanoTime() + TimeUnit.MINUTES.toNanos(1);
        try (MemoryRegion region = MemoryRegion.ofChunks(ShmLinkTest.CHUNKS, ShmLinkTest.CHUNK);
            Port port = ShmLinkTest.open(
                arguments[0], new FramePool(region, ShmLinkTest.CHUNK, 0, ShmLinkTest.CHUNKS), ShmLinkTest.RING))
        {
            port.start();
            System.out.print('r');
            System.out.flush();
            while (System.nanoTime() - end < 0)
            {
                batch.clear();
                if (port.rxQueue(0).receive(batch) == 0)
                {
                    LockSupport.parkNanos(TimeUnit.MICROSECONDS.toNanos(20));
                }
                for (int i = 0; i < batch.size(); i++)
                {
                    port.txQueue(0).offer(batch.handle(i), batch.address(i), batch.length(i));
                }
                port.txQueue(0).flush();
            }
        }
    }
}
