package org.fibnuma.bench.veth;

import org.fibnuma.bench.lab.Contestant;
import org.fibnuma.bench.lab.DpdkTelemetry;
import org.fibnuma.bench.lab.RoutedHosts;
import org.fibnuma.bench.lab.Testpmd;
import org.fibnuma.core.service.netns.ChildProcess;
import org.fibnuma.core.service.netns.Host;

import java.util.List;

/**
 * DPDK's testpmd in mac mode on net_af_xdp, which reads no IP header and has no table.
 *
 * @param busyBudget value of net_af_xdp's option {@code busy_budget}.
 */
public record TestpmdContestant(int busyBudget) implements Contestant<VethBed>
{
    private static final String PREFIX = Testpmd.prefix("veth");

    @Override
    public String name()
    {
        return "testpmd, busy_budget=" + busyBudget;
    }

    @Override
    public String missing()
    {
        return Testpmd.missing();
    }

    @Override
    public Running start(final VethBed bed)
    {
        // Only testpmd can have forwarded what arrives.
        bed.hosts().kernelForwarding(false);
        final Host host = bed.hosts().router();
        final ChildProcess testpmd = Testpmd.start(
            host, PREFIX, bed.forwarderCore(),
            List.of(device(0, RoutedHosts.LEFT_DEVICE), device(1, RoutedHosts.RIGHT_DEVICE)),
            List.of("--no-huge", "--no-shconf", "-m", "256", "--no-telemetry"),
            List.of("--forward-mode=mac", "--burst=64", "--total-num-mbufs=32768",
            "--eth-peer=1," + bed.nextHopMac()));
        return new Running(name(), testpmd.pid(), testpmd::isAlive, testpmd::errors, null, () -> stop(host, testpmd));
    }

    private String device(final int index, final String name)
    {
        return "net_af_xdp" + index + ",iface=" + name + ",busy_budget=" + busyBudget;
    }

    /** Ends testpmd and removes what it leaves: its runtime directory and its XDP programs. */
    private static void stop(final Host host, final ChildProcess testpmd)
    {
        testpmd.close();
        DpdkTelemetry.remove(PREFIX);
        for (final String device : List.of(RoutedHosts.LEFT_DEVICE, RoutedHosts.RIGHT_DEVICE))
        {
            host.run("ip", "link", "set", "dev", device, "xdp", "off");
        }
    }
}
