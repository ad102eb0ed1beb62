package org.fibnuma.bench.peers;

import com.fasterxml.jackson.databind.ObjectMapper;
import org.HdrHistogram.Histogram;
import org.fibnuma.bench.lab.PinnedRun;
import org.fibnuma.bench.lab.ProcessUsage;
import org.fibnuma.core.UserException;
import org.fibnuma.core.service.config.ConfigException;
import org.fibnuma.ipnuma.channel.ChannelListener;
import org.fibnuma.ipnuma.channel.PeerChannel;
import org.fibnuma.ipnuma.config.EndpointConfig;
import org.fibnuma.ipnuma.config.EndpointConfigReader;
import org.fibnuma.ipnuma.endpoint.Endpoint;
import org.fibnuma.ipnuma.endpoint.EndpointAgent;
import org.fibnuma.ipnuma.table.AccessStatus;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * The measured endpoint of {@code fibnuma bench peers}, in a process of its own, so that nothing is warm when it reads
 * its configuration and nothing else is in its memory. Its thread runs the duty cycles and reads 8 bytes from the
 * active peer, one read at a time.
 */
final class PeersProgram implements ChannelListener
{
    private static final long PATIENCE_NS = TimeUnit.SECONDS.toNanos(60);
    private static final double NS_PER_MS = 1e6;
    private static final double NS_PER_US = 1e3;
    private static final int BYTES_PER_KIB = 1024;
    private static final double MEDIAN = 50;
    private static final double P99 = 99;
    /** Duty cycles between two readings of the clock. */
    private static final int CYCLES = 64;

    private final Histogram roundTrips = new Histogram(3);
    private boolean isAnswered;

    private PeersProgram()
    {
    }

    /**
     * Measures one endpoint and prints the figures as one line of JSON.
     *
     * @param arguments the file of the endpoint, the core of its thread and the seconds of each measurement, before
     *                  which is a warm-up of the same duration.
     */
    public static void main(final String[] arguments)
    {
        final long durationNs = TimeUnit.SECONDS.toNanos(Long.parseLong(arguments[2]));
        try
        {
            PinnedRun.on(Integer.parseInt(arguments[1]), "endpoint",
                () -> System.out.println(new PeersProgram().run(Path.of(arguments[0]), durationNs)));
        }
        catch (final UserException ex)
        {
            System.err.println(ex.getMessage());
            System.exit(1);
        }
    }

    private String run(final Path file, final long durationNs)
    {
        try
        {
            final Map<String, Object> figures = new LinkedHashMap<>();
            final long beginNs = System.nanoTime();
            final EndpointConfig config = EndpointConfigReader.read(file);
            final long readNs = System.nanoTime();
            try (Endpoint endpoint = Endpoint.open(config, this))
            {
                endpoint.start();
                figures.put("readMs", (readNs - beginNs) / NS_PER_MS);
                figures.put("startMs", (System.nanoTime() - readNs) / NS_PER_MS);
                measure(endpoint, durationNs, figures);
            }
            return new ObjectMapper().writeValueAsString(figures);
        }
        catch (final ConfigException | IOException ex)
        {
            throw new UserException(ex.getMessage(), ex);
        }
    }

    private void measure(final Endpoint endpoint, final long durationNs, final Map<String, Object> figures)
        throws IOException
    {
        final EndpointAgent cycles = endpoint.agent();
        final PeerChannel active = endpoint.agent().channel(PeersFiles.ACTIVE);
        final long endNs = System.nanoTime() + PATIENCE_NS;
        while (!active.isUp())
        {
            cycles.doWork();
            require(endNs, "the active peer does not answer");
        }
        readFor(durationNs, cycles, active);
        roundTrips.reset();
        readFor(durationNs, cycles, active);
        figures.put("roundTrips", roundTrips.getTotalCount());
        figures.put("roundTripP50Us", roundTrips.getValueAtPercentile(MEDIAN) / NS_PER_US);
        figures.put("roundTripP99Us", roundTrips.getValueAtPercentile(P99) / NS_PER_US);
        cycleNs(durationNs, cycles);
        figures.put("dutyCycleNs", cycleNs(durationNs, cycles));
        System.gc();
        figures.put("heapKiB",
            ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed() / BYTES_PER_KIB);
        figures.put("residentKiB", ProcessUsage.memoryKiB(ProcessHandle.current().pid()));
    }

    private void readFor(final long durationNs, final EndpointAgent cycles, final PeerChannel active)
    {
        final long beginNs = System.nanoTime();
        long nowNs = beginNs;
        do
        {
            final long sentNs = nowNs;
            final long endNs = sentNs + PATIENCE_NS;
            isAnswered = false;
            while (!active.read(PeersFiles.NUMBER, PeersFiles.KEY, Long.BYTES, 1))
            {
                cycles.doWork();
                require(endNs, "no read was accepted");
            }
            active.flush();
            while (!isAnswered)
            {
                cycles.doWork();
                require(endNs, "a read was not answered");
            }
            nowNs = System.nanoTime();
            roundTrips.recordValue(nowNs - sentNs);
        }
        while (nowNs - beginNs < durationNs);
    }

    /** Returns the mean duration of duty cycles without reads, in ns. */
    private static double cycleNs(final long durationNs, final EndpointAgent cycles)
    {
        final long beginNs = System.nanoTime();
        long count = 0;
        long nowNs;
        do
        {
            for (int i = 0; i < CYCLES; i++)
            {
                cycles.doWork();
            }
            count += CYCLES;
            nowNs = System.nanoTime();
        }
        while (nowNs - beginNs < durationNs);
        return (double)(nowNs - beginNs) / count;
    }

    private static void require(final long endNs, final String complaint)
    {
        if (System.nanoTime() - endNs > 0)
        {
            throw new UserException(complaint + " for 60 s");
        }
    }

    @Override
    public void onRead(final int pcId, final long tag, final long address, final int length, final int status)
    {
        if (status != AccessStatus.OK)
        {
            throw new UserException("the active peer refused a read: " + AccessStatus.label(status));
        }
        isAnswered = true;
    }

    @Override
    public void onUnanswered(final int pcId, final long tag)
    {
        throw new UserException("the active peer was lost");
    }
}
