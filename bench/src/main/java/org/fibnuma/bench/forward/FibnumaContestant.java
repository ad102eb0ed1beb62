package org.fibnuma.bench.forward;

import org.fibnuma.bench.fib.NextHopNetwork;
import org.fibnuma.bench.lab.Contestant;
import org.fibnuma.bench.lab.DpdkTelemetry;
import org.fibnuma.bench.lab.RouterProcess;
import org.fibnuma.core.service.netns.Host;
import org.fibnuma.core.wire.IpAddress;
import org.fibnuma.core.wire.MacAddress;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** Fibnuma's router as a user runs it, of this or another build, with the whole tables and one worker. */
final class FibnumaContestant implements Contestant<ForwardRig.Replay>
{
    static final String NAME = "fibnuma";
    static final String OTHER_NAME = "other fibnuma";

    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final Duration BUILD_PATIENCE = Duration.ofMinutes(10);
    private static final List<String> FLAGS = List.of("-Dfibnuma.dpdk.telemetry=true");
    /** Frames beyond those of the capture: for frames in the router and as many again for the driver. */
    private static final int SPARE_FRAMES = 16384;

    private final Path clone;

    /** The router of this build. */
    FibnumaContestant()
    {
        this(null);
    }

    /**
     * The router of another build, or of this one.
     *
     * @param clone top directory of another clone, or null.
     */
    FibnumaContestant(final Path clone)
    {
        this.clone = clone;
    }

    @Override
    public String name()
    {
        return clone == null ? NAME : OTHER_NAME;
    }

    @Override
    public Running start(final ForwardRig.Replay replay)
    {
        final Host host = replay.rig().host();
        final RouterProcess router = clone == null ?
            RouterProcess.start(host, config(replay), PATIENCE, FLAGS) :
            RouterProcess.startOfClone(host, clone, config(replay), BUILD_PATIENCE, FLAGS);
        try
        {
            return Running.of(name(), router, DpdkTelemetry.connect("fibnuma-" + router.pid()));
        }
        catch (final RuntimeException ex)
        {
            router.close();
            throw ex;
        }
    }

    private String config(final ForwardRig.Replay replay)
    {
        final ForwardRig rig = replay.rig();
        final int ring = Integer.highestOneBit(rig.frames() - 1) << 1;
        final boolean withIpv6 = rig.table().hasIpv6();
        final StringBuilder text = new StringBuilder(String.join("\n",
            "[router]",
            "name = \"bench-forward-" + ProcessHandle.current().pid() + (clone == null ? "" : "-other") + "\"",
            "control = \"static\"",
            "idle = \"busy\"",
            "ipv6 = " + withIpv6,
            "cores = [" + rig.core() + "]",
            "routes-file = \"" + rig.tableFile() + "\"",
            "rx-ring-size = " + ring,
            "frames-per-worker = " + (2 * ring + SPARE_FRAMES),
            "[[port]]",
            "name = \"in\"",
            "device = \"dpdk:" + replay.source() + "\"",
            "exception = \"none\"",
            addresses("10.0.0.1/24", withIpv6 ? "fd00::1/64" : null),
            "mac = \"" + MacAddress.format(ForwardRig.ROUTER_MAC) + "\"",
            "[[port]]",
            "name = \"out\"",
            "device = \"dpdk:" + ForwardRig.SINK + "\"",
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
