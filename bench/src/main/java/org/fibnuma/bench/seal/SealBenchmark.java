package org.fibnuma.bench.seal;

import org.fibnuma.core.memory.MemoryRegion;
import org.fibnuma.ipnuma.seal.DatagramSeal;
import org.fibnuma.ipnuma.seal.SealKey;
import org.fibnuma.ipnuma.wire.fibnuma.FibnumaHeaderFlyweight;
import org.fibnuma.ipnuma.wire.fibnuma.FibnumaHeaderWriter;
import org.fibnuma.ipnuma.wire.fibnuma.FibnumaKind;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

import java.util.concurrent.TimeUnit;

/** Time for sealing a datagram with AES-128-GCM; {@code -prof gc} shows the allocations. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(value = 1)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 3, time = 1)
public class SealBenchmark
{
    private static final int SESSION = 1;
    private static final int OTHER_SESSION = 2;

    /** Length before sealing: one small write, and the longest datagram. */
    @Param({"96", "1448"})
    public int length;

    private MemoryRegion memory;
    private DatagramSeal sender;
    private DatagramSeal receiver;

    /** Derives the keys, which is not measured. */
    @Setup
    public void prepare()
    {
        memory = MemoryRegion.ofBytes(4096);
        final SealKey key = SealKey.parse("0".repeat(32));
        sender = new DatagramSeal(key, 1, 2);
        receiver = new DatagramSeal(key, 2, 1);
        connect(SESSION, OTHER_SESSION, receiver);
        connect(OTHER_SESSION, SESSION, sender);
        new FibnumaHeaderWriter().wrap(memory.address()).start(FibnumaKind.DATA).sessions(SESSION, OTHER_SESSION);
    }

    private void connect(final int session, final int otherSession, final DatagramSeal seal)
    {
        new FibnumaHeaderWriter().wrap(memory.address()).start(FibnumaKind.CONFIRM).sessions(session, otherSession)
            .sourceNonce(session, 0).destinationNonce(otherSession, 0);
        seal.onConnection(new FibnumaHeaderFlyweight().wrap(memory.address()));
    }

    /** Releases the memory. */
    @TearDown
    public void close()
    {
        memory.close();
    }

    /**
     * Seals in place.
     *
     * @return the sealed length.
     */
    @Benchmark
    public int seal()
    {
        return sender.seal(memory.address(), length);
    }

    /**
     * Seals and opens; a datagram can be opened only once.
     *
     * @return the opened length.
     */
    @Benchmark
    public int sealAndOpen()
    {
        final int opened = receiver.open(memory.address(), sender.seal(memory.address(), length));
        if (opened != length)
        {
            throw new IllegalStateException("not opened: " + opened);
        }
        return opened;
    }
}
