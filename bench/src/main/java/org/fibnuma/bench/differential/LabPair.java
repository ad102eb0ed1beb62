package org.fibnuma.bench.differential;

import org.fibnuma.core.UserException;

import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** A lab that the kernel forwards in alone, and one with the router. For one thread. */
final class LabPair implements AutoCloseable
{
    /** After so many ms there is an error about a neighbour that does not answer, see {@link Lab#SETUP}. */
    static final long FAILURE_MS = 600;
    /** How long two unequal outcomes may still become equal, in ms: of many packets, and of one that differed. */
    private static final long PATIENCE_MS = 400;
    private static final long LAST_PATIENCE_MS = 2000;
    /** The same of packets whose outcome cannot be tried again, because connections have changed by them. */
    private static final long TRACKED_PATIENCE_MS = 5000;
    /** How long outcomes must be silent to be complete, in ms. */
    private static final long SILENCE_MS = 3;
    /** The router reads some settings once a second. */
    private static final long SETTLE_MS = 2500;
    private static final int REPETITIONS = 2;
    private static final long POLL_NS = TimeUnit.MICROSECONDS.toNanos(300);

    private final Lab kernel = new Lab();
    private final Lab routed;

    LabPair()
    {
        try
        {
            routed = new Lab();
        }
        catch (final RuntimeException ex)
        {
            kernel.close();
            throw ex;
        }
    }

    /**
     * Runs commands in both.
     *
     * @throws UserException if one fails in one of them only.
     */
    void apply(final List<String> commands)
    {
        final List<Integer> expected = kernel.apply(commands);
        final List<Integer> actual = routed.apply(commands);
        if (!expected.equals(actual))
        {
            for (int i = 0; i < commands.size(); i++)
            {
                if (!expected.get(i).equals(actual.get(i)))
                {
                    throw new UserException("status " + expected.get(i) + " without the router, " + actual.get(i) +
                        " with it: " + commands.get(i));
                }
            }
        }
    }

    /** Returns the lab with the router. */
    Lab routed()
    {
        return routed;
    }

    void startRouter()
    {
        routed.startRouter();
    }

    /** Waits until the router has followed changes, also those of settings that it reads once a second. */
    void settle()
    {
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(SETTLE_MS));
        drain();
    }

    private void drain()
    {
        final Set<String> none = Set.of();
        while (kernel.collect(new Outcome(none)) | routed.collect(new Outcome(none)))
        {
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(SILENCE_MS));
        }
    }

    /**
     * Sends packets to both.
     *
     * @param packets what to send.
     * @param leftOut reason why their outcomes may differ, or null.
     * @param leastMs how long to wait also if they are equal.
     * @return their outcomes, when they are equal and no frame comes any more, or after a while.
     * @throws UserException if the router has ended.
     */
    Comparison compare(final List<Packet> packets, final OnPurpose leftOut, final long leastMs)
    {
        final Set<String> sources = Scenario.sources(packets);
        return compareInto(packets, new Comparison(new Outcome(sources), new Outcome(sources), leftOut), leastMs,
            packets.size() == 1 ? LAST_PATIENCE_MS : PATIENCE_MS);
    }

    /** Sends packets to both, which track connections; {@code sources} are those of {@link Outcome#tracked}. */
    Comparison compareTracked(final List<Packet> packets, final Set<String> sources)
    {
        return compareInto(packets, new Comparison(Outcome.tracked(sources), Outcome.tracked(sources), null), 0,
            TRACKED_PATIENCE_MS);
    }

    private Comparison compareInto(
        final List<Packet> packets, final Comparison comparison, final long leastMs, final long patienceMs)
    {
        for (final Packet packet : packets)
        {
            kernel.send(packet);
            routed.send(packet);
        }
        final long leastNs = TimeUnit.MILLISECONDS.toNanos(leastMs);
        final long patienceNs = leastNs + TimeUnit.MILLISECONDS.toNanos(patienceMs);
        final long start = System.nanoTime();
        long last = start;
        long now = start;
        boolean complete = false;
        while (!complete)
        {
            if (kernel.collect(comparison.kernel()) | routed.collect(comparison.router()))
            {
                last = now;
            }
            LockSupport.parkNanos(POLL_NS);
            now = System.nanoTime();
            complete = now - start > patienceNs || now - start > leastNs &&
                now - last > TimeUnit.MILLISECONDS.toNanos(SILENCE_MS) && comparison.isEqual();
        }
        routed.verify();
        return comparison;
    }

    /**
     * Sends one packet to both, again if the outcomes differ. The kernel sends a sender one error about a missing route
     * in a second (ip_error in net/ipv4/route.c, Linux 6.1), and this limit cannot be changed for a namespace.
     *
     * @return outcomes that are equal, or the last ones.
     */
    Comparison compareAlone(final Packet packet, final OnPurpose leftOut, final long leastMs)
    {
        Comparison comparison = compare(List.of(packet), leftOut, leastMs);
        for (int again = 0; again < REPETITIONS && !comparison.isEqual(); again++)
        {
            settle();
            comparison = compare(List.of(packet), leftOut, leastMs);
        }
        return comparison;
    }

    @Override
    public void close()
    {
        kernel.close();
        routed.close();
    }
}
