package org.fibnuma.bench.datapath;

import org.fibnuma.core.flow.FlowMemory;
import org.fibnuma.core.flow.FlowTable;
import org.fibnuma.core.flow.FlowTranslation;
import org.fibnuma.core.flow.FlowTuple;
import org.fibnuma.core.memory.FrameMemory;
import org.fibnuma.core.memory.MemoryRegion;
import org.fibnuma.core.wire.IpAddress;
import org.fibnuma.core.wire.IpProtocol;
import org.fibnuma.core.wire.Ipv4HeaderFlyweight;
import org.fibnuma.core.wire.Ipv6HeaderFlyweight;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;

/**
 * Nanoseconds for one packet of a flow: finding its direction, and translating addresses and ports with both checksums.
 * Packets are of random flows. {@code fibnuma bench jmh FlowTableBenchmark} runs it.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class FlowTableBenchmark
{
    private static final int PACKETS = 1 << 16;
    private static final int BATCH = TestFrames.BATCH;
    private static final int SLOT = 64;
    private static final int INGRESS = 0;
    private static final int EGRESS = 1;
    private static final int HTTPS = 443;
    private static final long PUBLIC_HIGH = 0x2001_0DB8_0000_0000L;
    private static final int NONE = 0;

    /** Number of flows, each with two directions. */
    @Param({"10000", "1000000"})
    public int flows;

    /** Family of the flows, 4 or 6. */
    @Param({"4", "6"})
    public int family;

    private final MemoryRegion memory = MemoryRegion.ofBytes(PACKETS * SLOT);
    private final int[] directions = new int[PACKETS];
    private FlowMemory flowMemory;
    private FlowTable table;
    private FlowTranslation translation;
    private int addresses;
    private int transport;
    private int next;

    /** Fills the table and writes packets of random initiators, whose sources are translated. */
    @Setup
    public void fill()
    {
        final SplittableRandom random = new SplittableRandom(1);
        flowMemory = FlowMemory.ofProcess(flows);
        table = new FlowTable(flowMemory, flows, random.nextLong());
        translation = new FlowTranslation(table);
        addresses = family == 6 ? Ipv6HeaderFlyweight.SOURCE_OFFSET : Ipv4HeaderFlyweight.SOURCE_OFFSET;
        transport = family == 6 ? Ipv6HeaderFlyweight.LENGTH : Ipv4HeaderFlyweight.MIN_LENGTH;
        while (table.size() < flows)
        {
            final FlowTuple original = tuple(random);
            // A tuple is refused if both its buckets are full.
            table.add(original, INGRESS, EGRESS,
                new FlowTuple(original.destinationHigh(), original.destinationLow(), PUBLIC_HIGH & high(-1L),
                low(random.nextInt()), IpProtocol.TCP, HTTPS, original.sourcePort()), EGRESS, INGRESS);
        }
        for (int i = 0; i < PACKETS; i++)
        {
            directions[i] = 2 * random.nextInt(1, flows + 1);
            write(header(i), table.tuple(directions[i]));
            if (found(i, NONE) != directions[i])
            {
                throw new IllegalStateException("packet " + i + " is not found by its flow");
            }
        }
    }

    private FlowTuple tuple(final SplittableRandom random)
    {
        return new FlowTuple(high(random.nextLong()), low(random.nextInt()), high(random.nextLong()),
            low(random.nextInt()), IpProtocol.TCP, random.nextInt(1024, 1 << Short.SIZE), HTTPS);
    }

    private long high(final long random)
    {
        return family == 6 ? random : 0;
    }

    private long low(final int random)
    {
        return family == 6 ? random : IpAddress.mappedLow(random);
    }

    private void write(final long header, final FlowTuple tuple)
    {
        if (family == 6)
        {
            new Ipv6HeaderFlyweight().wrap(header).nextHeader(tuple.protocol())
                .source(tuple.sourceHigh(), tuple.sourceLow())
                .destination(tuple.destinationHigh(), tuple.destinationLow());
        }
        else
        {
            new Ipv4HeaderFlyweight().wrap(header).versionAndIhl(Ipv4HeaderFlyweight.VERSION_4_IHL_5)
                .protocol(tuple.protocol()).source((int)tuple.sourceLow()).destination((int)tuple.destinationLow())
                .computeChecksum();
        }
        FrameMemory.putShortBE(header + transport, tuple.sourcePort());
        FrameMemory.putShortBE(header + transport + Short.BYTES, tuple.destinationPort());
    }

    /** Releases the memory. */
    @TearDown
    public void close()
    {
        memory.close();
        flowMemory.close();
    }

    /** Finds the directions of packets without a hint; returns the sum of their numbers. */
    @Benchmark
    @OperationsPerInvocation(BATCH)
    public int find()
    {
        final int from = nextBatch();
        int sum = 0;
        for (int i = from; i < from + BATCH; i++)
        {
            sum += found(i, NONE);
        }
        return sum;
    }

    /** Finds the directions of packets with the right hint of an XDP program; returns the sum of their numbers. */
    @Benchmark
    @OperationsPerInvocation(BATCH)
    public int findByHint()
    {
        final int from = nextBatch();
        int sum = 0;
        for (int i = from; i < from + BATCH; i++)
        {
            sum += found(i, directions[i]);
        }
        return sum;
    }

    /** Translates packets, and restores them for the next time; returns the sum of the checksums before. */
    @Benchmark
    @OperationsPerInvocation(BATCH)
    public int translateAndRestore()
    {
        final int from = nextBatch();
        int sum = 0;
        for (int i = from; i < from + BATCH; i++)
        {
            sum += family == 6 ? ipv6ThereAndBack(i) : ipv4ThereAndBack(i);
        }
        return sum;
    }

    private int ipv6ThereAndBack(final int i)
    {
        final int checksum = translation.translateIpv6(directions[i], header(i));
        translation.restoreIpv6(directions[i], header(i), checksum);
        return checksum;
    }

    private int ipv4ThereAndBack(final int i)
    {
        final int checksums = translation.translateIpv4(directions[i], header(i));
        translation.restoreIpv4(directions[i], header(i), checksums);
        return checksums;
    }

    private int found(final int i, final int hint)
    {
        final int ports = FrameMemory.getInt(header(i) + transport);
        return family == 6 ?
            table.findIpv6(header(i) + addresses, ports, IpProtocol.TCP, INGRESS, hint) :
            table.findIpv4(header(i) + addresses, ports, IpProtocol.TCP, INGRESS, hint);
    }

    private long header(final int i)
    {
        return memory.address() + (long)i * SLOT;
    }

    private int nextBatch()
    {
        next = next + BATCH & PACKETS - 1;
        return next;
    }
}
