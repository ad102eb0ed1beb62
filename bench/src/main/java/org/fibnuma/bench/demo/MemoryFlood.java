package org.fibnuma.bench.demo;

import org.fibnuma.core.frame.FramePool;
import org.fibnuma.core.port.Port;
import org.fibnuma.core.port.TxQueue;
import org.fibnuma.core.wire.IpProtocol;
import org.fibnuma.core.wire.UdpHeaderFlyweight;

/** UDP from the left host of a network in memory, and the right host's counting, on a thread of their own. */
final class MemoryFlood implements AutoCloseable
{
    private static final int BURST = 64;
    private static final int TTL = 64;
    private static final int DISCARD_PORT = 9;
    private static final int UDP_LENGTH = HostFrames.FRAME_LENGTH - HostFrames.PAYLOAD_OFFSET;
    private static final long DRAIN_NANOS = 20_000_000;

    private final Thread thread = new Thread(this::run, "flood");
    private final TxQueue txQueue;
    private final FramePool pool;
    private final HostFrames frames;
    private final EchoResponder responder;
    private final int[] destinations;
    private final UdpHeaderFlyweight udp = new UdpHeaderFlyweight();
    private int next;
    private volatile boolean running = true;

    MemoryFlood(
        final Port left,
        final FramePool pool,
        final HostFrames frames,
        final EchoResponder responder,
        final int[] destinations)
    {
        this.txQueue = left.txQueue(0);
        this.pool = pool;
        this.frames = frames;
        this.responder = responder;
        this.destinations = destinations;
        this.thread.setDaemon(true);
    }

    void start()
    {
        thread.start();
    }

    private void run()
    {
        while (running)
        {
            sendBurst();
            responder.poll();
        }
        final long end = System.nanoTime() + DRAIN_NANOS;
        while (System.nanoTime() < end)
        {
            txQueue.flush();
            responder.poll();
        }
    }

    private void sendBurst()
    {
        for (int i = 0; i < BURST; i++)
        {
            final long chunk = pool.allocate();
            if (chunk == FramePool.NONE)
            {
                break;
            }
            write(chunk + FramePool.HEADROOM, destinations[next]);
            if (!txQueue.offer(chunk, chunk + FramePool.HEADROOM, HostFrames.FRAME_LENGTH))
            {
                pool.release(chunk);
                break;
            }
            next = next + 1 == destinations.length ? 0 : next + 1;
        }
        txQueue.flush();
    }

    private void write(final long frame, final int destination)
    {
        frames.write(frame, destination, IpProtocol.UDP, TTL);
        udp.wrap(frame + HostFrames.PAYLOAD_OFFSET)
            .ports(next, DISCARD_PORT)
            .lengthWithoutChecksum(UDP_LENGTH);
    }

    @Override
    public void close()
    {
        running = false;
        try
        {
            thread.join();
        }
        catch (final InterruptedException ex)
        {
            Thread.currentThread().interrupt();
        }
    }
}
