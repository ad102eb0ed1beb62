package org.fibnuma.bench.fuzz;

import org.fibnuma.ipnuma.session.SessionCounter;
import org.fibnuma.ipnuma.table.RegionTable;
import org.fibnuma.ipnuma.wire.WireFormat;

import java.util.SplittableRandom;

/**
 * The reliable format: two sessions whose datagrams are mutated on the way. Each batch starts with two new sessions.
 */
final class FibnumaFormat implements FuzzFormat
{
    private static final long START_NS = 1_000_000_000L;

    private final FuzzTally tally = new FuzzTally();
    private final RegionTable regions;
    private final SplittableRandom random;
    private FibnumaSource source;
    private FibnumaVictim victim;
    private int sourceIpv4;
    private int epoch;
    private long nowNs = START_NS;

    FibnumaFormat(final RegionTable regions, final SplittableRandom random)
    {
        this.regions = regions;
        this.random = random;
    }

    @Override
    public String label()
    {
        return WireFormat.FIBNUMA.label();
    }

    @Override
    public boolean hasKeys()
    {
        return true;
    }

    @Override
    public void begin(final int ipv4)
    {
        close();
        sourceIpv4 = ipv4;
        source = new FibnumaSource(random, ++epoch);
        victim = new FibnumaVictim(regions, nowNs);
    }

    @Override
    public String attack(final long payload, final Mutator mutator)
    {
        nowNs += random.nextInt(64) == 0 ? random.nextInt(2_000_000) : random.nextInt(2_000);
        final int length = mutator.mutate(payload, source.next(payload, nowNs));
        tally.lastLength = length;
        source.repair(payload, length);
        return victim.receive(
            payload, length, random.nextInt(16) == 0, sourceIpv4, nowNs, random.nextInt(8) == 0 ? null : source);
    }

    @Override
    public FuzzTally tally()
    {
        return tally;
    }

    @Override
    public void close()
    {
        if (victim == null)
        {
            return;
        }
        tally.taken += victim.count(SessionCounter.RECEIVED);
        tally.refused += victim.count(SessionCounter.DAMAGED) + victim.count(SessionCounter.STRAY) +
            victim.count(SessionCounter.REFUSED) + victim.count(SessionCounter.MALFORMED) +
            victim.count(SessionCounter.WRONG_TLP_COUNT) + victim.count(SessionCounter.CROSSES_BOUNDARY) +
            victim.count(SessionCounter.OTHER_REGION);
        source.close();
        victim.close();
        victim = null;
    }
}
