package org.fibnuma.bench.system;

import org.fibnuma.bench.lab.Frr;
import org.fibnuma.core.Require;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Path;

import static org.junit.jupiter.api.Assertions.assertEquals;

/** FRR on the router's host: what zebra puts into the kernel is what the router forwards by. */
@ExtendWith(LabExtension.class)
class FrrSystemTest
{
    private static final String FRAME =
        "TO_ROUTER/IP(src='10.0.0.2', dst='198.19.255.1')/UDP(sport=1, dport=2)";

    @TempDir
    private Path directory;

    private final RouterLab lab;
    private Frr frr;

    FrrSystemTest(final RouterLab lab)
    {
        this.lab = lab;
    }

    @BeforeEach
    void startFrr() throws IOException
    {
        Require.that(Frr.isInstalled(), Frr.MISSING);
        frr = new Frr(lab.router().host(), directory);
        frr.start("zebra");
        frr.start("staticd");
    }

    @AfterEach
    void stopFrr()
    {
        if (frr != null)
        {
            frr.close();
        }
    }

    /** RFC 1812 section 7 leaves routes to protocols; a static route of FRR's takes the same way as BGP's. */
    @Test
    void shouldFollowRoutesOfFrr()
    {
        frr.configure("ip route 198.19.255.0/24 10.0.1.2");
        Frr.await(() -> Observation.of(lab, lab.a(), FRAME).atB().size() == 1, "the route to b");
        frr.configure("no ip route 198.19.255.0/24 10.0.1.2", "ip route 198.19.255.0/24 10.0.3.2");
        Frr.await(() -> Observation.of(lab, lab.a(), FRAME).atC().size() == 1, "the route to c");
        frr.configure("no ip route 198.19.255.0/24 10.0.3.2", "ip route 198.19.255.0/24 blackhole");
        Frr.await(() -> Observation.of(lab, lab.a(), FRAME).fates().count("route-blackhole") == 1, "the blackhole");
        frr.configure("no ip route 198.19.255.0/24 blackhole");
        Frr.await(() -> !Observation.of(lab, lab.a(), FRAME).atA().isEmpty(), "the end of the route");
        assertEquals(3, Observation.of(lab, lab.a(), FRAME).atA().get(0).icmp().type());
    }
}
