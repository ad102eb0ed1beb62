package org.fibnuma.core.port;

import org.fibnuma.core.frame.FrameBatch;
import org.fibnuma.core.frame.FramePool;
import org.fibnuma.core.memory.FrameMemory;
import org.fibnuma.core.wire.VlanTag;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** One end of the link in a contract test: a port, its pool and its index. */
record PortEnd(Port port, FramePool pool, int index)
{
    /** Longest time to wait for expected frames. */
    static final long PATIENCE_MS = 5000;
    /** Time without a frame after which no other is expected. */
    static final long SILENCE_MS = 100;

    static long deadline(final long milliseconds)
    {
        return System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(milliseconds);
    }

    /** Sends and flushes. */
    void send(final List<byte[]> frames)
    {
        for (final byte[] frame : frames)
        {
            assertTrue(offer(pool.allocate(), frame));
        }
        flush();
    }

    boolean offer(final long chunk, final byte[] frame)
    {
        return offer(chunk, FramePool.HEADROOM, frame);
    }

    /** Offers a frame that begins at an offset in its chunk. */
    boolean offer(final long chunk, final int start, final byte[] frame)
    {
        final long address = chunk + start;
        FrameMemory.putBytes(address, frame);
        return port.txQueue(0).offer(chunk, address, frame.length);
    }

    void flush()
    {
        port.txQueue(0).flush();
    }

    /** Sends frames to the other end, which verifies them and releases their chunks. */
    void exchange(final PortEnd to, final List<byte[]> frames)
    {
        send(frames);
        to.expect(this, frames);
    }

    /** Receives frames that another end has sent, verifies them and releases their chunks. */
    void expect(final PortEnd from, final List<byte[]> frames)
    {
        final List<byte[]> received = new ArrayList<>();
        final FrameBatch batch = new FrameBatch();
        final long deadline = deadline(PATIENCE_MS);
        while (received.size() < frames.size() && System.nanoTime() < deadline)
        {
            batch.clear();
            port.rxQueue(0).receive(batch);
            for (int i = 0; i < batch.size(); i++)
            {
                assertEquals(index, batch.ingressPort(i));
                assertTrue(batch.isForward(i));
                assertEquals(batch.handle(i), pool.handleOf(batch.address(i)));
                assertTrue(batch.address(i) - batch.handle(i) >= VlanTag.DOUBLE_LENGTH, "no room for two tags");
                received.add(ContractFrames.bytes(batch, i));
                pool.release(batch.handle(i));
            }
            from.flush();
        }
        ContractFrames.assertFrames(frames, received);
    }

    /** Receives expected frames until none comes any more, and releases their chunks. */
    List<byte[]> receive(final int count)
    {
        final List<byte[]> received = new ArrayList<>();
        final FrameBatch batch = new FrameBatch();
        long deadline = deadline(SILENCE_MS);
        while (received.size() < count && System.nanoTime() < deadline)
        {
            batch.clear();
            if (port.rxQueue(0).receive(batch) == 0)
            {
                LockSupport.parkNanos(TimeUnit.MICROSECONDS.toNanos(50));
            }
            for (int i = 0; i < batch.size(); i++)
            {
                received.add(ContractFrames.bytes(batch, i));
                pool.release(batch.handle(i));
                deadline = deadline(SILENCE_MS);
            }
        }
        return received;
    }

    List<byte[]> receiveUntil(final byte[] last)
    {
        final List<byte[]> received = new ArrayList<>();
        final long deadline = deadline(PATIENCE_MS);
        while (System.nanoTime() < deadline)
        {
            received.addAll(receive(1));
            if (!received.isEmpty() && Arrays.equals(last, received.get(received.size() - 1)))
            {
                return received;
            }
        }
        throw new AssertionError("not received within " + PATIENCE_MS + " ms; got " + received.size() + " others");
    }
}
