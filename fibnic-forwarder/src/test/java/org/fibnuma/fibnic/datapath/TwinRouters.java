package org.fibnuma.fibnic.datapath;

import org.fibnuma.core.kernel.InterfacePolicy;
import org.fibnuma.core.wire.IpAddress;
import org.fibnuma.fibnic.adjacency.Adjacency;
import org.fibnuma.fibnic.fate.DropReason;
import org.fibnuma.fibnic.fate.FateCounters;
import org.fibnuma.fibnic.fate.ForwarderCounter;
import org.fibnuma.fibnic.fate.PortTraffic;
import org.fibnuma.fibnic.rate.RateLimit;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * Two routers with the same routes. One divides received frames into ordinary ones and exceptions; the other treats all
 * of them as exceptions. Both must send the same bytes in the same order and count the same.
 */
final class TwinRouters implements AutoCloseable
{
    static final int PORTS = 3;
    static final int SMALL_MTU = 576;

    private static final Set<ForwarderCounter> WAYS_AND_POLLS =
        EnumSet.of(ForwarderCounter.POLLS, ForwarderCounter.IDLE_POLLS, ForwarderCounter.EXCEPTIONS);
    private static final int NARROW = 50;
    private static final int NARROW_IPV6 = 51;
    private static final int UNRESOLVED_IPV6 = 52;
    private static final int SMALL_MTU_IPV6 = 1280;

    final RouterFixture classifying;
    final RouterFixture exceptionsOnly;

    TwinRouters()
    {
        this(
            new RouterFixture(PORTS, TwinRouters::settings),
            RouterFixture.ofExceptions(PORTS, TwinRouters::settings));
    }

    /** Takes two routers that differ in another way; the second one is the reference. */
    TwinRouters(final RouterFixture compared, final RouterFixture reference)
    {
        classifying = router(compared);
        exceptionsOnly = router(reference);
    }

    static void settings(final ForwarderContext context)
    {
        context.icmpErrors(new RateLimit(1_000_000_000, 1_000_000)).epochClock(() -> 12_345_678)
            .forwardsIpv6(true);
    }

    private static RouterFixture router(final RouterFixture router)
    {
        router.adjacencies.set(NARROW, Adjacency.forward(
            2, IpAddress.parse("10.0.2.9"), SMALL_MTU, RouterFixture.hostMac(2), RouterFixture.routerMac(2)));
        router.adjacencies.set(RouterFixture.UNRESOLVED, Adjacency.unresolved(
            1, IpAddress.parse("10.0.1.77"), RouterFixture.MTU));
        router.route("20.0.0.0", 8, 2);
        router.route("20.1.0.0", 16, 3);
        router.route("20.1.2.128", 25, 2);
        router.route("20.2.0.0", 16, NARROW);
        router.route("20.3.0.0", 16, 1);
        router.route("20.4.0.0", 16, RouterFixture.UNRESOLVED);
        router.route("20.6.0.0", 16, RouterFixture.BLACKHOLE);
        router.route("20.7.0.0", 16, RouterFixture.KERNEL);
        router.route("20.8.0.0", 16, RouterFixture.PROHIBIT);
        // An IPv4 route by an IPv6 next hop.
        router.route("20.9.0.0", 16, UNRESOLVED_IPV6);
        router.adjacencies.set(NARROW_IPV6, Adjacency.forward(
            2, IpAddress.parse("fe80::9"), SMALL_MTU_IPV6, RouterFixture.hostMac(2), RouterFixture.routerMac(2)));
        router.adjacencies.set(UNRESOLVED_IPV6, Adjacency.unresolved(
            1, IpAddress.parse("fe80::77"), RouterFixture.MTU));
        router.routeIpv6("2001:db8:8000::", 33, RouterFixture.HOST6 + 1);
        router.routeIpv6("2001:db8:8001::", 48, RouterFixture.HOST6 + 2);
        router.routeIpv6("2001:db8:8002::", 48, NARROW_IPV6);
        router.routeIpv6("2001:db8:8003::", 48, RouterFixture.HOST6);
        router.routeIpv6("2001:db8:8004::", 48, UNRESOLVED_IPV6);
        router.routeIpv6("2001:db8:8005::", 48, RouterFixture.UNREACHABLE);
        router.routeIpv6("2001:db8:8006::", 48, RouterFixture.BLACKHOLE);
        router.routeIpv6("2001:db8:8007::", 48, RouterFixture.KERNEL);
        router.routeIpv6("2001:db8:8008::", 48, RouterFixture.PROHIBIT);
        // For addresses in ::/64 that are neither martian nor ordinary.
        router.routeIpv6("::", 96, RouterFixture.HOST6 + 1);
        return router;
    }

    /** The host decides about what comes in by port 0. */
    void policy(final InterfacePolicy policy)
    {
        for (final RouterFixture router : List.of(classifying, exceptionsOnly))
        {
            router.interfaces.set(0, router.interfaces.get(0).with(policy));
        }
    }

    /** Both are given frames at once; what leaves and every counter must be the same. */
    void assertSameFates(final List<byte[]> frames)
    {
        final long[] classifyingBefore = counts(classifying);
        final long[] exceptionsOnlyBefore = counts(exceptionsOnly);
        for (final byte[] frame : frames)
        {
            classifying.receive(0, frame);
            exceptionsOnly.receive(0, frame);
        }
        classifying.run();
        exceptionsOnly.run();
        assertSameSent();
        assertArrayEquals(
            difference(exceptionsOnly, exceptionsOnlyBefore), difference(classifying, classifyingBefore), "counters");
        settle();
    }

    private void assertSameSent()
    {
        for (int port = 0; port <= PORTS; port++)
        {
            final List<byte[]> expected = exceptionsOnly.sent(port);
            final List<byte[]> actual = classifying.sent(port);
            assertEquals(hex(expected), hex(actual), "frames out of port " + port);
        }
    }

    private static List<String> hex(final List<byte[]> frames)
    {
        return frames.stream().map(HexFormat.of()::formatHex).toList();
    }

    /** Frames that neighbours have not been resolved for are dropped, and the counts agree. */
    void settle()
    {
        for (int i = 0; i < 2; i++)
        {
            for (final RouterFixture router : List.of(classifying, exceptionsOnly))
            {
                router.clock.advance(TimeUnit.SECONDS.toNanos(3));
                router.run();
                for (int port = 0; port <= PORTS; port++)
                {
                    router.sent(port);
                }
            }
        }
        for (final RouterFixture router : List.of(classifying, exceptionsOnly))
        {
            assertEquals(0, router.count(ForwarderCounter.HELD));
            router.assertBalanced();
        }
    }

    private static long[] difference(final RouterFixture router, final long[] before)
    {
        final long[] now = counts(router);
        for (int i = 0; i < now.length; i++)
        {
            now[i] -= before[i];
        }
        return now;
    }

    private static long[] counts(final RouterFixture router)
    {
        final FateCounters counters = router.agent.counters();
        final List<Long> values = new ArrayList<>();
        for (final ForwarderCounter counter : ForwarderCounter.values())
        {
            if (!WAYS_AND_POLLS.contains(counter))
            {
                values.add(counters.get(counter));
            }
        }
        for (final DropReason reason : DropReason.values())
        {
            values.add(counters.get(reason));
        }
        for (int port = 0; port < PORTS; port++)
        {
            for (final PortTraffic traffic : PortTraffic.values())
            {
                values.add(counters.get(port, traffic));
            }
        }
        return values.stream().mapToLong(Long::longValue).toArray();
    }

    @Override
    public void close()
    {
        assertTrue(classifying.report().isBalanced() && exceptionsOnly.report().isBalanced());
        classifying.close();
        exceptionsOnly.close();
    }
}
