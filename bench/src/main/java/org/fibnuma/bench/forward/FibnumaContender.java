package org.fibnuma.bench.forward;

import org.fibnuma.bench.fib.NextHopNetwork;
import org.fibnuma.bench.lab.DpdkTelemetry;
import org.fibnuma.bench.lab.RouterProcess;
import org.fibnuma.core.wire.IpAddress;
import org.fibnuma.core.wire.MacAddress;

import java.time.Duration;
import java.util.List;

/** Fibnuma's router as a user runs it, with the whole tables and one worker. */
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
    public Running start(final ForwardRig rig, final CaptureKind kind)
    {
        final RouterProcess router = RouterProcess.start(
            rig.host(), config(rig, kind), PATIENCE, List.of("-Dfibnuma.dpdk.telemetry=true"));
        try
        {
            return new Running(NAME, router.pid(), router::isAlive, router::errors,
                DpdkTelemetry.connect("fibnuma-" + router.pid()), router::close);
        }
        catch (final RuntimeException ex)
        {
            router.close();
            throw ex;
        }
    }

    private static String config(final ForwardRig rig, final CaptureKind kind)
    {
        final int ring = Integer.highestOneBit(rig.frames() - 1) << 1;
        final boolean withIpv6 = rig.table().hasIpv6();
        final StringBuilder text = new StringBuilder(String.join("\n",
            "[router]",
            "name = \"bench-forward-" + ProcessHandle.current().pid() + "\"",
            "control = \"static\"",
            "idle = \"busy\"",
            "ipv6 = " + withIpv6,
            "cores = [" + rig.core() + "]",
            "routes-file = \"" + rig.tableFile() + "\"",
            "rx-ring-size = " + ring,
            "frames-per-worker = " + (2 * ring + SPARE_FRAMES),
            "[[port]]",
            "name = \"in\"",
            "device = \"dpdk:" + rig.source(kind) + "\"",
            "exception = \"none\"",
            addresses("10.0.0.1/24", withIpv6 ? "fd00::1/64" : null),
            "mac = \"" + MacAddress.format(ForwardRig.ROUTER_MAC) + "\"",
            "[[port]]",
            "name = \"out\"",
            "device = \"dpdk:" + rig.sink() + "\"",
            "exception = \"none\"",
            addresses(NextHopNetwork.ROUTER + "/" + NextHopNetwork.LENGTH,
                withIpv6 ? NextHopNetwork.IPV6_ROUTER + "/" + NextHopNetwork.IPV6_LENGTH : null),
            "mac = \"" + MacAddress.format(ForwardRig.ROUTER_MAC + 1) + "\"",
            ""));
        for (final IpAddress nextHop : rig.nextHops())
        {
            text.append("[[neighbor]]\naddress = \"").append(nextHop)
                .append("\"\nmac = \"").append(MacAddress.format(ForwardRig.NEXT_HOP_MAC)).append("\"\n");
        }
        return text.toString();
    }

    private static String addresses(final String ipv4, final String ipv6)
    {
        return "address = [\"" + ipv4 + "\"" + (ipv6 == null ? "" : ", \"" + ipv6 + "\"") + "]";
    }
}
