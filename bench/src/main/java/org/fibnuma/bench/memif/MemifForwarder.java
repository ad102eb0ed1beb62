package org.fibnuma.bench.memif;

import org.fibnuma.bench.fib.NextHopNetwork;
import org.fibnuma.bench.lab.DpdkTelemetry;
import org.fibnuma.bench.lab.RouterProcess;
import org.fibnuma.core.service.netns.ChildProcess;
import org.fibnuma.core.wire.Ipv4Address;
import org.fibnuma.core.wire.MacAddress;

import java.time.Duration;
import java.util.function.BooleanSupplier;

/**
 * The program between the two links.
 *
 * @param name       in the results.
 * @param routerName of a Fibnuma router for its control socket, null for another program.
 * @param alive      whether the program runs.
 * @param stop       ends it.
 */
record MemifForwarder(String name, String routerName, BooleanSupplier alive, Runnable stop) implements AutoCloseable
{
    static final String ROUTER = "fibnuma";
    static final String PEER = "testpmd mac";

    private static final String TESTPMD = "dpdk-testpmd";
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final int TESTPMD_FRAMES = 32768;

    static MemifForwarder start(final String name, final MemifRig rig)
    {
        rig.removeSocket();
        return ROUTER.equals(name) ? router(rig) : testpmd(rig);
    }

    private static MemifForwarder router(final MemifRig rig)
    {
        final String routerName = "bench-memif-" + ProcessHandle.current().pid();
        final RouterProcess process = RouterProcess.start(rig.host(), config(rig, routerName), PATIENCE);
        return new MemifForwarder(ROUTER, routerName, process::isAlive, process::close);
    }

    private static MemifForwarder testpmd(final MemifRig rig)
    {
        final String prefix = "fibnuma-memif-" + ProcessHandle.current().pid();
        final ChildProcess process = rig.host().start(
            TESTPMD, "--no-pci", "--in-memory", "--file-prefix", prefix,
            "--lcores", "0@" + rig.core() + ",1@" + rig.core(),
            "--vdev", rig.device(0, true), "--vdev", rig.device(1, true),
            "--", "--forward-mode=mac", "--burst=64", "--stats-period=1", "--nb-cores=1", "--disable-link-check",
            "--total-num-mbufs=" + TESTPMD_FRAMES);
        try
        {
            process.awaitLine(line -> line.contains("NIC statistics"), PATIENCE);
            final DpdkTelemetry telemetry = DpdkTelemetry.connect(prefix);
            return new MemifForwarder(PEER, null, process::isAlive, () ->
            {
                process.close();
                telemetry.close();
            });
        }
        catch (final RuntimeException ex)
        {
            process.close();
            throw ex;
        }
    }

    /** Returns a configuration with the whole table, and half of the generator's destinations to each side. */
    private static String config(final MemifRig rig, final String routerName)
    {
        final StringBuilder text = new StringBuilder(String.join("\n",
            "[router]",
            "name = \"" + routerName + "\"",
            "control = \"static\"",
            "idle = \"busy\"",
            "cores = [" + rig.core() + "]",
            "routes-file = \"" + rig.tableFile() + "\"",
            port("left", rig.device(0, true), "\"10.1.0.1/24\""),
            port("right", rig.device(1, true),
                "\"10.2.0.1/24\", \"" + NextHopNetwork.ROUTER + "/" + NextHopNetwork.LENGTH + "\""),
            "[[route]]",
            "prefix = \"10.253.0.0/23\"",
            "via = \"10.1.0.2\"",
            "[[route]]",
            "prefix = \"10.253.2.0/23\"",
            "via = \"10.2.0.2\"",
            neighbor("10.1.0.2"),
            neighbor("10.2.0.2")));
        for (final int nextHop : rig.nextHops())
        {
            text.append(neighbor(Ipv4Address.format(nextHop)));
        }
        return text.toString();
    }

    private static String port(final String name, final String device, final String addresses)
    {
        return "[[port]]\nname = \"" + name + "\"\ndevice = \"dpdk:" + device + "\"\nexception = \"none\"\n" +
            "address = [" + addresses + "]\nmac = \"" + MacAddress.format(MemifRig.ROUTER_MAC) + "\"";
    }

    private static String neighbor(final String address)
    {
        return "[[neighbor]]\naddress = \"" + address + "\"\nmac = \"" + MacAddress.format(MemifRig.NEXT_HOP_MAC) +
            "\"\n";
    }

    @Override
    public void close()
    {
        stop.run();
    }
}
