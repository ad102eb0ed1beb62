package org.fibnuma.bench.forward;

import org.fibnuma.bench.fib.NextHopNetwork;
import org.fibnuma.bench.lab.DpdkTelemetry;
import org.fibnuma.bench.lab.RouterProcess;
import org.fibnuma.core.wire.Ipv4Address;
import org.fibnuma.core.wire.MacAddress;

import java.time.Duration;
import java.util.List;

/** Fibnuma's router as a user runs it, with the whole table and one worker. */
final class FibnumaContender implements Contender
{
    static final String NAME = "fibnuma";

    private static final Duration PATIENCE = Duration.ofSeconds(60);
    /** Frames beyond those of the capture: for frames in the router and as many again for the driver. */
    private static final int SPARE_FRAMES = 16384;

    @Override
    public String name()
    {
        return NAME;
    }

    @Override
    public Running start(final ForwardRig rig)
    {
        final RouterProcess router = RouterProcess.start(
            rig.host(), config(rig), PATIENCE, List.of("-Dfibnuma.dpdk.telemetry=true"));
        try
        {
            return new Running(NAME, router::isAlive, router::errors,
                DpdkTelemetry.connect("fibnuma-" + router.pid()), router::close);
        }
        catch (final RuntimeException ex)
        {
            router.close();
            throw ex;
        }
    }

    private static String config(final ForwardRig rig)
    {
        final int ring = Integer.highestOneBit(rig.frames() - 1) << 1;
        final StringBuilder text = new StringBuilder(String.join("\n",
            "[router]",
            "name = \"bench-forward-" + ProcessHandle.current().pid() + "\"",
            "control = \"static\"",
            "idle = \"busy\"",
            "cores = [" + rig.core() + "]",
            "routes-file = \"" + rig.tableFile() + "\"",
            "rx-ring-size = " + ring,
            "frames-per-worker = " + (2 * ring + SPARE_FRAMES),
            "[[port]]",
            "name = \"in\"",
            "device = \"dpdk:" + rig.source() + "\"",
            "exception = \"none\"",
            "address = [\"10.0.0.1/24\"]",
            "mac = \"" + MacAddress.format(ForwardRig.ROUTER_MAC) + "\"",
            "[[port]]",
            "name = \"out\"",
            "device = \"dpdk:" + rig.sink() + "\"",
            "exception = \"none\"",
            "address = [\"" + NextHopNetwork.ROUTER + "/" + NextHopNetwork.LENGTH + "\"]",
            "mac = \"" + MacAddress.format(ForwardRig.ROUTER_MAC + 1) + "\"",
            ""));
        for (final int nextHop : rig.nextHops())
        {
            text.append("[[neighbor]]\naddress = \"").append(Ipv4Address.format(nextHop))
                .append("\"\nmac = \"").append(MacAddress.format(ForwardRig.NEXT_HOP_MAC)).append("\"\n");
        }
        return text.toString();
    }
}
