package org.fibnuma.bench.forward;

import org.fibnuma.bench.fib.AddressSample;
import org.fibnuma.bench.fib.DualStackTable;
import org.fibnuma.bench.fib.Ipv6AddressSample;
import org.fibnuma.bench.lab.Families;
import org.fibnuma.bench.lab.TemporaryDirectory;
import org.fibnuma.bench.memif.MemifRig;
import org.fibnuma.core.service.netns.Host;
import org.fibnuma.core.wire.IpAddress;
import org.fibnuma.core.wire.Ipv6Address;
import org.fibnuma.core.wire.MacAddress;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Set;
import java.util.SplittableRandom;

/** The files that all contestants read and the host in which they run. Closing removes both. */
final class ForwardRig implements AutoCloseable
{
    static final long ROUTER_MAC = MacAddress.parse("02:00:00:00:01:00");
    static final long NEXT_HOP_MAC = MacAddress.parse("02:00:00:00:02:00");

    /** DPDK's description of the device that frames go to; it receives none, so all contestants poll alike. */
    static final String SINK = "net_null0,no-rx=1";

    private static final String TABLE_NAME = "table.txt";
    private static final int SEED = 950;

    private final Host host = Host.open("bench forward");
    private final TemporaryDirectory directory;
    private final DualStackTable table;
    private final Set<IpAddress> nextHops;
    private final int frames;
    private final int core;

    /**
     * Creates the files.
     *
     * @param table       routes, each with a next hop; with IPv6 routes where a capture contains IPv6.
     * @param kinds       captures to create.
     * @param frames      number of frames in each capture, each with a destination drawn from the whole table.
     * @param frameLength length of each frame in bytes, without FCS.
     * @param core        core that forwards.
     */
    ForwardRig(
        final DualStackTable table,
        final Set<Families> kinds,
        final int frames,
        final int frameLength,
        final int core) throws IOException
    {
        this.table = table;
        this.core = core;
        directory = TemporaryDirectory.create("forward");
        table.write(tableFile());
        nextHops = table.nextHops();
        final int[] destinations = new AddressSample(table.ipv4(), SEED).ofTransit(frames);
        this.frames = frames;
        final Ipv6Address[] ipv6Destinations = table.hasIpv6() ?
            new Ipv6AddressSample(table.ipv6(), new SplittableRandom(SEED)).ofTransit(frames) : new Ipv6Address[0];
        final PcapTraffic traffic = new PcapTraffic(destinations, ipv6Destinations, frameLength);
        for (final Families kind : kinds)
        {
            traffic.write(captureFile(kind), kind, frames);
        }
    }

    /**
     * A capture of the rig that is replayed without end.
     *
     * @param rig  rig that has the capture.
     * @param kind capture that the frames come from.
     */
    record Replay(ForwardRig rig, Families kind)
    {
        /** Returns DPDK's description of the device that the frames come from. */
        String source()
        {
            return "net_pcap0,rx_pcap=" + rig.captureFile(kind) + ",infinite_rx=1";
        }
    }

    Replay replay(final Families kind)
    {
        return new Replay(this, kind);
    }

    private Path captureFile(final Families kind)
    {
        return directory.path().resolve(kind.label() + ".pcap");
    }

    Host host()
    {
        return host;
    }

    int core()
    {
        return core;
    }

    /** Returns the directory for files of a contestant; closing the rig removes them. */
    Path directory()
    {
        return directory.path();
    }

    /** Returns the file with the routes of both families. */
    Path tableFile()
    {
        return directory.path().resolve(TABLE_NAME);
    }

    DualStackTable table()
    {
        return table;
    }

    /** Returns the rig for measurements between two processes over memif. */
    MemifRig memif(final int generatorCore)
    {
        return new MemifRig(host, directory(), tableFile(), nextHops, core, generatorCore);
    }

    /** Returns the number of frames in a capture. */
    int frames()
    {
        return frames;
    }

    /** Returns the next hops of both families. */
    Set<IpAddress> nextHops()
    {
        return nextHops;
    }

    @Override
    public void close() throws IOException
    {
        host.close();
        directory.close();
    }
}
