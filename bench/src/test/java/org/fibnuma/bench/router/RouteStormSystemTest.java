package org.fibnuma.bench.router;

import com.fasterxml.jackson.databind.JsonNode;
import org.fibnuma.bench.lab.RouterProcess;
import org.fibnuma.binding.libc.NetworkNamespace;
import org.fibnuma.binding.rtnetlink.KernelRouteWriter;
import org.fibnuma.core.Require;
import org.fibnuma.core.kernel.KernelRoute;
import org.fibnuma.core.wire.IpPrefix;
import org.fibnuma.core.wire.Ipv4Address;
import org.fibnuma.fibnic.control.ipc.ControlClient;
import org.fibnuma.fibnic.control.ipc.ControlProtocol;
import org.fibnuma.fibnic.routes.RouteList;
import org.fibnuma.fibnic.routes.RouteTableGenerator;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;

import java.io.IOException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * A running router whose kernel gets 300,000 routes, flaps some thousands, is compared, is read out and loses all. What
 * {@code show stages} has then is published: how long the workers paused, and why. No time is asserted.
 */
class RouteStormSystemTest
{
    private static final int ROUTES = 300_000;
    private static final int FLAPPING = 5_000;
    private static final int FLAPS = 4;
    private static final int PAGE = 2000;
    private static final long PATIENCE_NS = TimeUnit.SECONDS.toNanos(300);
    private static final long POLL_NS = TimeUnit.MILLISECONDS.toNanos(10);
    private static final String FIRST_GATEWAY = "10.0.1.2";
    private static final String OTHER_GATEWAY = "10.0.1.3";

    private static final RouteList LIST = new RouteTableGenerator().generate(ROUTES);

    private static RouterLifeLab lab;
    private static RouterProcess process;

    @BeforeAll
    static void open()
    {
        Require.root();
        Require.program("ip", "iproute2");
        lab = RouterLifeLab.open();
        process = RouterProcess.start(
            lab.router(), lab.config(), RouterLifeLab.PATIENCE, RouterProcess.BOTH_COMPILERS);
    }

    @AfterAll
    static void close()
    {
        if (process != null)
        {
            process.close();
        }
        if (lab != null)
        {
            lab.close();
        }
    }

    @Test
    void shouldTellWhyWorkersPaused(final TestReporter reporter) throws IOException
    {
        final int before = prefixes();
        put(LIST.size(), FIRST_GATEWAY);
        awaitNextHop(LIST.size() - 1, FIRST_GATEWAY);
        for (int flap = 1; flap <= FLAPS; flap++)
        {
            final String gateway = flap % 2 == 0 ? FIRST_GATEWAY : OTHER_GATEWAY;
            put(FLAPPING, gateway);
            awaitNextHop(FLAPPING - 1, gateway);
        }
        assertEquals("true", lab.ask("verify").get("equal").asText());
        assertEquals(before + LIST.size(), readOut());
        lab.router().run("ip", "route", "flush", "proto", "static");
        awaitPrefixes(before);

        final JsonNode stages = lab.ask("stages");
        reporter.publishEntry("show stages --json", stages.toString());
        final JsonNode worker = stages.get("workers").get(0);
        assertTrue(stages.get("safepoints").isNumber(), "the JVM of the tests tells of its safepoints");
        assertTrue(stages.get("controlRoutesTouched").asLong() >= ROUTES);
        assertEquals(worker.get("longestPauseUs").asLong() == 0, worker.get("pauseReason").isNull(), worker::toString);
        assertTrue(worker.get("jvmPausesAbove2Ms").asLong() <= worker.get("pauses").asLong(), worker::toString);
        assertFalse(
            worker.get("longestJvmPauseUs").asLong() > worker.get("longestPauseUs").asLong(), worker::toString);
    }

    private static void put(final int count, final String gateway)
    {
        NetworkNamespace.call(lab.router().namespaceFile(), () ->
        {
            try (KernelRouteWriter writer = new KernelRouteWriter())
            {
                for (int i = 0; i < count; i++)
                {
                    writer.put(new KernelRoute(
                        LIST.prefix(i), LIST.length(i), KernelRoute.TABLE_MAIN, 0, KernelRoute.Kind.UNICAST,
                        Ipv4Address.parse(gateway), 0));
                }
                writer.flush();
            }
            return null;
        });
    }

    private static int readOut() throws IOException
    {
        int count = 0;
        try (ControlClient client = lab.client())
        {
            JsonNode answer = client.ask(ControlProtocol.request("routes").put("limit", PAGE));
            count += answer.get("routes").size();
            while (answer.has("next"))
            {
                answer = client.ask(ControlProtocol.request("routes").put("limit", PAGE)
                    .put("after", answer.get("next").asText()));
                count += answer.get("routes").size();
            }
        }
        return count;
    }

    private static int prefixes() throws IOException
    {
        try (ControlClient client = lab.client())
        {
            return client.ask(ControlProtocol.request("routes").put("limit", 0)).get("prefixes").asInt();
        }
    }

    private static void awaitPrefixes(final int expected) throws IOException
    {
        final long start = System.nanoTime();
        while (prefixes() != expected)
        {
            assertTrue(System.nanoTime() - start < PATIENCE_NS, () -> "never " + expected + " prefixes");
            LockSupport.parkNanos(POLL_NS);
        }
    }

    private static void awaitNextHop(final int route, final String gateway) throws IOException
    {
        final long start = System.nanoTime();
        try (ControlClient client = lab.client())
        {
            while (!isVia(client, route, gateway))
            {
                assertTrue(System.nanoTime() - start < PATIENCE_NS, () -> gateway + " is never seen");
                LockSupport.parkNanos(POLL_NS);
            }
        }
    }

    /** An address of a route may lie in a longer one, so that the route itself is asked for. */
    private static boolean isVia(final ControlClient client, final int route, final String gateway) throws IOException
    {
        final IpPrefix prefix = IpPrefix.of(LIST.prefix(route), LIST.length(route));
        final IpPrefix before = IpPrefix.of(LIST.prefix(route) - 1, Integer.SIZE);
        final JsonNode answer = client.ask(ControlProtocol.request("routes")
            .put("after", before.toString()).put("limit", Integer.SIZE)).get("routes");
        for (final JsonNode row : answer)
        {
            if (prefix.toString().equals(row.get("prefix").asText()))
            {
                return gateway.equals(row.get("via").asText());
            }
        }
        return false;
    }
}
