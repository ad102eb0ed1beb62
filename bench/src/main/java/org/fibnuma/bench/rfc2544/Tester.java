package org.fibnuma.bench.rfc2544;

import org.HdrHistogram.Histogram;
import org.fibnuma.bench.traffic.FrameTemplate;
import org.fibnuma.core.frame.FrameBatch;
import org.fibnuma.core.port.PortCounter;
import org.fibnuma.core.traffic.HostPort;

import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Sends test frames at a steady rate and receives what the device under test forwards. The latency of a frame is the
 * time from when the tester hands it to its port until it finds the frame in the receive ring, so that it includes both
 * drivers. One thread, which spins.
 */
final class Tester
{
    /** Rate at which frames are sent as fast as possible. */
    static final double UNLIMITED = Double.POSITIVE_INFINITY;

    /** Most frames that are sent in a row, so that receiving is not delayed. */
    private static final int BURST = 64;
    /** After a longer delay of this thread the schedule is shifted, as catching up would be a burst. */
    private static final long CATCH_UP_NS = TimeUnit.MICROSECONDS.toNanos(100);
    /** RFC 2544 section 23 waits two seconds for late frames; no device under test here holds frames for so long. */
    private static final long QUIET_NS = TimeUnit.MILLISECONDS.toNanos(100);
    private static final long LONGEST_NS = TimeUnit.SECONDS.toNanos(10);
    private static final int DIGITS = 3;
    /** Times of the frames on the way: more than all rings between sender and receiver hold. */
    private static final int TIMES = 1 << 18;
    private static final int MOST_TRIALS = 1 << 16;

    private final List<TestStream> streams;
    private final List<HostPort> receivers;
    private final boolean waits;
    private final FrameBatch batch = new FrameBatch();
    private final long[] sentNs = new long[TIMES];
    private int trial;
    private long sent;
    private long received;
    private Histogram latencies;

    /**
     * Creates a tester.
     *
     * @param streams   that send in turn, frame by frame.
     * @param receivers ports that receive.
     * @param waits     whether a frame that a port does not accept is sent later. It is lost otherwise, as on a link
     *                  without flow control.
     */
    Tester(final List<TestStream> streams, final List<HostPort> receivers, final boolean waits)
    {
        this.streams = streams;
        this.receivers = receivers;
        this.waits = waits;
    }

    /**
     * Runs a trial.
     *
     * @param pps        frames a second of all streams together, or {@link #UNLIMITED}.
     * @param durationNs time to send.
     * @param most       frames to send.
     */
    Trial run(final double pps, final long durationNs, final long most)
    {
        trial = (trial + 1) % MOST_TRIALS;
        sent = 0;
        received = 0;
        latencies = new Histogram(LONGEST_NS, DIGITS);
        final long missedBefore = missed();
        final double intervalNs = TimeUnit.SECONDS.toNanos(1) / pps;
        final long startNs = System.nanoTime();
        double dueNs = 0;
        long passedNs = 0;
        while (passedNs < durationNs && sent < most)
        {
            if (passedNs - dueNs > CATCH_UP_NS)
            {
                dueNs = passedNs - CATCH_UP_NS;
            }
            for (int i = 0; i < BURST && dueNs <= passedNs && sent < most; i++)
            {
                if (!offer(startNs + passedNs) && waits)
                {
                    break;
                }
                sent++;
                dueNs += intervalNs;
            }
            flush();
            receive();
            passedNs = System.nanoTime() - startNs;
        }
        drain();
        return new Trial(sent, received, missed() - missedBefore, passedNs, latencies);
    }

    private boolean offer(final long nowNs)
    {
        final int number = (int)sent & Integer.MAX_VALUE;
        sentNs[number & TIMES - 1] = nowNs;
        return streams.get((int)(sent % streams.size())).offer(trial, number);
    }

    private long missed()
    {
        long missed = 0;
        for (final HostPort receiver : receivers)
        {
            missed += receiver.port().deviceCounter(PortCounter.RX_RING_FULL) +
                receiver.port().deviceCounter(PortCounter.RX_NO_BUFFER);
        }
        return missed;
    }

    private void flush()
    {
        for (int i = 0; i < streams.size(); i++)
        {
            streams.get(i).flush();
        }
    }

    private void receive()
    {
        for (int i = 0; i < receivers.size(); i++)
        {
            final HostPort receiver = receivers.get(i);
            batch.clear();
            final int count = receiver.port().rxQueue(0).receive(batch);
            final long nowNs = count == 0 ? 0 : System.nanoTime();
            for (int j = 0; j < count; j++)
            {
                final int number = FrameTemplate.number(batch.address(j), batch.length(j), trial);
                if (number != FrameTemplate.NONE)
                {
                    received++;
                    latencies.recordValue(Math.min(LONGEST_NS, nowNs - sentNs[number & TIMES - 1]));
                }
                receiver.pool().release(batch.handle(j));
            }
        }
    }

    /** Receives until no frame has arrived for a while. */
    private void drain()
    {
        long before = received;
        long lastNs = System.nanoTime();
        while (System.nanoTime() - lastNs < QUIET_NS)
        {
            flush();
            receive();
            if (received != before)
            {
                before = received;
                lastNs = System.nanoTime();
            }
        }
    }
}
