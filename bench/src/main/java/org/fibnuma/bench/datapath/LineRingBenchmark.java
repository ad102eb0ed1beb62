package org.fibnuma.bench.datapath;

import org.agrona.concurrent.UnsafeBuffer;
import org.fibnuma.core.memory.FrameMemory;
import org.fibnuma.core.memory.MemoryRegion;
import org.fibnuma.core.ring.LineRingConsumer;
import org.fibnuma.core.ring.LineRingProducer;
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

import java.util.concurrent.TimeUnit;

/**
 * Nanoseconds for one record through the ring between two processes. One thread is producer and consumer, so that no
 * cache line moves between processors. {@code fibnuma bench jmh LineRingBenchmark} runs it.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class LineRingBenchmark implements LineRingConsumer.Handler
{
    private static final int BATCH = 16;
    private static final int CAPACITY = 1024;
    private static final int DATA = 4096;

    /** Bytes of data in a record; up to 32 are in its first line. */
    @Param({"8", "64", "1024"})
    public int length;

    private final MemoryRegion memory = MemoryRegion.ofBytes(LineRingProducer.bytes(CAPACITY) + DATA);
    private final UnsafeBuffer buffer = new UnsafeBuffer(memory.address(), LineRingProducer.bytes(CAPACITY));
    private final long data = memory.address() + LineRingProducer.bytes(CAPACITY);
    private final LineRingProducer producer = new LineRingProducer(buffer, CAPACITY);
    private final LineRingConsumer consumer = new LineRingConsumer(buffer, CAPACITY);
    private int sequence;
    private long sum;

    /** Connects both sides. */
    @Setup
    public void connect()
    {
        producer.connect(1);
        consumer.connect(1);
        if (consumer.poll(this) != 0 || !producer.isConnected())
        {
            throw new IllegalStateException("the ring is not connected");
        }
    }

    /** Releases the memory. */
    @TearDown
    public void close()
    {
        memory.close();
    }

    /** Offers some records and reads them; returns the sum of what was read. */
    @Benchmark
    @OperationsPerInvocation(BATCH)
    public long pass()
    {
        for (int i = 0; i < BATCH; i++)
        {
            producer.offer(sequence++, i, i, data, length);
        }
        if (consumer.poll(this) != BATCH)
        {
            throw new IllegalStateException("a record is missing");
        }
        return sum;
    }

    @Override
    public boolean onRecord(
        final long first, final long second, final int third, final long address, final int recordLength)
    {
        sum += first + second + third + FrameMemory.getLong(address) + recordLength;
        return true;
    }
}
