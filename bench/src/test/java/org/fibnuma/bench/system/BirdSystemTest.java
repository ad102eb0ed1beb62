package org.fibnuma.bench.system;

import org.agrona.CloseHelper;
import org.fibnuma.bench.lab.NamespaceTest;
import org.fibnuma.core.Await;
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
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.stream.Collectors;

import static org.junit.jupiter.api.Assertions.assertEquals;

/** bird 2 on the router's host puts the routes of a BGP neighbour into the kernel, by {@code docs/bird.conf}. */
@NamespaceTest("bird")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class BirdSystemTest
{
    private static final String STAYS = "198.19.1.";
    private static final String STAYS6 = "2001:db8:a1::";
    private static final String GOES = "198.19.2.";
    private static final String GOES6 = "2001:db8:a2::";
    private static final String COMES = "198.19.3.";
    private static final String COMES6 = "2001:db8:a3::";

    @TempDir
    private static Path directory;

    private RouterLab lab;
    private Bird bird;
    private Bird neighbor;

    @BeforeAll
    void startRouterAndBird() throws IOException
    {
        LabDevice.chosen().requireHost();
        lab = RouterLab.open("bird");
        lab.startRouter();
        neighbor = new Bird(lab.b().host(), Files.createDirectory(directory.resolve("neighbor")));
        neighbor.start(neighborConfig(List.of(STAYS, GOES), List.of(STAYS6, GOES6)));
        bird = new Bird(lab.router().host(), Files.createDirectory(directory.resolve("router")));
        startBird();
    }

    private void startBird() throws IOException
    {
        bird.start(Files.readString(Require.projectDirectory().resolve("docs/bird.conf")), "-R");
    }

    @AfterAll
    void close()
    {
        CloseHelper.closeAll(bird, neighbor, lab);
    }

    @Test
    @Order(1)
    void shouldFollowRoutesOfBird() throws IOException
    {
        awaitRoutes(STAYS, STAYS6, GOES, GOES6);
        assertEquals(2, Observation.of(lab, lab.a(), Frames.ipv4(STAYS + "1"), Frames.ipv6(STAYS6 + "1"))
            .atB().size());
        neighbor.configure(neighborConfig(List.of(STAYS), List.of(STAYS6)));
        awaitNoRoutes(GOES, GOES6);
        neighbor.configure(neighborConfig(List.of(STAYS, GOES), List.of(STAYS6, GOES6)));
        awaitRoutes(GOES, GOES6);
    }

    /** bird is killed and comes back with some routes fewer: what stayed had no gap, what did not is removed. */
    @Test
    @Order(2)
    void shouldForwardWithoutBirdAndHaveNoStaleRouteWhenItIsBack()
        throws IOException, ExecutionException, InterruptedException
    {
        try (RouteStream stream = new RouteStream(lab, STAYS + "1", STAYS6 + "1"))
        {
            bird.kill();
            neighbor.configure(neighborConfig(List.of(STAYS, COMES), List.of(STAYS6, COMES6)));
            assertEquals("forward", lab.lookup(GOES + "1").path("kind").asText(), "stays while bird is gone");
            assertEquals("forward", lab.lookup(GOES6 + "1").path("kind").asText(), "stays while bird is gone");
            startBird();
            awaitRoutes(COMES, COMES6);
            awaitNoRoutes(GOES, GOES6);
            stream.assertNothingLost();
        }
        lab.assertVerified();
    }

    private void awaitRoutes(final String... networks)
    {
        for (final String network : networks)
        {
            Await.until("the route to " + network,
                () -> !"no-route".equals(lab.lookup(network + "1").path("kind").asText()));
        }
    }

    private void awaitNoRoutes(final String... networks)
    {
        for (final String network : networks)
        {
            lab.awaitKind(network + "1", "no-route");
        }
    }

    private static String neighborConfig(final List<String> ipv4, final List<String> ipv6)
    {
        return """
            log stderr all;
            router id 10.0.1.2;
            protocol device { }
            protocol static { ipv4; %s}
            protocol static { ipv6; %s}
            template bgp session { local as 65002; graceful restart on; connect delay time 1; connect retry time 1;
              error wait time 1, 5; }
            protocol bgp router4 from session { neighbor 10.0.1.1 as 65001; ipv4 { import none; export all; }; }
            protocol bgp router6 from session { neighbor %s as 65001; ipv6 { import none; export all; }; }
            """.formatted(routes(ipv4, "0/24"), routes(ipv6, "/48"), RouterLab.ROUTER_B6);
    }

    private static String routes(final List<String> starts, final String end)
    {
        return starts.stream().map(start -> "route " + start + end + " unreachable; ").collect(Collectors.joining());
    }
}
