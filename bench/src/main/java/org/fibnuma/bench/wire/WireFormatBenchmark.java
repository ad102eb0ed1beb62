package org.fibnuma.bench.wire;

import org.fibnuma.core.memory.FrameMemory;
import org.fibnuma.core.memory.MemoryRegion;
import org.fibnuma.core.wire.Ipv4Prefix;
import org.fibnuma.ipnuma.table.Region;
import org.fibnuma.ipnuma.table.RegionAccess;
import org.fibnuma.ipnuma.table.RegionTable;
import org.fibnuma.ipnuma.table.TlpTarget;
import org.fibnuma.ipnuma.wire.DatagramCodec;
import org.fibnuma.ipnuma.wire.Ipnuma10gCodec;
import org.fibnuma.ipnuma.wire.Ipnuma1gCodec;
import org.fibnuma.ipnuma.wire.NetTlpCodec;
import org.fibnuma.ipnuma.wire.UdpFrameTemplate;
import org.fibnuma.ipnuma.wire.WireFormat;
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

import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Nanoseconds for a write in the formats without retransmission: encoding, headers, and decoding into a region;
 * {@code fibnuma bench jmh WireFormat} runs it.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class WireFormatBenchmark implements TlpTarget.AnswerOutput, TlpTarget.Listener
{
    private static final int SIZE = 4096;
    private static final int SOURCE = 0x0A090002;
    private static final long REMOTE = 0x1_0000_0040L;

    /** Name of the format in configurations. */
    @Param({"ipnuma-10g", "ipnuma-1g", "nettlp"})
    public String format;

    /** Bytes of the write. */
    @Param({"4", "64", "1024"})
    public int size;

    private final MemoryRegion memory = MemoryRegion.ofBytes(4 * SIZE);
    private final long frame = memory.address();
    private final long payload = frame + UdpFrameTemplate.HEADER_LENGTH;
    private final long original = frame + SIZE;
    private final long data = frame + 2 * SIZE;
    private final RegionTable regions = new RegionTable();
    private final UdpFrameTemplate template = new UdpFrameTemplate(1, 2, SOURCE, 0x0A090001, 3422, 3422);
    private final TlpTarget target = new TlpTarget(regions, this, this, 1400).from(SOURCE);
    private DatagramCodec codec;
    private int datagramLength;
    private long applied;

    /** Creates the benchmark, for JMH. */
    public WireFormatBenchmark()
    {
    }

    /** Creates the datagram to be decoded, and its region. */
    @Setup
    public void prepare()
    {
        codec = switch (WireFormat.of(format))
        {
            case IPNUMA_10G -> new Ipnuma10gCodec();
            case IPNUMA_1G -> new Ipnuma1gCodec();
            default -> new NetTlpCodec();
        };
        regions.add(new Region(1, "box", frame + 3 * SIZE, SIZE, RegionAccess.WRITE,
            List.of(Ipv4Prefix.parse("10.9.0.0/24")), Region.NO_KEY));
        final int length = codec.writeLength(REMOTE, size, 1472);
        datagramLength = codec.encodeWrite(original, REMOTE, data, length);
    }

    /** Releases the memory. */
    @TearDown
    public void close()
    {
        memory.close();
    }

    /**
     * Encodes a write; of ipnuma-1g, whose longest has 252 bytes, the first part.
     *
     * @return length of the datagram.
     */
    @Benchmark
    public int encode()
    {
        return codec.encodeWrite(payload, REMOTE, data, codec.writeLength(REMOTE, size, 1472));
    }

    /**
     * Writes the headers before the datagram.
     *
     * @return length of the frame.
     */
    @Benchmark
    public int headers()
    {
        return template.write(frame, size, UdpFrameTemplate.NOT_ECN_CAPABLE);
    }

    /**
     * Decodes a datagram into the region; includes the copy that restores the datagram, which decoding changes in
     * place.
     *
     * @return number of bytes applied so far.
     */
    @Benchmark
    public long decodeAndApply()
    {
        FrameMemory.copy(original, payload, datagramLength);
        codec.decode(payload, datagramLength, target);
        return applied;
    }

    /**
     * Checks and stores in the region, without a datagram.
     *
     * @return the status.
     */
    @Benchmark
    public int apply()
    {
        return regions.write(REMOTE, Region.NO_KEY, SOURCE, data, size);
    }

    @Override
    public long claim(final int tlpLength)
    {
        return 0;
    }

    @Override
    public void commit(final int tlpLength)
    {
        // Nothing is claimed.
    }

    @Override
    public void onAccess(final int status, final long remoteAddress, final int length)
    {
        applied += length;
    }

    @Override
    public void onCompletion(
        final int tag, final int status, final int remaining, final long dataAddress, final int length)
    {
        // Nothing was requested.
    }
}
