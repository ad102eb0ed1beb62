package org.fibnuma.bench.system;

import com.fasterxml.jackson.databind.JsonNode;
import org.agrona.CloseHelper;
import org.fibnuma.bench.lab.Frr;
import org.fibnuma.core.Require;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.stream.Stream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** zebra hands its routes to the router by FPM; the main table of the router's kernel is not used for them. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class FpmSystemTest
{
    /** More than the 10 s after which staticd connects to a zebra that was restarted. */
    private static final int STALE_SECONDS = 20;
    /** How long zebra keeps routes that it finds in the kernel; more than the 10 s of {@link #STALE_SECONDS}. */
    private static final String KEPT_SECONDS = "30";
    private static final String STAYS = "198.19.1.";
    private static final String STAYS6 = "2001:db8:a1::";
    private static final String GOES = "198.19.2.";
    private static final String GOES6 = "2001:db8:a2::";
    private static final String ONLY_IN_KERNEL = "198.19.3.";
    private static final String CHANGES = "198.19.4.";
    private static final String CHANGES6 = "2001:db8:a4::";
    private static final String B = "10.0.1.2";
    private static final String C = "10.0.3.2";
    private static final String C6 = "2001:db8:c::2";

    @TempDir
    private static Path directory;

    private RouterLab lab;
    private Frr frr;

    @BeforeAll
    void startRouterAndZebra() throws IOException
    {
        Require.that(Frr.isInstalled(), Frr.MISSING);
        LabDevice.chosen().requireHost();
        lab = RouterLab.open("fpm");
        frr = new Frr(lab.router().host(), Files.createDirectory(directory.resolve("frr")));
        lab.router().run("chmod", "755", directory.toString());
        lab.startRouter("control = \"fpm\"\nfpm-stale-seconds = " + STALE_SECONDS + "\n");
        startZebra();
        frr.start("staticd");
        frr.configure(
            "ip route " + STAYS + "0/24 10.0.1.2", "ipv6 route " + STAYS6 + "/48 2001:db8:b::2",
            "ip route " + GOES + "0/24 10.0.1.2", "ipv6 route " + GOES6 + "/48 2001:db8:b::2");
        lab.awaitNextHop(RouterLab.BEYOND_B + "1", B);
    }

    @AfterAll
    void close()
    {
        CloseHelper.closeAll(frr, lab);
    }

    /** A change comes as the removal of the old route and the new route; the new one is where frames go. */
    @Test
    @Order(1)
    void shouldForwardByRoutesOfZebra()
    {
        final String[] frames = {Frames.ipv4(CHANGES + "1"), Frames.ipv6(CHANGES6 + "1")};
        frr.configure("ip route " + CHANGES + "0/24 10.0.1.2", "ipv6 route " + CHANGES6 + "/48 2001:db8:b::2");
        lab.awaitNextHop(CHANGES + "1", B);
        lab.awaitNextHop(CHANGES6 + "1", RouterLab.B6);
        assertEquals(2, Observation.of(lab, lab.a(), frames).atB().size());
        frr.configure("ip route " + CHANGES + "0/24 10.0.3.2", "no ip route " + CHANGES + "0/24 10.0.1.2",
            "ipv6 route " + CHANGES6 + "/48 2001:db8:c::2", "no ipv6 route " + CHANGES6 + "/48 2001:db8:b::2");
        lab.awaitNextHop(CHANGES + "1", C);
        lab.awaitNextHop(CHANGES6 + "1", C6);
        assertEquals(2, Observation.of(lab, lab.a(), frames).atC().size());
        frr.configure("no ip route " + CHANGES + "0/24 10.0.3.2", "ip route " + CHANGES + "0/24 blackhole");
        lab.awaitKind(CHANGES + "1", "blackhole");
    }

    /** Two static routes to one prefix are a next-hop group of zebra's, which shrinks to one next hop. */
    @Test
    @Order(2)
    void shouldUseARouteWithTwoNextHops()
    {
        frr.configure("ip route 198.19.5.0/24 10.0.1.2", "ip route 198.19.5.0/24 10.0.3.2");
        lab.awaitKind("198.19.5.1", "group");
        final JsonNode members = lab.lookup("198.19.5.1").get("members");
        assertEquals(List.of(B, C), members.findValuesAsText("via"));
        assertEquals(List.of("128", "128"), members.findValuesAsText("buckets"));
        frr.configure("no ip route 198.19.5.0/24 10.0.1.2");
        lab.awaitNextHop("198.19.5.1", C);
        frr.configure("no ip route 198.19.5.0/24 10.0.3.2");
        lab.awaitKind("198.19.5.1", "no-route");
    }

    @Test
    @Order(3)
    void shouldTellTheSourceAndVerifyAgainstIt()
    {
        lab.awaitNextHop(STAYS + "1", B);
        final Map<String, String> sources = new HashMap<>();
        lab.json("show", "routes").get("routes").forEach(
            route -> sources.put(route.get("prefix").asText(), route.get("source").asText()));
        assertEquals("fpm", sources.get(STAYS + "0/24"));
        assertEquals("fpm", sources.get(STAYS6 + "/48"));
        assertEquals("main", sources.get("10.0.1.0/24"), "a connected network is the kernel's");
        final JsonNode answer = lab.assertVerified();
        assertTrue(answer.get("handedRoutes").asInt() > 10, answer::toString);
    }

    /** zebra is killed and comes back with some routes fewer: what stayed had no gap, what did not is removed. */
    @Test
    @Order(4)
    void shouldForwardWithoutZebraAndSweepWhenItIsBack()
        throws IOException, ExecutionException, InterruptedException
    {
        lab.awaitNextHop(GOES6 + "1", RouterLab.B6);
        try (RouteStream stream = new RouteStream(lab, STAYS + "1", STAYS6 + "1"))
        {
            frr.kill("zebra");
            frr.configure("no ip route " + GOES + "0/24 10.0.1.2", "no ipv6 route " + GOES6 + "/48 2001:db8:b::2");
            lab.route("replace", ONLY_IN_KERNEL + "0/24", "via", B);
            assertEquals(B, lab.lookup(GOES + "1").path("nextHop").asText(), "stays while zebra is gone");
            assertEquals(
                "no-route", lab.lookup(ONLY_IN_KERNEL + "1").path("kind").asText(), "the kernel has it only");
            lab.route("del", ONLY_IN_KERNEL + "0/24");
            // Otherwise zebra finds them in the kernel at its start, and whether it hands over their end is chance.
            lab.route("del", GOES + "0/24");
            lab.route6("del", GOES6 + "/48");
            startZebra();
            lab.awaitKind(GOES + "1", "no-route");
            lab.awaitKind(GOES6 + "1", "no-route");
            stream.assertNothingLost();
        }
        lab.assertVerified();
        final List<String> lines = lab.router().log();
        assertTrue(lines.stream().anyMatch(line -> line.contains("fpm: connection ended")), lines::toString);
    }

    /** A killed zebra leaves its routes in the kernel. With -K the next one keeps them until its daemons are back. */
    @Test
    @Order(5)
    void shouldSweepWhatAKilledZebraLeftInTheKernel() throws IOException
    {
        frr.configure(
            "ip route " + GOES + "0/24 10.0.1.2", "ipv6 route " + GOES6 + "/48 2001:db8:b::2");
        lab.awaitNextHop(GOES + "1", B);
        lab.awaitNextHop(GOES6 + "1", RouterLab.B6);
        frr.kill("zebra");
        frr.configure("no ip route " + GOES + "0/24 10.0.1.2", "no ipv6 route " + GOES6 + "/48 2001:db8:b::2");
        startZebra("-K", KEPT_SECONDS);
        lab.awaitKind(GOES + "1", "no-route");
        lab.awaitKind(GOES6 + "1", "no-route");
        lab.awaitNextHop(STAYS + "1", B);
        lab.awaitNextHop(STAYS6 + "1", RouterLab.B6);
    }

    private void startZebra(final String... options) throws IOException
    {
        frr.startConfigured("zebra", List.of("fpm address 127.0.0.1"),
            Stream.concat(Stream.of("-M", "dplane_fpm_nl"), Stream.of(options)).toArray(String[]::new));
    }
}
