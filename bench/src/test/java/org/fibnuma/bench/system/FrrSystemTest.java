package org.fibnuma.bench.system;

import org.agrona.CloseHelper;
import org.fibnuma.bench.lab.Frr;
import org.fibnuma.core.Require;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

import static org.fibnuma.bench.system.Frames.UDP;
import static org.fibnuma.bench.system.Frames.ip;
import static org.junit.jupiter.api.Assertions.assertEquals;

/** FRR on the router's host: what zebra puts into the kernel is what the router forwards by. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class FrrSystemTest extends WireTest
{
    private static final String STATIC = Frames.ipv4("198.19.255.1");
    private static final String BY_BGP = ip("10.0.1.2", "198.19.254.1", "") + UDP;

    private Frr router;
    private Frr neighbor;

    @BeforeAll
    void startFrr(@TempDir final Path directory) throws IOException
    {
        Require.that(Frr.isInstalled(), Frr.MISSING);
        lab.router().run("chmod", "755", directory.toString());
        router = new Frr(lab.router().host(), Files.createDirectory(directory.resolve("router")));
        neighbor = new Frr(lab.a().host(), Files.createDirectory(directory.resolve("neighbor")));
        router.start("zebra");
        router.start("staticd");
        router.start("bgpd");
        neighbor.start("bgpd", "--no_zebra");
    }

    @AfterAll
    void stopFrr()
    {
        CloseHelper.closeAll(neighbor, router);
    }

    /** RFC 1812 section 7 leaves routes to protocols; a static route of FRR's takes the same way as BGP's. */
    @Test
    void shouldFollowStaticRoutes()
    {
        router.configure("ip route 198.19.255.0/24 10.0.1.2");
        Frr.await(() -> fromA(STATIC).atB().size() == 1, "the route to b");
        router.configure("no ip route 198.19.255.0/24 10.0.1.2", "ip route 198.19.255.0/24 10.0.3.2");
        Frr.await(() -> fromA(STATIC).atC().size() == 1, "the route to c");
        router.configure("no ip route 198.19.255.0/24 10.0.3.2", "ip route 198.19.255.0/24 blackhole");
        Frr.await(() -> fromA(STATIC).fates().count("route-blackhole") == 1, "the blackhole");
        router.configure("no ip route 198.19.255.0/24 blackhole");
        Frr.await(() -> !fromA(STATIC).atA().isEmpty(), "the end of the route");
        fromA(STATIC).onlyErrorAtA(3, 0);
    }

    /** RFC 4271 over TCP to the router's address: what the neighbour withdraws is gone. */
    @Test
    void shouldFollowRoutesOfABgpNeighbor()
    {
        router.configure("router bgp 65001", "bgp router-id 10.0.0.1", "no bgp ebgp-requires-policy",
            "neighbor 10.0.0.2 remote-as 65002", "neighbor 10.0.0.2 timers connect 1");
        neighbor.configure("router bgp 65002", "bgp router-id 10.0.0.2", "no bgp ebgp-requires-policy",
            "no bgp network import-check", "neighbor 10.0.0.1 remote-as 65001",
            "neighbor 10.0.0.1 timers connect 1",
            "address-family ipv4 unicast", "network 198.19.254.0/24");
        Frr.await(() -> fromB(BY_BGP).atA().size() == 1, "the route by BGP");
        neighbor.configure("router bgp 65002", "address-family ipv4 unicast", "no network 198.19.254.0/24");
        Frr.await(() -> fromB(BY_BGP).atA().isEmpty(), "its end");
        final Observation seen = fromB(BY_BGP);
        assertEquals(1, seen.atB().size(), seen::toString);
        assertEquals(3, seen.atB().get(0).icmp().type());
    }
}
