package org.fibnuma.bench.rfc2544;

import org.fibnuma.bench.fib.DualStackTable;
import org.fibnuma.bench.lab.RoutedHosts;
import org.fibnuma.bench.lab.TemporaryDirectory;
import org.fibnuma.bench.veth.FibnumaContestant;
import org.fibnuma.bench.veth.KernelContestant;
import org.fibnuma.bench.veth.TestpmdContestant;
import org.fibnuma.bench.veth.VethBed;
import org.fibnuma.core.AllOrNothing;
import org.fibnuma.core.service.netns.Host;
import org.fibnuma.core.traffic.HostFrames;
import org.fibnuma.core.traffic.HostPort;
import org.fibnuma.core.wire.IpAddress;
import org.fibnuma.core.wire.Ipv4Address;
import org.fibnuma.core.wire.MacAddress;

import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Supplier;

/**
 * veth pairs, with all routes of the table in the kernel of the device's host, each by a right link that is drawn. Its
 * neighbours are permanent: the tester answers no ARP.
 */
final class VethTestRig implements TestRig
{
    private static final int MTU = 1500;
    private static final int SEED = 53;

    private final DualStackTable table;
    private final PortCounts ports;
    private final Destinations destinations;
    private final VethBed bed;

    private VethTestRig(final DualStackTable table, final PortCounts ports, final int core)
    {
        this.table = table;
        this.ports = ports;
        this.destinations = Destinations.of(table);
        final RoutedHosts hosts = RoutedHosts.open(MTU);
        this.bed = new VethBed(hosts, core, hosts.right().macAddress(RoutedHosts.HOST_DEVICE));
    }

    /**
     * Creates the hosts and their routes.
     *
     * @param table routes of the devices; all lead to the right host.
     * @param ports links of the devices.
     * @param core  of the device.
     */
    static VethTestRig open(final DualStackTable table, final PortCounts ports, final int core) throws IOException
    {
        return AllOrNothing.open(new VethTestRig(table, ports, core), VethTestRig::prepare);
    }

    private void prepare() throws IOException
    {
        final Host router = bed.hosts().router();
        for (int i = 1; i < ports.left(); i++)
        {
            bed.hosts().addLink(bed.hosts().left());
        }
        for (int i = 1; i < ports.right(); i++)
        {
            bed.hosts().addLink(bed.hosts().right());
        }
        router.enableIpv6();
        router.sysctl("ipv6.conf.all.forwarding", "1");
        for (final Side side : Side.values())
        {
            for (final RoutedHosts.Link link : links(side))
            {
                router.address(link.routerDevice(), ipv6(link, 1) + "/64");
                neighbor(link, link.hostAddress());
                neighbor(link, ipv6(link, 2));
            }
        }
        final List<RoutedHosts.Link> right = links(Side.RIGHT);
        final RoutedHosts.Link left = links(Side.LEFT).get(0);
        final SplittableRandom random = new SplittableRandom(SEED);
        try (TemporaryDirectory directory = TemporaryDirectory.create("rfc2544"))
        {
            final Path file = directory.path().resolve("routes");
            try (BufferedWriter writer = Files.newBufferedWriter(file))
            {
                writer.write(route(RoutedHosts.LEFT_NETWORK, left.hostAddress()));
                writer.write(route(RoutedHosts.LEFT_NETWORK_IPV6, ipv6(left, 2)));
                for (int i = 0; i < table.ipv4().size(); i++)
                {
                    writer.write(route(Ipv4Address.format(table.ipv4().prefix(i)) + "/" + table.ipv4().length(i),
                        drawn(right, i, random).hostAddress()));
                }
                for (int i = 0; i < table.ipv6().size(); i++)
                {
                    writer.write(route(table.ipv6().prefix(i).toString(), ipv6(drawn(right, i, random), 2)));
                }
            }
            router.run("ip", "-batch", file.toString());
        }
    }

    /** Returns the host of the devices. */
    Host router()
    {
        return bed.hosts().router();
    }

    private List<RoutedHosts.Link> links(final Side side)
    {
        return bed.hosts().links(side == Side.LEFT ? bed.hosts().left() : bed.hosts().right());
    }

    /** Returns the link of a route: each has at least one. */
    private static RoutedHosts.Link drawn(
        final List<RoutedHosts.Link> links, final int route, final SplittableRandom random)
    {
        return links.get(route < links.size() ? route : random.nextInt(links.size()));
    }

    private static String ipv6(final RoutedHosts.Link link, final int host)
    {
        return "fd01:0:0:" + link.routerDevice().substring(1) + "::" + host;
    }

    private void neighbor(final RoutedHosts.Link link, final String address)
    {
        bed.hosts().router().run("ip", "neighbor", "replace", address, "lladdr",
            link.host().macAddress(link.hostDevice()), "dev", link.routerDevice(), "nud", "permanent");
    }

    private static String route(final String prefix, final String via)
    {
        return "route replace " + prefix + " via " + via + "\n";
    }

    @Override
    public String name()
    {
        return "veth";
    }

    @Override
    public List<Device> devices()
    {
        final List<Device> devices = new ArrayList<>(List.of(
            Device.of(new FibnumaContestant(), bed), Device.of(new KernelContestant(true), bed)));
        if (table.ipv4().size() == 1 && ports.equals(PortCounts.ONE_EACH))
        {
            devices.add(Device.of(new TestpmdContestant(0), bed));
        }
        return devices;
    }

    @Override
    public Ends connect()
    {
        return Ends.open(openers(Side.LEFT), openers(Side.RIGHT), true);
    }

    private List<Supplier<HostPort>> openers(final Side side)
    {
        return links(side).stream().map(link -> (Supplier<HostPort>)() ->
            HostPort.open(link.host().namespaceFile(), link.hostDevice())).toList();
    }

    @Override
    public HostFrames frames(final Side side, final int number, final int length)
    {
        final RoutedHosts.Link link = links(side).get(number);
        return new HostFrames(
            MacAddress.parse(bed.hosts().router().macAddress(link.routerDevice())),
            MacAddress.parse(link.host().macAddress(link.hostDevice())),
            Ipv4Address.parse(link.hostAddress()), IpAddress.parse(ipv6(link, 2)), length);
    }

    @Override
    public IpAddress[] destinations(final Side side, final boolean isIpv6)
    {
        return destinations.behind(side, isIpv6);
    }

    @Override
    public void close()
    {
        bed.hosts().close();
    }
}
