package org.fibnuma.fibnic.control;

import org.fibnuma.core.frame.FrameBatch;
import org.fibnuma.core.frame.FramePool;
import org.fibnuma.core.memory.FrameMemory;
import org.fibnuma.core.port.Port;
import org.fibnuma.core.port.PortRequest;
import org.fibnuma.core.port.PortSettings;
import org.fibnuma.core.port.Ports;

import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

import static org.junit.jupiter.api.Assertions.assertTrue;

/** A host at the far end of a router's {@code mem:} port. */
public final class MemoryHost implements AutoCloseable
{
    private static final long PATIENCE_NS = TimeUnit.SECONDS.toNanos(10);

    private final FramePool pool;
    private final Port port;
    private final FrameBatch batch = new FrameBatch();

    /**
     * Opens the far end of a link.
     *
     * @param link name of the memory device.
     * @param pool of the router, in whose memory frames are.
     */
    public MemoryHost(final String link, final FramePool pool)
    {
        this.pool = pool;
        this.port = Ports.open(
            new PortRequest("host", "mem:" + link + "@far", 0, List.of(pool), PortSettings.DEFAULT));
        port.start();
    }

    /** Sends a frame that is given in hexadecimal. */
    public void send(final String hex)
    {
        final byte[] frame = HexFormat.of().parseHex(hex.replaceAll("[\\s:]", ""));
        final long chunk = pool.allocate();
        final long address = chunk + FramePool.HEADROOM;
        FrameMemory.putBytes(address, frame);
        assertTrue(port.txQueue(0).offer(chunk, address, frame.length), "the link is full");
        port.txQueue(0).flush();
    }

    /** Waits until a number of frames has come; yields them in hexadecimal. */
    public List<String> receive(final int count)
    {
        return receive(count, TimeUnit.NANOSECONDS.toMillis(PATIENCE_NS));
    }

    /** The same, but waits at most some milliseconds. */
    public List<String> receive(final int count, final long milliseconds)
    {
        final List<String> frames = new ArrayList<>();
        final long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(milliseconds);
        while (frames.size() < count && System.nanoTime() - deadline < 0)
        {
            batch.clear();
            if (port.rxQueue(0).receive(batch) == 0)
            {
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
            }
            for (int i = 0; i < batch.size(); i++)
            {
                final byte[] frame = new byte[batch.length(i)];
                FrameMemory.getBytes(batch.address(i), frame);
                frames.add(HexFormat.of().formatHex(frame));
                pool.release(batch.handle(i));
            }
        }
        return frames;
    }

    @Override
    public void close()
    {
        port.close();
    }
}
