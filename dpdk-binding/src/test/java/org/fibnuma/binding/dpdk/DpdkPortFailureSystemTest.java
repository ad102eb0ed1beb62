package org.fibnuma.binding.dpdk;

import org.fibnuma.binding.afxdp.VethPair;
import org.fibnuma.binding.libc.NetworkNamespace;
import org.fibnuma.core.Require;
import org.fibnuma.core.frame.FrameBatch;
import org.fibnuma.core.frame.FramePool;
import org.fibnuma.core.memory.MemoryRegion;
import org.fibnuma.core.port.Port;
import org.fibnuma.core.port.PortRequest;
import org.fibnuma.core.port.PortSettings;
import org.fibnuma.core.port.Ports;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.TimeUnit;

import static org.junit.jupiter.api.Assertions.assertEquals;

/** What happens to a port when its device ends. */
class DpdkPortFailureSystemTest
{
    private static final int CHUNKS = 1024;
    private static final int CHUNK_SIZE = 4096;

    @Test
    void shouldGoOnWhenTheInterfaceIsTakenAway() throws IOException
    {
        Require.root();
        Require.program("ip", "iproute2");
        RequireDpdk.libraries();
        final VethPair veth = new VethPair(1);
        try (MemoryRegion region = MemoryRegion.ofChunks(CHUNKS, CHUNK_SIZE))
        {
            final FramePool pool = new FramePool(region, CHUNK_SIZE, 0, CHUNKS);
            final Port port = open(pool);
            final long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(1);
            final long removal = deadline - TimeUnit.MILLISECONDS.toNanos(700);
            boolean removed = false;
            while (System.nanoTime() < deadline)
            {
                turn(port, pool);
                if (!removed && System.nanoTime() > removal)
                {
                    VethPair.in(VethPair.NEAR, "ip", "link", "delete", VethPair.NEAR);
                    removed = true;
                }
            }
            port.close();
            assertEquals(CHUNKS, pool.available());
        }
        finally
        {
            veth.close();
        }
    }

    private static Port open(final FramePool pool)
    {
        return NetworkNamespace.call(VethPair.namespace(VethPair.NEAR), () ->
        {
            final Port port = Ports.open(new PortRequest("near", "dpdk:net_af_packet0,iface=" + VethPair.NEAR, 0,
                List.of(pool), new PortSettings(64, 64, 0, 64, true)));
            port.start();
            return port;
        });
    }

    private static void turn(final Port port, final FramePool pool)
    {
        final FrameBatch batch = new FrameBatch();
        port.rxQueue(0).receive(batch);
        for (int i = 0; i < batch.size(); i++)
        {
            pool.release(batch.handle(i));
        }
        final long chunk = pool.allocate();
        if (chunk != FramePool.NONE && !port.txQueue(0).offer(chunk, chunk + FramePool.HEADROOM, 60))
        {
            pool.release(chunk);
        }
        port.txQueue(0).flush();
    }
}
