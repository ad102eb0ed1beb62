package org.fibnuma.fibnic.demo;

import org.fibnuma.core.UserException;
import org.fibnuma.core.wire.Ipv4Address;
import org.fibnuma.fibnic.fate.FateReport;
import org.fibnuma.fibnic.fate.ForwarderCounter;

import java.io.PrintWriter;
import java.util.concurrent.TimeUnit;

/** Runs the steps of a demo and prints a line for each: pings, a trace, a flood, pings again. */
final class Demo
{
    /** A reply that takes longer counts as lost; far above a round trip on a loaded machine. */
    private static final long TIMEOUT_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final int DESTINATIONS = 4096;
    private static final int WARM_UP_PINGS = 3000;
    private static final int MAX_PINGS = 50_000;
    private static final int LAST_PINGS = 1000;
    private static final int TTL = 64;
    private static final int MAX_HOPS = 8;
    /** Of these the fastest is reported, because the first message of its kind takes longer. */
    private static final int PROBES_PER_HOP = 5;
    /** Share of the time for pings: enough for a 99.9th percentile; the rest is for the flood. */
    private static final double SHARE_OF_PINGS = 0.2;
    private static final long SETTLE_MILLIS = 50;
    private static final long SETTLE_LIMIT_NANOS = TimeUnit.SECONDS.toNanos(5);

    private final DemoNetwork network;
    private final DemoReport report;
    private final PrintWriter progress;
    private final int[] destinations;

    Demo(final DemoNetwork network, final DemoTable table, final DemoReport report, final PrintWriter progress)
    {
        this.network = network;
        this.report = report;
        this.progress = progress;
        this.destinations = table.addresses(DESTINATIONS, true);
    }

    void run(final int seconds)
    {
        final long pingNanos = (long)(seconds * SHARE_OF_PINGS * 1e9);
        ping(pingNanos);
        trace(destinations[0]);
        flood(TimeUnit.SECONDS.toNanos(seconds) - pingNanos);
        pingAfterwards();
        report.fates(settledFates());
    }

    private void ping(final long nanos)
    {
        final EchoProber prober = network.prober();
        for (int i = 0; i < WARM_UP_PINGS; i++)
        {
            prober.ping(destinations[i % DESTINATIONS], TTL, TIMEOUT_NANOS);
            checkInterrupt();
        }
        int sent = 0;
        int received = 0;
        final long end = System.nanoTime() + nanos;
        while (System.nanoTime() < end && sent < MAX_PINGS)
        {
            final EchoReply reply = prober.ping(destinations[sent % DESTINATIONS], TTL, TIMEOUT_NANOS);
            sent++;
            if (reply != null && reply.isEcho())
            {
                received++;
                report.roundTrips().recordValue(reply.roundTripNanos());
            }
            checkInterrupt();
        }
        report.pings(sent, received);
        say("ping   %,d sent to %,d addresses, %,d answered; median round trip %.1f us, 99 %% under %.1f us",
            sent, DESTINATIONS, received, report.micros(50), report.micros(99));
    }

    private void trace(final int destination)
    {
        final StringBuilder hops = new StringBuilder();
        boolean arrived = false;
        for (int ttl = 1; ttl <= MAX_HOPS && !arrived; ttl++)
        {
            final EchoReply reply = fastest(destination, ttl);
            final String from = reply == null ? "*" : Ipv4Address.format(reply.from());
            final double micros = reply == null ? 0 : reply.roundTripNanos() / 1e3;
            hops.append(String.format("   %d  %s  %.1f us", ttl, from, micros));
            report.hop(ttl, from, micros);
            arrived = reply != null && reply.isEcho();
        }
        say("trace  to %s:%s", Ipv4Address.format(destination), hops);
    }

    private EchoReply fastest(final int destination, final int ttl)
    {
        EchoReply fastest = null;
        for (int i = 0; i < PROBES_PER_HOP; i++)
        {
            final EchoReply reply = network.prober().ping(destination, ttl, TIMEOUT_NANOS);
            if (fastest == null || reply != null && reply.roundTripNanos() < fastest.roundTripNanos())
            {
                fastest = reply;
            }
            checkInterrupt();
        }
        return fastest;
    }

    private void flood(final long nanos)
    {
        final long start = System.nanoTime();
        final long delivered = network.delivered();
        network.startFlood();
        try
        {
            showRates(start, nanos);
            report.mpps((network.delivered() - delivered) * 1e3 / (System.nanoTime() - start));
        }
        finally
        {
            report.flooded(network.stopFlood());
        }
    }

    private void showRates(final long start, final long nanos)
    {
        long time = start;
        long delivered = network.delivered();
        for (int second = 1; time - start < nanos; second++)
        {
            sleep(Math.min(TimeUnit.SECONDS.toMillis(1), TimeUnit.NANOSECONDS.toMillis(start + nanos - time) + 1));
            final long now = System.nanoTime();
            final long deliveredNow = network.delivered();
            final FateReport fates = network.fates();
            say("udp    %2d s   %6.3f million frames/s arrive   %,13d forwarded   %,d dropped by the router",
                second, (deliveredNow - delivered) * 1e3 / (now - time),
                fates.get(ForwarderCounter.FORWARDED), fates.dropped());
            time = now;
            delivered = deliveredNow;
        }
    }

    private void pingAfterwards()
    {
        settledFates();
        int received = 0;
        for (int i = 0; i < LAST_PINGS; i++)
        {
            final EchoReply reply = network.prober().ping(destinations[i], TTL, TIMEOUT_NANOS);
            received += reply != null && reply.isEcho() ? 1 : 0;
            checkInterrupt();
        }
        report.pings(LAST_PINGS, received);
        say("ping   %,d sent after the flood, %,d answered", LAST_PINGS, received);
    }

    /** Returns the router's counters after all frames have been received and counted. */
    private FateReport settledFates()
    {
        final long deadline = System.nanoTime() + SETTLE_LIMIT_NANOS;
        FateReport before = network.fates();
        while (true)
        {
            network.rest(SETTLE_MILLIS);
            checkInterrupt();
            final FateReport now = network.fates();
            final boolean quiet =
                now.get(ForwarderCounter.RECEIVED) == before.get(ForwarderCounter.RECEIVED) && now.isBalanced();
            if (quiet || System.nanoTime() > deadline)
            {
                return now;
            }
            before = now;
        }
    }

    private void say(final String format, final Object... arguments)
    {
        progress.printf("  " + format + "%n", arguments);
        progress.flush();
    }

    private static void sleep(final long millis)
    {
        try
        {
            Thread.sleep(millis);
        }
        catch (final InterruptedException ex)
        {
            Thread.currentThread().interrupt();
        }
        checkInterrupt();
    }

    private static void checkInterrupt()
    {
        if (Thread.currentThread().isInterrupted())
        {
            throw new UserException("interrupted");
        }
    }
}
