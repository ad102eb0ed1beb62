package org.fibnuma.binding.rtnetlink;

import org.fibnuma.core.Require;
import org.fibnuma.core.kernel.KernelRoute;

import java.util.Collection;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * A namespace with connected networks on {@code v0} (10.0.0.1/24 and 2001:db8::1/64), its peer {@code v1} (10.9.0.1/24
 * and 2001:db8:9::1/64) and {@code d0} (10.7.0.1/24 and 2001:db8:7::1/64), a connection to its kernel, and the tables
 * that follow from it.
 */
final class KernelTestBed implements AutoCloseable
{
    static final int RECEIVE_BUFFER_LENGTH = 16 * 1024 * 1024;

    private static final long CONSISTENT_NS = 10_000_000_000L;
    private static final long SETTLE_NS = 30_000_000;
    private static final long POLL_INTERVAL_NS = 200_000;

    final KernelNamespace namespace;
    final IpRoute2 reference;
    final RtnetlinkKernelNetwork network;
    final KernelTables tables = new KernelTables();

    KernelTestBed(final int receiveBufferLength)
    {
        Require.root();
        Require.program("ip", "iproute2");
        namespace = new KernelNamespace();
        reference = new IpRoute2(namespace);
        try
        {
            // Without duplicate address detection, which would change addresses a second later.
            namespace.sysctl("ipv6.conf.default.accept_dad", "0");
            namespace.ipEach(
                "link add v0 type veth peer name v1", "link add d0 type veth peer name d9",
                "link set v0 up", "link set v1 up", "link set d0 up", "link set d9 up",
                "addr add 10.0.0.1/24 dev v0", "addr add 10.9.0.1/24 dev v1", "addr add 10.7.0.1/24 dev d0",
                "addr add 2001:db8:0::1/64 dev v0", "addr add 2001:db8:9::1/64 dev v1",
                "addr add 2001:db8:7::1/64 dev d0");
            network = namespace.open(receiveBufferLength);
        }
        catch (final AssertionError | RuntimeException ex)
        {
            namespace.close();
            throw ex;
        }
    }

    /** Makes changes, separated by {@code "; "}, one after the other, and compares with iproute2 after each. */
    void runAndCompare(final String commands)
    {
        for (final String command : commands.split("; "))
        {
            namespace.ip(command);
            settle();
            assertSame(command);
        }
    }

    /** Polls until nothing has come for a while. */
    void settle()
    {
        long quietSince = System.nanoTime();
        int handled;
        do
        {
            LockSupport.parkNanos(POLL_INTERVAL_NS);
            handled = network.poll(tables);
            if (handled > 0)
            {
                quietSince = System.nanoTime();
            }
        }
        // However long this thread was kept from its core, the last poll found nothing.
        while (handled > 0 || System.nanoTime() - quietSince < SETTLE_NS);
    }

    /** Polls until something is so. */
    long pollUntil(final BooleanSupplier condition, final long timeoutMs)
    {
        final long start = System.nanoTime();
        while (!condition.getAsBoolean())
        {
            assertTrue(System.nanoTime() - start < timeoutMs * 1_000_000, "not within " + timeoutMs + " ms");
            if (network.poll(tables) == 0)
            {
                LockSupport.parkNanos(POLL_INTERVAL_NS);
            }
        }
        return System.nanoTime() - start;
    }

    /**
     * Compares with iproute2, and again after more polls while something differs. The kernel makes changes of its own
     * also between poll and comparison, and it defers changes of carrier by up to a second.
     */
    void assertSame(final String after)
    {
        final long deadline = System.nanoTime() + CONSISTENT_NS;
        String differences = differences();
        while (!differences.isEmpty() && System.nanoTime() < deadline)
        {
            settle();
            differences = differences();
        }
        assertEquals("", differences, after);
    }

    private String differences()
    {
        reference.read();
        return differences(reference.links().values(), tables.links.values()) +
            differences(reference.addresses(), tables.addresses) +
            differences(reference.routes().values(),
                tables.routes.values().stream().map(KernelTestBed::withoutOptions).toList()) +
            differences(reference.neighbors().values(), tables.neighbors.values());
    }

    /** The reference has no options; RouteDecoderTest compares them with bytes. */
    static KernelRoute withoutOptions(final KernelRoute route)
    {
        return new KernelRoute(route.isIpv6(), route.network(), route.prefixLength(), route.table(), route.metric(),
            route.kind(), route.gateway(), route.interfaceIndex(), route.multipath());
    }

    @Override
    public void close()
    {
        network.close();
        namespace.close();
    }

    private static String differences(final Collection<?> expected, final Collection<?> actual)
    {
        // Both are sets: the values of a map are searched one by one.
        final Set<Object> missing = new HashSet<>(expected);
        final Set<Object> surplus = new HashSet<>(actual);
        missing.removeAll(surplus);
        surplus.removeAll(new HashSet<>(expected));
        return missing.isEmpty() && surplus.isEmpty() ? "" : "missing " + missing + ", surplus " + surplus + "; ";
    }
}
