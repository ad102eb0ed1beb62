package org.fibnuma.bench.fuzz;

import org.fibnuma.ipnuma.table.RegionTable;
import org.fibnuma.ipnuma.wire.DatagramCodec;
import org.fibnuma.ipnuma.wire.WireFormat;

import java.util.SplittableRandom;

/** One of the formats without retransmission. */
final class LegacyFormat implements FuzzFormat
{
    private final FuzzTally tally = new FuzzTally();
    private final WireFormat format;
    private final LegacySource source;
    private final LegacyVictim victim;
    private int sourceIpv4;

    LegacyFormat(
        final WireFormat format, final DatagramCodec codec, final RegionTable regions, final SplittableRandom random)
    {
        this.format = format;
        source = new LegacySource(codec, random);
        victim = new LegacyVictim(codec, regions, tally);
    }

    @Override
    public String label()
    {
        return format.label();
    }

    @Override
    public boolean hasKeys()
    {
        return false;
    }

    @Override
    public void begin(final int ipv4)
    {
        sourceIpv4 = ipv4;
    }

    @Override
    public String attack(final long payload, final Mutator mutator)
    {
        tally.lastLength = mutator.mutate(payload, source.next(payload));
        return victim.receive(payload, tally.lastLength, sourceIpv4);
    }

    @Override
    public FuzzTally tally()
    {
        return tally;
    }

    @Override
    public void close()
    {
        source.close();
        victim.close();
    }
}
