package org.fibnuma.bench.rfc2544;

import org.fibnuma.bench.fib.DualStackTable;
import org.fibnuma.bench.forward.L3fwdProgram;
import org.fibnuma.bench.lab.TemporaryDirectory;
import org.fibnuma.bench.lab.Waiting;
import org.fibnuma.bench.memif.MemifForwarder;
import org.fibnuma.bench.memif.MemifRig;
import org.fibnuma.core.AllOrNothing;
import org.fibnuma.core.UserException;
import org.fibnuma.core.service.netns.Host;
import org.fibnuma.core.traffic.HostFrames;
import org.fibnuma.core.traffic.HostPort;
import org.fibnuma.core.wire.IpAddress;
import org.fibnuma.core.wire.Ipv4Address;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Two links of DPDK's net_memif. Such a link has no rate of its own: what finds its ring full is lost, as a frame is
 * that finds a card's receive ring full.
 */
final class MemifTestRig implements TestRig
{
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final int SOURCE = Ipv4Address.parse("10.1.0.2");
    private static final int RIGHT_SOURCE = Ipv4Address.parse("10.2.0.2");
    private static final IpAddress IPV6_SOURCE = IpAddress.parse("fd01::2");
    private static final IpAddress IPV6_RIGHT_SOURCE = IpAddress.parse("2001:2::ffff:2");

    private final Host host;
    private final TemporaryDirectory directory;
    private final MemifRig memif;
    private final Destinations destinations;
    private final DualStackTable table;
    private L3fwdProgram l3fwd;

    private MemifTestRig(final DualStackTable table, final int core, final int generatorCore) throws IOException
    {
        this.table = table;
        this.destinations = Destinations.of(table);
        this.directory = TemporaryDirectory.create("rfc2544");
        this.host = Host.open("rfc2544");
        this.memif = new MemifRig(
            host, directory.path(), directory.path().resolve("table.txt"), table.nextHops(), core, generatorCore);
    }

    /**
     * Creates the rig.
     *
     * @param table         routes of the devices.
     * @param core          of the device.
     * @param generatorCore of the tester.
     */
    static MemifTestRig open(final DualStackTable table, final int core, final int generatorCore) throws IOException
    {
        return AllOrNothing.open(
            new MemifTestRig(table, core, generatorCore), rig -> table.write(rig.memif.tableFile()));
    }

    @Override
    public String name()
    {
        return "memif";
    }

    @Override
    public List<Device> devices()
    {
        final List<Device> devices = new ArrayList<>();
        devices.add(Device.of(MemifForwarder.FIBNUMA, memif));
        devices.add(new Device(L3fwdProgram.NAME, L3fwdProgram.missing(), () ->
        {
            if (l3fwd == null)
            {
                l3fwd = L3fwdProgram.build(table, 0, directory.path());
            }
            memif.removeSocket();
            return l3fwd.start(host, memif.core(), memif.device(0, true), memif.device(1, true));
        }));
        if (table.ipv4().size() == 1)
        {
            devices.add(Device.of(MemifForwarder.TESTPMD, memif));
        }
        return devices;
    }

    @Override
    public Ends connect()
    {
        return AllOrNothing.open(Ends.open(
            List.of(() -> HostPort.openDpdk("left", memif.device(0, false))),
            List.of(() -> HostPort.openDpdk("right", memif.device(1, false))), false), ends ->
        {
            if (!Waiting.until(() -> ends.all().stream().allMatch(end -> end.port().linkUp()), PATIENCE))
            {
                throw new UserException("the ends of a memif link do not connect");
            }
        });
    }

    @Override
    public HostFrames frames(final Side side, final int link, final int length)
    {
        return side == Side.LEFT ?
            new HostFrames(MemifRig.ROUTER_MAC, MemifRig.NEXT_HOP_MAC, SOURCE, IPV6_SOURCE, length) :
            new HostFrames(MemifRig.ROUTER_MAC, MemifRig.NEXT_HOP_MAC, RIGHT_SOURCE, IPV6_RIGHT_SOURCE, length);
    }

    @Override
    public IpAddress[] destinations(final Side side, final boolean isIpv6)
    {
        return destinations.behind(side, isIpv6);
    }

    @Override
    public void close()
    {
        host.close();
        try
        {
            directory.close();
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
    }
}
