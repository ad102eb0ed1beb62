package org.fibnuma.bench.system;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import org.fibnuma.bench.lab.CommandLineOutput;
import org.fibnuma.binding.libc.NetworkNamespace;
import org.fibnuma.binding.rtnetlink.KernelRouteWriter;
import org.fibnuma.core.Require;
import org.fibnuma.core.kernel.KernelRoute;
import org.fibnuma.core.wire.Ipv4Address;
import org.fibnuma.fibnic.routes.RouteList;
import org.fibnuma.fibnic.routes.RouteTableGenerator;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.TestReporter;

import java.io.IOException;
import java.util.concurrent.locks.LockSupport;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** A million routes in the kernel: loaded at the start, followed while the router runs, and all of them right. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class FullTableSystemTest
{
    private static final int ROUTES = 1_000_000;
    /** For a machine that has other work: the promise is 10 s. */
    private static final double PATIENCE_SECONDS = 180;
    private static final long POLL_NS = 50_000_000;
    private static final ObjectMapper JSON = new ObjectMapper();

    private final RouteList routes = new RouteTableGenerator(1, 7).generate(ROUTES);
    private RouterLab lab;

    @BeforeAll
    void fillTheKernelsTable()
    {
        Require.root();
        Require.scapy();
        Require.program("ip", "iproute2");
        LabDevice.chosen().requireHost();
        lab = RouterLab.open("full");
        putRoutes("10.0.1.2");
    }

    @AfterAll
    void close()
    {
        if (lab != null)
        {
            lab.close();
        }
    }

    /** From nothing to forwarding with a million routes; the time is published beside the promise of 10 s. */
    @Test
    @Order(1)
    void shouldLoadAMillionRoutes(final TestReporter reporter)
    {
        final long start = System.nanoTime();
        lab.startRouterWithBothCompilers("");
        final double seconds = (System.nanoTime() - start) / 1e9;
        reporter.publishEntry("seconds from the start of the process to ready with 1,000,000 kernel routes",
            String.format("%.2f", seconds));
        assertForwardedTo(lab.b());
    }

    /** A million changes at once, more than a socket's buffer holds: none is lost for good. */
    @Test
    @Order(2)
    void shouldFollowWhenEveryRouteChanges(final TestReporter reporter) throws IOException
    {
        final long start = System.nanoTime();
        putRoutes("10.0.3.2");
        final double written = (System.nanoTime() - start) / 1e9;
        final String last = Ipv4Address.format(routes.prefix(ROUTES - 1));
        while (!"10.0.3.2".equals(lookup(last).path("nextHop").asText()))
        {
            assertTrue((System.nanoTime() - start) / 1e9 < PATIENCE_SECONDS, "the last change is not followed");
            LockSupport.parkNanos(POLL_NS);
        }
        final double seconds = (System.nanoTime() - start) / 1e9;
        reporter.publishEntry("seconds for 1,000,000 changes: in the kernel, and in the router",
            String.format("%.2f, %.2f", written, seconds));
        CommandLineOutput.of("verify", "--json", "--name", lab.name());
        assertForwardedTo(lab.c());
    }

    private JsonNode lookup(final String address) throws IOException
    {
        return JSON.readTree(CommandLineOutput.of("lookup", address, "--json", "--name", lab.name()));
    }

    private void assertForwardedTo(final ScapyHost host)
    {
        final String destination = Ipv4Address.format(routes.prefix(ROUTES / 2) | 1);
        final Observation seen = Observation.of(lab, lab.a(),
            "TO_ROUTER/IP(src='10.0.0.2', dst='" + destination + "')/UDP(sport=1, dport=2)");
        assertEquals(1, (host == lab.b() ? seen.atB() : seen.atC()).size(), seen::toString);
    }

    private void putRoutes(final String gateway)
    {
        NetworkNamespace.call(lab.router().host().namespaceFile(), () ->
        {
            try (KernelRouteWriter writer = new KernelRouteWriter())
            {
                for (int i = 0; i < routes.size(); i++)
                {
                    writer.put(new KernelRoute(routes.prefix(i), routes.length(i), KernelRoute.TABLE_MAIN, 0,
                        KernelRoute.Kind.UNICAST, Ipv4Address.parse(gateway), 0));
                }
                writer.flush();
            }
            return null;
        });
    }
}
