package org.fibnuma.bench.system;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;

import static org.junit.jupiter.api.Assertions.assertEquals;

/** Packets of both families from host a to b, sent until {@link #assertNothingLost} while routes change. */
final class RouteStream implements AutoCloseable
{
    private static final int BURST = 100;
    private static final Duration PAUSE = Duration.ofMillis(5);
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final RouterLab lab;
    private final String ipv4;
    private final String ipv6;
    private final CompletableFuture<Integer> sent;
    private volatile boolean isOver;

    /**
     * Starts to send.
     *
     * @param lab  whose hosts a and b nobody else uses until the end.
     * @param ipv4 destination.
     * @param ipv6 destination.
     */
    RouteStream(final RouterLab lab, final String ipv4, final String ipv6)
    {
        this.lab = lab;
        this.ipv4 = ipv4;
        this.ipv6 = ipv6;
        lab.b().clear();
        sent = CompletableFuture.supplyAsync(this::send);
    }

    private int send()
    {
        int count = 0;
        while (!isOver)
        {
            lab.a().send(BURST, PAUSE, Frames.ipv4(ipv4), Frames.ipv6(ipv6));
            count += 2 * BURST;
        }
        return count;
    }

    /** Ends the stream; every packet of it has arrived at b. */
    void assertNothingLost() throws ExecutionException, InterruptedException
    {
        isOver = true;
        final List<ReceivedFrame> arrived = lab.b().receive(
            sent.get(), PATIENCE, "(IP in p and p[IP].dst == '" + ipv4 + "') or " +
            "(IPv6 in p and p[IPv6].dst == '" + ipv6 + "')");
        assertEquals(sent.get(), arrived.size(), "frames that arrived of a stream by routes that stayed");
    }

    /** Ends the stream. */
    @Override
    public void close()
    {
        isOver = true;
        sent.join();
    }
}
