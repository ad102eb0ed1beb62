package org.fibnuma.fibnic.demo;

import org.fibnuma.core.UserException;
import org.fibnuma.core.wire.IpAddress;
import org.fibnuma.fibnic.fate.FateReport;
import org.fibnuma.fibnic.fate.ForwarderCounter;

import java.io.PrintWriter;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Runs the steps of a demo and prints a line for each, for IPv4 and IPv6: pings, a trace, floods, pings again. */
final class Demo
{
    /** A later reply counts as lost; far above a round trip on a loaded machine. */
    private static final long TIMEOUT_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final int DESTINATIONS = 4096;
    /** Pings of each family; the first ones are not measured. */
    private static final int WARM_UP_PINGS = 3000;
    private static final int MAX_PINGS = 25_000;
    private static final int LAST_PINGS = 1000;
    private static final int HOP_LIMIT = 64;
    private static final int MAX_HOPS = 8;
    private static final int FLOOD_DESTINATIONS = 1 << 16;
    private static final int FLOODS = 3;
    /** Probes of which the fastest is reported, because the first message of its kind takes longer. */
    private static final int PROBES_PER_HOP = 5;
    /** Share of the time for pings, which suffices for a 99.9th percentile; the rest is for the flood. */
    private static final double SHARE_OF_PINGS = 0.2;
    private static final long SETTLE_MILLIS = 50;
    private static final long SETTLE_LIMIT_NANOS = TimeUnit.SECONDS.toNanos(5);

    private final DemoNetwork network;
    private final DemoTable table;
    private final DemoReport report;
    private final PrintWriter progress;
    private final List<Family> families;

    Demo(final DemoNetwork network, final DemoTable table, final DemoReport report, final PrintWriter progress)
    {
        this.network = network;
        this.table = table;
        this.report = report;
        this.progress = progress;
        this.families = List.of(
            new Family(table.addresses(false, DESTINATIONS, true), report.of(false)),
            new Family(table.addresses(true, DESTINATIONS, true), report.of(true)));
    }

    /** The destinations of one family, for which the right host answers, and the results. */
    private record Family(IpAddress[] destinations, FamilyReport report)
    {
    }

    void run(final int seconds)
    {
        final long pingNanos = (long)(seconds * SHARE_OF_PINGS * 1e9);
        ping(pingNanos);
        families.forEach(this::trace);
        flood(TimeUnit.SECONDS.toNanos(seconds) - pingNanos);
        families.forEach(this::pingAfterwards);
        report.fates(settledFates());
    }

    /** Pings by both families in turn. */
    private void ping(final long nanos)
    {
        for (int i = 0; i < WARM_UP_PINGS; i++)
        {
            for (final Family family : families)
            {
                ping(family.destinations[i % DESTINATIONS]);
            }
        }
        int sent = 0;
        final int[] received = new int[families.size()];
        final long end = System.nanoTime() + nanos;
        while (System.nanoTime() < end && sent < MAX_PINGS)
        {
            for (int i = 0; i < received.length; i++)
            {
                final Family family = families.get(i);
                final EchoProber.Reply reply = ping(family.destinations[sent % DESTINATIONS]);
                if (reply != null && reply.isEcho())
                {
                    received[i]++;
                    family.report.roundTrip(reply.roundTripNanos());
                }
            }
            sent++;
        }
        for (int i = 0; i < received.length; i++)
        {
            final FamilyReport result = families.get(i).report;
            result.pings(sent, received[i]);
            say("ping   %s   %,d sent to %,d addresses, %,d answered; median round trip %.1f us, 99 %% under %.1f us",
                result.name(), sent, DESTINATIONS, received[i], result.micros(50), result.micros(99));
        }
    }

    private EchoProber.Reply ping(final IpAddress destination)
    {
        final EchoProber.Reply reply = network.prober().ping(destination, HOP_LIMIT, TIMEOUT_NANOS);
        checkInterrupt();
        return reply;
    }

    private void trace(final Family family)
    {
        final IpAddress destination = family.destinations[0];
        final StringBuilder hops = new StringBuilder();
        boolean arrived = false;
        for (int hopLimit = 1; hopLimit <= MAX_HOPS && !arrived; hopLimit++)
        {
            final EchoProber.Reply reply = fastest(destination, hopLimit);
            final String from = reply == null ? "*" : reply.from().toString();
            final double micros = reply == null ? 0 : reply.roundTripNanos() / 1e3;
            hops.append(String.format("   %d  %s  %.1f us", hopLimit, from, micros));
            family.report.hop(hopLimit, from, micros);
            arrived = reply != null && reply.isEcho();
        }
        say("trace  to %s:%s", destination, hops);
    }

    private EchoProber.Reply fastest(final IpAddress destination, final int hopLimit)
    {
        EchoProber.Reply fastest = null;
        for (int i = 0; i < PROBES_PER_HOP; i++)
        {
            final EchoProber.Reply reply = network.prober().ping(destination, hopLimit, TIMEOUT_NANOS);
            if (fastest == null || reply != null && reply.roundTripNanos() < fastest.roundTripNanos())
            {
                fastest = reply;
            }
            checkInterrupt();
        }
        return fastest;
    }

    /** Sends UDP over IPv4, over IPv6, and over both in turn, a third of the time each. */
    private void flood(final long nanos)
    {
        final IpAddress[] ipv4 = table.addresses(false, FLOOD_DESTINATIONS, false);
        final IpAddress[] ipv6 = table.addresses(true, FLOOD_DESTINATIONS, false);
        final IpAddress[] both = new IpAddress[FLOOD_DESTINATIONS];
        Arrays.setAll(both, i -> i % 2 == 0 ? ipv4[i] : ipv6[i]);
        report.of(false).flood(flood("IPv4", ipv4, nanos / FLOODS));
        report.of(true).flood(flood("IPv6", ipv6, nanos / FLOODS));
        report.mixed(flood("both", both, nanos / FLOODS));
    }

    private FamilyReport.Flood flood(final String name, final IpAddress[] destinations, final long nanos)
    {
        final long start = System.nanoTime();
        final long delivered = network.delivered();
        network.startFlood(destinations);
        final double mpps;
        final long sent;
        try
        {
            showRates(name, start, nanos);
            mpps = (network.delivered() - delivered) * 1e3 / (System.nanoTime() - start);
        }
        finally
        {
            sent = network.stopFlood();
        }
        return new FamilyReport.Flood(sent, mpps);
    }

    private void showRates(final String name, final long start, final long nanos)
    {
        long time = start;
        long delivered = network.delivered();
        for (int second = 1; time - start < nanos; second++)
        {
            sleep(Math.min(TimeUnit.SECONDS.toMillis(1), TimeUnit.NANOSECONDS.toMillis(start + nanos - time) + 1));
            final long now = System.nanoTime();
            final long deliveredNow = network.delivered();
            final FateReport fates = network.fates();
            say("udp    %s  %2d s   %6.3f million frames/s arrive   %,13d forwarded   %,d dropped by the router",
                name, second, (deliveredNow - delivered) * 1e3 / (now - time),
                fates.get(ForwarderCounter.FORWARDED), fates.dropped());
            time = now;
            delivered = deliveredNow;
        }
    }

    private void pingAfterwards(final Family family)
    {
        settledFates();
        int received = 0;
        for (int i = 0; i < LAST_PINGS; i++)
        {
            final EchoProber.Reply reply = ping(family.destinations[i]);
            received += reply != null && reply.isEcho() ? 1 : 0;
        }
        family.report.pings(LAST_PINGS, received);
        say("ping   %s   %,d sent after the flood, %,d answered", family.report.name(), LAST_PINGS, received);
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
