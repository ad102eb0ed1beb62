package org.fibnuma.bench.datapath;

import org.fibnuma.core.memory.FrameMemory;
import org.fibnuma.core.memory.MemoryRegion;
import org.fibnuma.core.wire.InternetChecksum;
import org.fibnuma.core.wire.Ipv4HeaderFlyweight;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;

/**
 * Nanoseconds for one header: validating its checksum, changing it by RFC 1624, and summing a whole packet;
 * {@code fibnuma bench jmh ChecksumBenchmark} runs it.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class ChecksumBenchmark
{
    private static final int BATCH = TestFrames.BATCH;
    private static final int HEADERS = 1 << 12;
    private static final int SLOT = 64;
    private static final int PACKET_LENGTH = 1480;

    private final MemoryRegion memory = MemoryRegion.ofBytes(HEADERS * SLOT + PACKET_LENGTH);
    private final int[] words = new SplittableRandom(1).ints(HEADERS, 0, 1 << Short.SIZE).toArray();
    private int next;

    /** Writes valid headers of random packets. */
    @Setup
    public void write()
    {
        final SplittableRandom random = new SplittableRandom(2);
        for (int offset = 0; offset < memory.size(); offset += Integer.BYTES)
        {
            FrameMemory.putInt(memory.address() + offset, random.nextInt());
        }
        for (int i = 0; i < HEADERS; i++)
        {
            new Ipv4HeaderFlyweight().wrap(header(i))
                .versionAndIhl(Ipv4HeaderFlyweight.VERSION_4_IHL_5).computeChecksum();
        }
    }

    /** Releases the memory. */
    @TearDown
    public void close()
    {
        memory.close();
    }

    /** Validates headers as the classifier does; returns 0. */
    @Benchmark
    @OperationsPerInvocation(BATCH)
    public long validate()
    {
        final int from = nextBatch();
        long faults = 0;
        for (int i = from; i < from + BATCH; i++)
        {
            faults |= InternetChecksum.faultOver20(header(i));
        }
        return faults;
    }

    /** Decrements TTLs, with the checksums, in memory. */
    @Benchmark
    @OperationsPerInvocation(BATCH)
    public int decrementTtl()
    {
        final int from = nextBatch();
        for (int i = from; i < from + BATCH; i++)
        {
            Ipv4HeaderFlyweight.decrementTtl(header(i));
        }
        return from;
    }

    /** Computes checksums after the change of one word. */
    @Benchmark
    @OperationsPerInvocation(BATCH)
    public int changeWord()
    {
        final int from = nextBatch();
        int checksum = 0;
        for (int i = from; i < from + BATCH; i++)
        {
            checksum ^= InternetChecksum.afterWordChange(words[i], words[i ^ 1], words[i ^ 2]);
        }
        return checksum;
    }

    /** Sums the {@value #PACKET_LENGTH} bytes of a packet, as for the router's own messages. */
    @Benchmark
    public int sumPacket()
    {
        return InternetChecksum.of(header(nextBatch()), PACKET_LENGTH);
    }

    private long header(final int i)
    {
        return memory.address() + (long)i * SLOT;
    }

    private int nextBatch()
    {
        next = next + BATCH & HEADERS - 1;
        return next;
    }
}
