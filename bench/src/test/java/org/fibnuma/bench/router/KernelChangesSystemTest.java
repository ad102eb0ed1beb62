package org.fibnuma.bench.router;

import com.fasterxml.jackson.databind.JsonNode;
import org.fibnuma.bench.lab.NamespaceTest;
import org.fibnuma.binding.libc.NetworkNamespace;
import org.fibnuma.binding.rtnetlink.KernelRouteWriter;
import org.fibnuma.core.kernel.KernelRoute;
import org.fibnuma.core.wire.IpAddress;
import org.fibnuma.core.wire.IpPrefix;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * Changes of both families in the kernel of a running router: each is seen, and {@code verify} agrees with the kernel
 * while routes come and go.
 */
@Timeout(600)
@NamespaceTest
class KernelChangesSystemTest
{
    private static final String MAC = "02:00:00:00:77:01";
    private static final String GATEWAY = "10.0.1.2";
    private static final String IPV6_GATEWAY = "2001:db8:2::2";
    /** Of each family; enough that Linux sends a list of them in many parts. */
    private static final int LASTING = 20_000;
    private static final int FLAPPING = 2000;
    private static final int VERIFICATIONS = 2;
    /** A verification waits for moments without changes between its steps. */
    private static final long PAUSE_NS = TimeUnit.MILLISECONDS.toNanos(300);

    @AutoClose
    private final RouterLifeLab lab = RouterLifeLab.open();

    @BeforeEach
    void start()
    {
        lab.forwardIpv6();
        lab.start("ipv6 = true");
    }

    /** The times until a change is seen are published, and none is asserted. */
    @ParameterizedTest
    @ValueSource(strings = {
        "10.0.1. 24 32 192.0.2. 192.0.2.1 10.5.0.",
        "2001:db8:2:: 64 128 2001:db8:77:: 2001:db8:77::1 2001:db8:5::"})
    void shouldSeeRoutesNeighborsAndAddresses(final String networks, final TestReporter reporter)
    {
        final String[] word = networks.split(" ");
        final String gateway = word[0] + "9";
        final String prefix = word[3] + (word[3].endsWith(".") ? "0/" : "/") + word[1];
        final String destination = word[4];
        see(reporter, "route", destination, "unresolved", "route", "add", prefix, "via", gateway);
        see(reporter, "neighbour", destination, "forward",
            "neighbor", "replace", gateway, "lladdr", MAC, "dev", "r1", "nud", "permanent");
        assertEquals(MAC, lab.lookup(destination).get("destinationMac").asText());
        see(reporter, "neighbour gone", destination, "unresolved", "neighbor", "delete", gateway, "dev", "r1");
        see(reporter, "route gone", destination, "no-route", "route", "delete", prefix);
        final String address = word[5] + "1";
        see(reporter, "address", address, "local", "address", "add", address + "/" + word[1], "dev", "r0");
        see(reporter, "network", word[5] + "7", "glean", "address", "show");
        see(reporter, "address gone", address, "no-route",
            "address", "delete", address + "/" + word[1], "dev", "r0");
        lab.assertVerified();
    }

    /** Linux leaves routes out of a list of IPv6 routes while routes are removed (net/ipv6/ip6_fib.c). */
    @Test
    void shouldVerifyWhileRoutesOfBothFamiliesComeAndGo() throws Exception
    {
        write(true, 0, LASTING);
        final AtomicBoolean ended = new AtomicBoolean();
        final List<Throwable> failures = new ArrayList<>();
        final Thread churn = new Thread(() ->
        {
            while (!ended.get())
            {
                write(true, LASTING, LASTING + FLAPPING);
                LockSupport.parkNanos(PAUSE_NS);
                write(false, LASTING, LASTING + FLAPPING);
                LockSupport.parkNanos(PAUSE_NS);
            }
        });
        churn.setUncaughtExceptionHandler((thread, failure) -> failures.add(failure));
        churn.start();
        try
        {
            for (int i = 0; i < VERIFICATIONS; i++)
            {
                final JsonNode lasting = lab.ask("verify");
                assertTrue(onlyFlappingDiffer(lasting), lasting::toString);
            }
        }
        finally
        {
            ended.set(true);
            churn.join();
        }
        assertEquals(List.of(), failures);
        final JsonNode answer = lab.assertVerified();
        assertTrue(answer.get("prefixes").asInt() >= 2 * LASTING, answer::toString);
        lab.terminate();
    }

    /** A route that comes or goes during each comparison is a difference; a lasting one never. */
    private static boolean onlyFlappingDiffer(final JsonNode answer)
    {
        final IpAddress ipv4 = ipv4Prefix(LASTING).first();
        final IpAddress ipv6 = ipv6Prefix(LASTING).first();
        for (final JsonNode difference : answer.get("differences"))
        {
            final IpAddress first = IpAddress.parse(difference.get("first").asText());
            if (first.compareTo(first.isIpv4() ? ipv4 : ipv6) < 0)
            {
                return false;
            }
        }
        return true;
    }

    private void write(final boolean present, final int from, final int to)
    {
        NetworkNamespace.call(lab.router().namespaceFile(), () ->
        {
            try (KernelRouteWriter writer = new KernelRouteWriter())
            {
                for (int i = from; i < to; i++)
                {
                    change(writer, present, ipv4Prefix(i), IpAddress.parse(GATEWAY));
                    change(writer, present, ipv6Prefix(i), IpAddress.parse(IPV6_GATEWAY));
                }
                writer.flush();
            }
            return null;
        });
    }

    private static void change(
        final KernelRouteWriter writer, final boolean present, final IpPrefix prefix, final IpAddress gateway)
    {
        final KernelRoute route = new KernelRoute(prefix.isIpv6(), prefix.first(), prefix.length(),
            KernelRoute.TABLE_MAIN, 0, KernelRoute.Kind.UNICAST, gateway, 0);
        if (present)
        {
            writer.put(route);
        }
        else
        {
            writer.remove(route);
        }
    }

    private static IpPrefix ipv4Prefix(final int i)
    {
        return IpPrefix.of(20 << 24 | i << Byte.SIZE, 24);
    }

    private static IpPrefix ipv6Prefix(final int i)
    {
        return IpPrefix.of(0x2001_1000_0000_0000L | (long)i << Short.SIZE, 0, 48);
    }

    private void see(
        final TestReporter reporter, final String what, final String address, final String kind,
        final String... command)
    {
        final List<String> ip = new ArrayList<>(List.of("ip"));
        ip.addAll(List.of(command));
        lab.router().run(ip.toArray(String[]::new));
        final long start = System.nanoTime();
        lab.awaitKind(address, kind);
        reporter.publishEntry(what, TimeUnit.NANOSECONDS.toMicros(System.nanoTime() - start) + " us");
    }
}
