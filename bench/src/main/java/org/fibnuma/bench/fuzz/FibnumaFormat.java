package org.fibnuma.bench.fuzz;

import org.fibnuma.ipnuma.session.SessionCounter;
import org.fibnuma.ipnuma.table.RegionTable;
import org.fibnuma.ipnuma.wire.WireFormat;

import java.util.SplittableRandom;

/**
 * The reliable format: two sessions whose datagrams are spoilt on the way. Both are made anew with every batch, since a
 * forged hello of a later epoch may keep the true peer out for good.
 */
final class FibnumaFormat implements FuzzFormat
{
    private static final long START_NS = 1_000_000_000L;

    private final RegionTable regions;
    private final SplittableRandom random;
    private FibnumaSource source;
    private FibnumaVictim victim;
    private int sourceIpv4;
    private int lastLength;
    private int epoch;
    private long nowNs = START_NS;
    private long taken;
    private long refused;

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
        final int length = source.next(payload, nowNs);
        lastLength = mutator.mutate(payload, length);
        source.repair(payload, lastLength);
        return victim.receive(
            payload, lastLength, random.nextInt(16) == 0, sourceIpv4, nowNs, random.nextInt(8) == 0 ? null : source);
    }

    @Override
    public int lastLength()
    {
        return lastLength;
    }

    @Override
    public long taken()
    {
        return taken;
    }

    @Override
    public long refused()
    {
        return refused;
    }

    @Override
    public void close()
    {
        if (victim == null)
        {
            return;
        }
        taken += victim.count(SessionCounter.RECEIVED);
        refused += victim.count(SessionCounter.DAMAGED) + victim.count(SessionCounter.STRAY) +
            victim.count(SessionCounter.REFUSED) + victim.count(SessionCounter.MALFORMED);
        source.close();
        victim.close();
        victim = null;
    }
}
