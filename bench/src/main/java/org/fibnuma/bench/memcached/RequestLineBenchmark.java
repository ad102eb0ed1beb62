package org.fibnuma.bench.memcached;

import org.fibnuma.ipnuma.memcached.protocol.MetaFlags;
import org.fibnuma.ipnuma.memcached.protocol.RequestLine;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

import java.nio.charset.StandardCharsets;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;

/**
 * Nanoseconds for finding the tokens of one command line of memcached, and for reading the flags of a meta command;
 * {@code fibnuma bench jmh RequestLineBenchmark} runs it.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class RequestLineBenchmark
{
    private static final int LINES = 1 << 12;
    private static final int FIRST_FLAG = 2;
    private static final int LONGEST_PREFIX = 32;

    private final byte[][] text = new byte[LINES][];
    private final byte[][] meta = new byte[LINES][];
    private final RequestLine line = new RequestLine();
    private final MetaFlags flags = new MetaFlags();
    private int next;

    /** Writes lines with keys of random lengths. */
    @Setup
    public void write()
    {
        final SplittableRandom random = new SplittableRandom(1);
        for (int i = 0; i < LINES; i++)
        {
            final String key = "k".repeat(random.nextInt(1, LONGEST_PREFIX)) + i;
            text[i] = ascii(switch (random.nextInt(4))
            {
                case 0 -> "set " + key + " 0 0 " + random.nextInt(1, 4096) + "\r";
                case 1 -> "incr " + key + " " + random.nextInt(1, 100) + "\r";
                default -> "get " + key + "\r";
            });
            meta[i] = ascii(random.nextBoolean() ?
                "mg " + key + " v t f O" + i + "\r" :
                "md " + key + " q T" + random.nextInt(1, 3600) + " C" + i + "\r");
        }
    }

    private static byte[] ascii(final String line)
    {
        return line.getBytes(StandardCharsets.US_ASCII);
    }

    /** Finds the tokens of a command; returns their number. */
    @Benchmark
    public int tokens()
    {
        read(text);
        return line.count();
    }

    /** Finds the tokens of a meta command and reads its flags; returns whether they are valid. */
    @Benchmark
    public boolean metaFlags()
    {
        read(meta);
        return flags.parse(line, FIRST_FLAG);
    }

    private void read(final byte[][] lines)
    {
        next = next + 1 & LINES - 1;
        final byte[] bytes = lines[next];
        line.clear();
        System.arraycopy(bytes, 0, line.reserve(bytes.length), 0, bytes.length);
        line.advance(bytes.length);
        line.end();
    }
}
