package org.fibnuma.bench.fuzz;

import org.fibnuma.core.memory.FrameMemory;
import org.fibnuma.core.memory.MemoryRegion;
import org.fibnuma.ipnuma.wire.Ipnuma10gCodec;
import org.fibnuma.ipnuma.wire.Ipnuma1gCodec;
import org.fibnuma.ipnuma.wire.NetTlpCodec;
import org.fibnuma.ipnuma.wire.WireFormat;

import java.util.HexFormat;
import java.util.List;
import java.util.SplittableRandom;

/** Sends datagrams in batches of one format and one source, and checks the memory after each batch. */
public final class FuzzRun implements AutoCloseable
{
    private static final int BATCH = 4096;
    /** One batch in this many comes from an address that no region permits. */
    private static final int UNKNOWN_SOURCE_INTERVAL = 8;
    private static final int PAYLOAD_OFFSET = 42;
    private static final int CHUNK = 2048;

    private final long seed;
    private final SplittableRandom random;
    private final FuzzArena arena = new FuzzArena();
    private final MemoryRegion datagram = MemoryRegion.ofChunks(1, CHUNK);
    private final Mutator mutator;
    private final List<FuzzFormat> formats;
    private final long[] datagrams;
    private long done;
    private String violation;

    /**
     * Prepares a run.
     *
     * @param seed seed of the random numbers; runs with the same seed send the same datagrams.
     */
    public FuzzRun(final long seed)
    {
        this.seed = seed;
        random = new SplittableRandom(seed);
        mutator = new Mutator(random.split());
        formats = List.of(
            new LegacyFormat(WireFormat.IPNUMA_10G, new Ipnuma10gCodec(), arena.regions, random.split()),
            new LegacyFormat(WireFormat.IPNUMA_1G, new Ipnuma1gCodec(), arena.regions, random.split()),
            new LegacyFormat(WireFormat.NETTLP, new NetTlpCodec(), arena.regions, random.split()),
            new FibnumaFormat(arena.regions, random.split()),
            new EndpointFormat(WireFormat.IPNUMA_10G, new Ipnuma10gCodec(), arena.regions, random.split()),
            new EndpointFormat(WireFormat.IPNUMA_1G, new Ipnuma1gCodec(), arena.regions, random.split()),
            new EndpointFormat(WireFormat.NETTLP, new NetTlpCodec(), arena.regions, random.split()),
            new EndpointFormat(WireFormat.FIBNUMA, null, arena.regions, random.split()),
            new SealFormat(random.split()));
        datagrams = new long[formats.size()];
    }

    /**
     * Sends datagrams until the count is reached or one has an effect that is not permitted.
     *
     * @param count number of datagrams.
     * @return the result.
     */
    public FuzzResult run(final long count)
    {
        final long start = System.nanoTime();
        for (int batch = 0; done < count && violation == null; batch++)
        {
            final int format = batch % formats.size();
            final int size = (int)Math.min(BATCH, count - done);
            attack(formats.get(format), size, (batch / formats.size() + 1) % UNKNOWN_SOURCE_INTERVAL == 0);
            datagrams[format] += size;
        }
        formats.forEach(FuzzFormat::close);
        final double seconds = (System.nanoTime() - start) / 1e9;
        return new FuzzResult(seed, done, seconds, formats, datagrams, violation);
    }

    private void attack(final FuzzFormat format, final int count, final boolean isUnknownSource)
    {
        final int source = isUnknownSource ? FuzzArena.UNKNOWN_SOURCE : FuzzArena.KNOWN_SOURCE;
        final long payload = datagram.address() + PAYLOAD_OFFSET;
        format.begin(source);
        for (int i = 0; i < count && violation == null; i++)
        {
            done++;
            try
            {
                violation = format.attack(payload, mutator);
            }
            catch (final RuntimeException ex)
            {
                violation = "threw " + ex + " at " + ex.getStackTrace()[0];
            }
            if (violation != null)
            {
                violation = format.label() + ", datagram " + done + ": " + violation + "; it was " +
                    hex(payload, format.tally().lastLength);
            }
        }
        final int changed = arena.changed(source, format.hasKeys());
        if (violation == null && changed >= 0)
        {
            violation = format.label() + ", among the " + count + " datagrams up to " + done + (isUnknownSource ?
                " of an unknown source" : "") + ": byte " + changed + " was changed, which no peer may write";
        }
    }

    private static String hex(final long address, final int length)
    {
        final byte[] bytes = new byte[length];
        FrameMemory.getBytes(address, bytes);
        return HexFormat.of().formatHex(bytes);
    }

    @Override
    public void close()
    {
        datagram.close();
        arena.close();
    }
}
