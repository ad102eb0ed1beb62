package org.fibnuma.bench.system;

import org.fibnuma.bench.lab.Frr;
import org.fibnuma.core.Require;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

import static org.junit.jupiter.api.Assertions.assertEquals;

/** A routing protocol of the router's host with a neighbour on a cable: RFC 4271 over TCP to the router's address. */
@ExtendWith(LabExtension.class)
class BgpSystemTest
{
    private static final String NETWORK = "198.19.254.";
    private static final String FRAME = "TO_ROUTER/IP(src='10.0.1.2', dst='" + NETWORK + "1')/UDP(sport=1, dport=2)";

    @TempDir
    private Path directory;

    private final RouterLab lab;
    private Frr router;
    private Frr neighbor;

    BgpSystemTest(final RouterLab lab)
    {
        this.lab = lab;
    }

    @BeforeEach
    void startFrr() throws IOException
    {
        Require.that(Frr.isInstalled(), Frr.MISSING);
        router = new Frr(lab.router().host(), Files.createDirectory(directory.resolve("router")));
        neighbor = new Frr(lab.a().host(), Files.createDirectory(directory.resolve("neighbor")));
        lab.router().run("chmod", "755", directory.toString());
        router.start("zebra");
        router.start("bgpd");
        neighbor.start("bgpd", "--no_zebra");
    }

    @AfterEach
    void stopFrr()
    {
        for (final Frr frr : new Frr[] {neighbor, router})
        {
            if (frr != null)
            {
                frr.close();
            }
        }
    }

    /** What the neighbour announces is where frames go, and what it withdraws is gone. */
    @Test
    void shouldFollowRoutesOfABgpNeighbor()
    {
        router.configure("router bgp 65001", "bgp router-id 10.0.0.1", "no bgp ebgp-requires-policy",
            "neighbor 10.0.0.2 remote-as 65002", "neighbor 10.0.0.2 timers connect 1");
        neighbor.configure("router bgp 65002", "bgp router-id 10.0.0.2", "no bgp ebgp-requires-policy",
            "no bgp network import-check", "neighbor 10.0.0.1 remote-as 65001",
            "neighbor 10.0.0.1 timers connect 1",
            "address-family ipv4 unicast", "network " + NETWORK + "0/24");
        Frr.await(() -> arrived(Observation.of(lab, lab.b(), FRAME)) == 1, "the route by BGP");
        neighbor.configure("router bgp 65002", "address-family ipv4 unicast", "no network " + NETWORK + "0/24");
        Frr.await(() -> arrived(Observation.of(lab, lab.b(), FRAME)) == 0, "its end");
        final Observation seen = Observation.of(lab, lab.b(), FRAME);
        assertEquals(1, seen.atB().size(), seen::toString);
        assertEquals(3, seen.atB().get(0).icmp().type());
    }

    private static long arrived(final Observation seen)
    {
        return seen.atA().stream().filter(frame -> frame.ip().destination().startsWith(NETWORK)).count();
    }
}
