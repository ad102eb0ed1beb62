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

/**
 * Two veth pairs, with all routes of the table in the kernel of the device's host. Its neighbours are permanent: the
 * tester answers no ARP.
 */
final class VethTestRig implements TestRig
{
    private static final int MTU = 1500;
    private static final String LEFT_IPV6 = "fd01::2";
    private static final String RIGHT_IPV6 = "fd02::2";

    private final DualStackTable table;
    private final Destinations destinations;
    private final VethBed bed;

    private VethTestRig(final DualStackTable table, final int core)
    {
        this.table = table;
        this.destinations = Destinations.of(table);
        final RoutedHosts hosts = RoutedHosts.open(MTU);
        this.bed = new VethBed(hosts, core, hosts.right().macAddress(RoutedHosts.HOST_DEVICE));
    }

    /**
     * Creates the hosts and their routes.
     *
     * @param table routes of the devices; all lead to the right host.
     * @param core  of the device.
     */
    static VethTestRig open(final DualStackTable table, final int core) throws IOException
    {
        return AllOrNothing.open(new VethTestRig(table, core), VethTestRig::prepare);
    }

    private void prepare() throws IOException
    {
        final Host router = bed.hosts().router();
        router.enableIpv6();
        router.sysctl("ipv6.conf.all.forwarding", "1");
        router.address(RoutedHosts.LEFT_DEVICE, "fd01::1/64");
        router.address(RoutedHosts.RIGHT_DEVICE, "fd02::1/64");
        neighbor(bed.hosts().left(), RoutedHosts.LEFT_DEVICE, RoutedHosts.LEFT, LEFT_IPV6);
        neighbor(bed.hosts().right(), RoutedHosts.RIGHT_DEVICE, RoutedHosts.RIGHT, RIGHT_IPV6);
        try (TemporaryDirectory directory = TemporaryDirectory.create("rfc2544"))
        {
            final Path file = directory.path().resolve("routes");
            try (BufferedWriter writer = Files.newBufferedWriter(file))
            {
                writer.write(route(RoutedHosts.LEFT_NETWORK, RoutedHosts.LEFT));
                writer.write(route(RoutedHosts.LEFT_NETWORK_IPV6, LEFT_IPV6));
                for (int i = 0; i < table.ipv4().size(); i++)
                {
                    writer.write(route(Ipv4Address.format(table.ipv4().prefix(i)) + "/" + table.ipv4().length(i),
                        RoutedHosts.RIGHT));
                }
                for (int i = 0; i < table.ipv6().size(); i++)
                {
                    writer.write(route(table.ipv6().prefix(i).toString(), RIGHT_IPV6));
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

    private void neighbor(final Host host, final String device, final String... addresses)
    {
        for (final String address : addresses)
        {
            bed.hosts().router().run("ip", "neighbor", "replace", address, "lladdr",
                host.macAddress(RoutedHosts.HOST_DEVICE), "dev", device, "nud", "permanent");
        }
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
        if (table.ipv4().size() == 1)
        {
            devices.add(Device.of(new TestpmdContestant(0), bed));
        }
        return devices;
    }

    @Override
    public Ends connect()
    {
        return Ends.open(
            () -> HostPort.open(bed.hosts().left().namespaceFile(), RoutedHosts.HOST_DEVICE),
            () -> HostPort.open(bed.hosts().right().namespaceFile(), RoutedHosts.HOST_DEVICE), true);
    }

    @Override
    public HostFrames frames(final Side side, final int length)
    {
        final boolean isLeft = side == Side.LEFT;
        final Host host = isLeft ? bed.hosts().left() : bed.hosts().right();
        final String device = isLeft ? RoutedHosts.LEFT_DEVICE : RoutedHosts.RIGHT_DEVICE;
        return new HostFrames(
            MacAddress.parse(bed.hosts().router().macAddress(device)),
            MacAddress.parse(host.macAddress(RoutedHosts.HOST_DEVICE)),
            Ipv4Address.parse(isLeft ? RoutedHosts.LEFT : RoutedHosts.RIGHT),
            IpAddress.parse(isLeft ? LEFT_IPV6 : RIGHT_IPV6), length);
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
