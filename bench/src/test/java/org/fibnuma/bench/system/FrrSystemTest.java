package org.fibnuma.bench.system;

import org.fibnuma.bench.lab.ChildProcess;
import org.fibnuma.core.Require;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.function.BooleanSupplier;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** FRR on the router's host: what zebra puts into the kernel is what the router forwards by. */
@ExtendWith(LabExtension.class)
class FrrSystemTest
{
    private static final Path DAEMONS = Path.of("/usr/lib/frr");
    private static final Duration PATIENCE = Duration.ofSeconds(15);
    private static final String FRAME =
        "TO_ROUTER/IP(src='10.0.0.2', dst='198.19.255.1')/UDP(sport=1, dport=2)";

    @TempDir
    private Path directory;

    private final RouterLab lab;
    private ChildProcess zebra;
    private ChildProcess staticd;

    FrrSystemTest(final RouterLab lab)
    {
        this.lab = lab;
    }

    @BeforeEach
    void startFrr() throws IOException
    {
        Require.that(Files.isExecutable(DAEMONS.resolve("zebra")), "needs FRR: apt-get install frr");
        Files.createFile(directory.resolve("empty.conf"));
        lab.router().run("chown", "-R", "frr:frr", directory.toString());
        zebra = daemon("zebra");
        await(() -> Files.exists(directory.resolve("zserv")), "zebra's socket");
        staticd = daemon("staticd");
        await(() -> Files.exists(directory.resolve("staticd.vty")), "staticd's socket");
    }

    private ChildProcess daemon(final String name)
    {
        return lab.router().start(
            DAEMONS.resolve(name).toString(),
            "-f", directory.resolve("empty.conf").toString(),
            "-i", directory.resolve(name + ".pid").toString(),
            "-z", directory.resolve("zserv").toString(),
            "--vty_socket", directory.toString(), "-A", "127.0.0.1", "-P", "0");
    }

    @AfterEach
    void stopFrr()
    {
        for (final ChildProcess daemon : new ChildProcess[] {staticd, zebra})
        {
            if (daemon != null)
            {
                daemon.close();
            }
        }
    }

    /** RFC 1812 section 7 leaves routes to protocols; a static route of FRR's takes the same way as BGP's. */
    @Test
    void shouldFollowRoutesOfFrr()
    {
        configure("ip route 198.19.255.0/24 10.0.1.2");
        await(() -> Observation.of(lab, lab.a(), FRAME).atB().size() == 1, "the route to b");
        configure("no ip route 198.19.255.0/24 10.0.1.2", "ip route 198.19.255.0/24 10.0.3.2");
        await(() -> Observation.of(lab, lab.a(), FRAME).atC().size() == 1, "the route to c");
        configure("no ip route 198.19.255.0/24 10.0.3.2", "ip route 198.19.255.0/24 blackhole");
        await(() -> Observation.of(lab, lab.a(), FRAME).fates().count("route-blackhole") == 1, "the blackhole");
        configure("no ip route 198.19.255.0/24 blackhole");
        await(() -> !Observation.of(lab, lab.a(), FRAME).atA().isEmpty(), "the end of the route");
        assertEquals(3, Observation.of(lab, lab.a(), FRAME).atA().get(0).icmp().type());
    }

    private void configure(final String... lines)
    {
        final String[] command = new String[3 + 2 * lines.length + 2];
        command[0] = "vtysh";
        command[1] = "--vty_socket";
        command[2] = directory.toString();
        command[3] = "-c";
        command[4] = "configure terminal";
        for (int i = 0; i < lines.length; i++)
        {
            command[5 + 2 * i] = "-c";
            command[6 + 2 * i] = lines[i];
        }
        lab.router().run(command);
    }

    private static void await(final BooleanSupplier condition, final String what)
    {
        final long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (!condition.getAsBoolean())
        {
            assertTrue(System.nanoTime() < deadline, what + " does not come");
            Thread.onSpinWait();
        }
    }
}
