package org.fibnuma.bench.memif;

import org.fibnuma.bench.fib.NextHopNetwork;
import org.fibnuma.bench.lab.Contestant;
import org.fibnuma.bench.lab.RoutedHosts;
import org.fibnuma.bench.lab.RouterProcess;
import org.fibnuma.bench.lab.Testpmd;
import org.fibnuma.core.wire.MacAddress;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A program that forwards between the two links.
 *
 * @param name    in the results.
 * @param starter starts it.
 */
public record MemifForwarder(String name, Function<MemifRig, Contestant.Running> starter)
    implements Contestant<MemifRig>
{
    /** Fibnuma's router as a user runs it. */
    public static final MemifForwarder FIBNUMA = new MemifForwarder("fibnuma", MemifForwarder::startRouter);
    /** DPDK's testpmd, which writes both MAC addresses of a frame. */
    public static final MemifForwarder TESTPMD = new MemifForwarder("testpmd mac", MemifForwarder::startTestpmd);
    /** Name of the router for its control socket. */
    static final String ROUTER_NAME = "bench-memif-" + ProcessHandle.current().pid();

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    @Override
    public Running start(final MemifRig rig)
    {
        rig.removeSocket();
        return starter.apply(rig);
    }

    private static Running startRouter(final MemifRig rig)
    {
        return Running.of(FIBNUMA.name, RouterProcess.start(rig.host(), config(rig), PATIENCE), null);
    }

    private static Running startTestpmd(final MemifRig rig)
    {
        return Testpmd.startWithTelemetry(
            TESTPMD.name, rig.host(), Testpmd.prefix("memif"), rig.core(),
            List.of(rig.device(0, true), rig.device(1, true)),
            "--forward-mode=mac", "--burst=64", "--disable-link-check", "--total-num-mbufs=32768");
    }

    /** Returns a configuration with the whole table, and half of flowgen's destinations to each side. */
    private static String config(final MemifRig rig)
    {
        final boolean hasIpv6 = rig.hasIpv6();
        final StringBuilder text = new StringBuilder(String.join("\n",
            "[router]",
            "name = \"" + ROUTER_NAME + "\"",
            "control = \"static\"",
            "idle = \"busy\"",
            "ipv6 = " + hasIpv6,
            "cores = [" + rig.core() + "]",
            "routes-file = \"" + rig.tableFile() + "\"",
            port("left", rig.device(0, true), "10.1.0.1/24", hasIpv6 ? "fd01::1/64" : null),
            port("right", rig.device(1, true), "10.2.0.1/24", NextHopNetwork.ROUTER + "/" + NextHopNetwork.LENGTH,
                hasIpv6 ? NextHopNetwork.IPV6_ROUTER + "/" + NextHopNetwork.IPV6_LENGTH : null),
            route("10.253.0.0/23", "10.1.0.2"),
            route("10.253.2.0/23", "10.2.0.2"),
            route(RoutedHosts.LEFT_NETWORK, "10.1.0.2"),
            hasIpv6 ? route(RoutedHosts.LEFT_NETWORK_IPV6, "fd01::2") + neighbor("fd01::2") : "",
            neighbor("10.1.0.2"),
            neighbor("10.2.0.2")));
        rig.nextHops().forEach(nextHop -> text.append(neighbor(nextHop.toString())));
        return text.toString();
    }

    private static String port(final String name, final String device, final String... addresses)
    {
        return "[[port]]\nname = \"" + name + "\"\ndevice = \"dpdk:" + device + "\"\nexception = \"none\"\n" +
            "address = " + Stream.of(addresses).filter(Objects::nonNull)
            .collect(Collectors.joining("\", \"", "[\"", "\"]")) +
            "\nmac = \"" + MacAddress.format(MemifRig.ROUTER_MAC) + "\"";
    }

    private static String route(final String prefix, final String via)
    {
        return "[[route]]\nprefix = \"" + prefix + "\"\nvia = \"" + via + "\"\n";
    }

    private static String neighbor(final String address)
    {
        return "[[neighbor]]\naddress = \"" + address + "\"\nmac = \"" + MacAddress.format(MemifRig.NEXT_HOP_MAC) +
            "\"\n";
    }
}
