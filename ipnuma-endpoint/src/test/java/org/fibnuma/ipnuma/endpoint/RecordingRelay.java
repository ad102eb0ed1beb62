package org.fibnuma.ipnuma.endpoint;

import org.agrona.concurrent.UnsafeBuffer;
import org.fibnuma.core.frame.FrameBatch;
import org.fibnuma.core.frame.FramePool;
import org.fibnuma.core.memory.MemoryRegion;
import org.fibnuma.core.port.Port;
import org.fibnuma.core.port.PortRequest;
import org.fibnuma.core.port.PortSettings;
import org.fibnuma.core.port.Ports;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/**
 * A wire between the links of two endpoints that keeps the latest frames of one direction, to bring them once more
 * when nobody expects them.
 */
final class RecordingRelay implements AutoCloseable
{
    private static final int FRAMES = 8192;
    private static final int CHUNK = 2048;
    private static final int KEPT = 256;

    private final MemoryRegion memory = MemoryRegion.ofChunks(FRAMES, CHUNK);
    private final FramePool pool = new FramePool(memory, CHUNK, 0, FRAMES);
    private final FrameBatch batch = new FrameBatch();
    private final List<byte[]> kept = new ArrayList<>();
    private final Port left;
    private final Port right;
    private final Thread thread;
    private volatile boolean keeps = true;
    private volatile int replays;
    private volatile int replayed;
    private volatile boolean stopped;

    /** Frames that come in at the left are kept. */
    RecordingRelay(final String leftDevice, final String rightDevice)
    {
        left = open(leftDevice);
        right = open(rightDevice);
        thread = new Thread(this::run, "relay");
        thread.start();
    }

    private Port open(final String device)
    {
        final Port port = Ports.open(new PortRequest("relay", device, 0, List.of(pool), PortSettings.DEFAULT));
        port.start();
        return port;
    }

    private void run()
    {
        while (!stopped)
        {
            int moved = move(left, right, keeps);
            moved += move(right, left, false);
            if (replayed < replays)
            {
                replay();
                replayed++;
            }
            if (moved == 0)
            {
                LockSupport.parkNanos(20_000);
            }
        }
    }

    private int move(final Port from, final Port to, final boolean keep)
    {
        batch.clear();
        final int received = from.rxQueue(0).receive(batch);
        for (int i = 0; i < received; i++)
        {
            if (keep)
            {
                keep(batch.address(i), batch.length(i));
            }
            if (!to.txQueue(0).offer(batch.handle(i), batch.address(i), batch.length(i)))
            {
                pool.release(batch.handle(i));
            }
        }
        to.txQueue(0).flush();
        return received;
    }

    private void keep(final long address, final int length)
    {
        final byte[] frame = new byte[length];
        new UnsafeBuffer(address, length).getBytes(0, frame);
        if (kept.size() == KEPT)
        {
            kept.remove(0);
        }
        kept.add(frame);
    }

    private void replay()
    {
        for (final byte[] frame : kept)
        {
            final long chunk = pool.allocate();
            final long address = chunk + FramePool.HEADROOM;
            new UnsafeBuffer(address, frame.length).putBytes(0, frame);
            if (!right.txQueue(0).offer(chunk, address, frame.length))
            {
                pool.release(chunk);
            }
        }
        right.txQueue(0).flush();
    }

    /** What comes from now on is not kept any more. */
    void stopKeeping()
    {
        keeps = false;
    }

    /** Brings all kept frames to the right once more, and returns when they are on their way. */
    void replayKept()
    {
        replays++;
        EndpointRestartTest.await(() -> replayed == replays);
    }

    @Override
    public void close()
    {
        stopped = true;
        try
        {
            thread.join();
        }
        catch (final InterruptedException ex)
        {
            Thread.currentThread().interrupt();
        }
        left.close();
        right.close();
        memory.close();
    }
}
