package org.fibnuma.bench.forward;

import org.fibnuma.bench.fib.AddressSample;
import org.fibnuma.bench.fib.NextHopNetwork;
import org.fibnuma.bench.memif.MemifRig;
import org.fibnuma.core.UserException;
import org.fibnuma.core.netns.Host;
import org.fibnuma.core.wire.MacAddress;
import org.fibnuma.fibnic.routes.RouteList;
import org.fibnuma.fibnic.routes.RouteTables;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Set;
import java.util.TreeSet;

/** The files that all contenders read and the host in which they run. Closing removes both. */
final class ForwardRig implements AutoCloseable
{
    static final long ROUTER_MAC = MacAddress.parse("02:00:00:00:01:00");
    static final long NEXT_HOP_MAC = MacAddress.parse("02:00:00:00:02:00");

    private static final String FIRST_NAME = "table.txt";
    private static final int SEED = 950;

    private final Host host = Host.open("bench forward");
    private final Path directory;
    private final Path tableFile;
    private final Path captureFile;
    private final Set<Integer> nextHops = new TreeSet<>();
    private final int[] destinations;
    private final RouteList routes;
    private final int core;

    private ForwardRig(final RouteList routes, final int frames, final int frameLength, final int core)
        throws IOException
    {
        this.routes = routes;
        this.core = core;
        directory = Files.createTempDirectory("fibnuma-forward-");
        tableFile = directory.resolve(FIRST_NAME);
        captureFile = directory.resolve("in.pcap");
        RouteTables.write(routes, tableFile);
        for (int i = 0; i < routes.size(); i++)
        {
            nextHops.add(routes.nextHop(i));
        }
        destinations = Arrays.stream(new AddressSample(routes, SEED).ofRoutes(2 * frames))
            .filter(ForwardRig::isForwarded).limit(frames).toArray();
        if (destinations.length < frames)
        {
            throw new UserException("the routes of the table contain too few addresses that a router may forward to");
        }
        PcapTraffic.write(captureFile, destinations, frameLength);
    }

    /**
     * Creates the files.
     *
     * @param routes      routes, each with a next hop.
     * @param frames      number of frames in the capture, each with a destination drawn from the whole table.
     * @param frameLength length of each frame in bytes, without FCS.
     * @param core        core that forwards.
     */
    static ForwardRig open(final RouteList routes, final int frames, final int frameLength, final int core)
        throws IOException
    {
        return new ForwardRig(routes, frames, frameLength, core);
    }

    /** Returns whether RFC 1812 section 5.3.7 permits the destination and it is not in the next hops' own network. */
    private static boolean isForwarded(final int address)
    {
        final int octet = address >>> Byte.SIZE * 3;
        return octet > 0 && octet != 127 && octet < 224 && !NextHopNetwork.contains(address);
    }

    Host host()
    {
        return host;
    }

    int core()
    {
        return core;
    }

    /** Returns the directory for files of a contender; the contender removes its files. */
    Path directory()
    {
        return directory;
    }

    Path tableFile()
    {
        return tableFile;
    }

    RouteList routes()
    {
        return routes;
    }

    int[] destinations()
    {
        return destinations;
    }

    /** Returns the rig for measurements between two processes over memif. */
    MemifRig memif(final int generatorCore)
    {
        return new MemifRig(host, directory, tableFile, routes, nextHops, core, generatorCore);
    }

    int frames()
    {
        return destinations.length;
    }

    Set<Integer> nextHops()
    {
        return nextHops;
    }

    /** Returns DPDK's description of the device that frames come from. */
    String source()
    {
        return "net_pcap0,rx_pcap=" + captureFile + ",infinite_rx=1";
    }

    /** Returns DPDK's description of the device that frames go to; it receives none, so all contenders poll alike. */
    String sink()
    {
        return "net_null0,no-rx=1";
    }

    @Override
    public void close()
    {
        host.close();
        try
        {
            Files.deleteIfExists(tableFile);
            Files.deleteIfExists(captureFile);
            Files.deleteIfExists(directory.resolve(MemifRig.SOCKET));
            Files.deleteIfExists(directory);
        }
        catch (final IOException ex)
        {
            throw new UserException("cannot remove " + directory, ex);
        }
    }
}
