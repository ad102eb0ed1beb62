package org.fibnuma.bench.system;

import com.fasterxml.jackson.databind.JsonNode;
import org.agrona.CloseHelper;
import org.fibnuma.bench.lab.BgpSpeaker;
import org.fibnuma.bench.lab.Frr;
import org.fibnuma.bench.lab.KernelTable;
import org.fibnuma.core.Require;
import org.fibnuma.core.wire.Ipv4Address;
import org.fibnuma.fibnic.routes.RouteList;
import org.fibnuma.fibnic.routes.RouteTableGenerator;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestReporter;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** A million routes of a BGP neighbour, which zebra hands to the router and installs in the kernel. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Tag("slow")
class FpmFullTableSystemTest
{
    private static final int ROUTES = 1_000_000;
    private static final int WITHDRAWN = 400_000;
    /** For a machine that has other work: the promise is 30 s. */
    private static final double PATIENCE_SECONDS = 400;
    /** Asked more often, the router and the kernel would answer instead of working. */
    private static final long POLL_NS = 200_000_000;
    private static final int ROUTER_AS = 65001;
    private static final int NEIGHBOR_AS = 65002;

    private final RouteList routes = new RouteTableGenerator(1, 7).generate(ROUTES);
    private RouterLab lab;
    private Frr frr;

    @BeforeAll
    void startRouterAndFrr(@TempDir final Path directory) throws IOException
    {
        Require.that(Frr.isInstalled(), Frr.MISSING);
        LabDevice.chosen().requireHost();
        lab = RouterLab.open("fpm-full");
        frr = new Frr(lab.router().host(), Files.createDirectory(directory.resolve("frr")));
        lab.router().run("chmod", "755", directory.toString());
        lab.startRouterWithBothCompilers("control = \"fpm\"\n");
        frr.startConfigured("zebra", List.of("fpm address 127.0.0.1"), "-M", "dplane_fpm_nl");
        frr.start("bgpd");
        frr.configure("router bgp " + ROUTER_AS, "bgp router-id 10.0.1.1", "no bgp ebgp-requires-policy",
            "neighbor 10.0.1.2 remote-as " + NEIGHBOR_AS, "neighbor 10.0.1.2 passive");
        Frr.await(() -> prefixes() > 20, "the routes of the kernel by zebra");
    }

    @AfterAll
    void close()
    {
        CloseHelper.closeAll(frr, lab);
    }

    @Test
    void shouldHaveAMillionRoutesOfABgpNeighborAndLoseThoseItWithdraws(final TestReporter reporter) throws IOException
    {
        final int before = prefixes();
        try (BgpSpeaker neighbor = BgpSpeaker.open(lab.b().host(), "10.0.1.1", NEIGHBOR_AS, "10.0.1.2"))
        {
            final long start = System.nanoTime();
            neighbor.announce(routes, 0, ROUTES, "10.0.1.2", NEIGHBOR_AS);
            final double announced = seconds(start);
            await(start, "the FIB", () -> prefixes() == before + ROUTES);
            final double router = seconds(start);
            await(start, "the kernel", () -> KernelTable.prefixes(lab.router().host()) >= ROUTES);
            reporter.publishEntry(
                "seconds from the first UPDATE: announced, 1,000,000 routes in the FIB by FPM, in the kernel by zebra",
                String.format(Locale.ROOT, "%.2f, %.2f, %.2f", announced, router, seconds(start)));
            final JsonNode verified = lab.assertVerified();
            assertTrue(verified.get("handedRoutes").asInt() >= ROUTES, verified::toString);
            final String destination = Ipv4Address.format(routes.prefix(ROUTES / 2) | 1);
            assertEquals(1, Observation.of(lab, lab.a(), Frames.ipv4(destination)).atB().size());
            neighbor.withdraw(routes, 0, WITHDRAWN);
            await(System.nanoTime(), "the end of routes", () -> prefixes() == before + ROUTES - WITHDRAWN);
            lab.assertVerified();
        }
    }

    private void await(final long start, final String what, final BooleanSupplier condition)
    {
        while (!condition.getAsBoolean())
        {
            assertTrue(seconds(start) < PATIENCE_SECONDS, () -> what + ": the router has " + prefixes() +
                " prefixes, the kernel " + KernelTable.prefixes(lab.router().host()));
            LockSupport.parkNanos(POLL_NS);
        }
    }

    private int prefixes()
    {
        return lab.json("show", "routes", "--limit", "1").get("prefixes").asInt();
    }

    private static double seconds(final long start)
    {
        return (System.nanoTime() - start) / 1e9;
    }
}
