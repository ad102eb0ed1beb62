package org.fibnuma.bench.fuzz;

import org.fibnuma.core.memory.FrameMemory;
import org.fibnuma.core.memory.MemoryRegion;
import org.fibnuma.ipnuma.channel.ChannelListener;
import org.fibnuma.ipnuma.session.DatagramOutput;
import org.fibnuma.ipnuma.session.Session;
import org.fibnuma.ipnuma.session.SessionSettings;
import org.fibnuma.ipnuma.table.AtomicOperation;
import org.fibnuma.ipnuma.table.Region;
import org.fibnuma.ipnuma.table.RegionTable;
import org.fibnuma.ipnuma.wire.fibnuma.FibnumaHeaderFlyweight;
import org.fibnuma.ipnuma.wire.fibnuma.FibnumaHeaderWriter;

import java.util.SplittableRandom;

/** Session of a peer that stores its datagrams, so that they can be sent again, changed or late. */
final class FibnumaSource implements DatagramOutput, AutoCloseable
{
    private static final int SLOTS = 64;
    private static final int SLOT = 2048;
    private static final int DATA = 2048;

    private final SplittableRandom random;
    private final MemoryRegion memory = MemoryRegion.ofBytes(SLOTS * SLOT + DATA);
    private final int[] lengths = new int[SLOTS];
    private final Session session;
    private final FibnumaHeaderWriter writer = new FibnumaHeaderWriter();
    private final FibnumaHeaderFlyweight header = new FibnumaHeaderFlyweight();
    private int newest;
    private int fresh;

    FibnumaSource(final SplittableRandom random, final int epoch)
    {
        this.random = random;
        session = new Session(
            0, new SessionSettings().epoch(epoch).random(random.split()), new RegionTable(), ChannelListener.NONE);
    }

    /** Writes the next datagram and returns its length. */
    int next(final long payload, final long nowNs)
    {
        if (fresh == 0)
        {
            request();
            session.flush();
            session.poll(this, nowNs);
        }
        final int back = fresh > 0 && random.nextInt(4) > 0 ? --fresh : random.nextInt(SLOTS);
        final int slot = newest - back & SLOTS - 1;
        Mutator.frame(payload, lengths[slot]);
        FrameMemory.copy(memory.address() + (long)slot * SLOT, payload, lengths[slot]);
        return lengths[slot];
    }

    /** Corrects the CRC, which detects most changes, and often the length too. */
    void repair(final long payload, final int length)
    {
        if (length < FibnumaHeaderFlyweight.MIN_LENGTH || random.nextInt(8) == 0)
        {
            return;
        }
        final int room = length - FibnumaHeaderFlyweight.MIN_LENGTH;
        if (random.nextInt(8) > 0)
        {
            writer.wrap(payload).length(room, header.wrap(payload).status());
        }
        if (header.wrap(payload).tlpBytes() <= room)
        {
            writer.wrap(payload).finish(header.tlpBytes());
        }
    }

    /** Passes an answer of the victim to the session. */
    void receive(final long payload, final int length, final long nowNs)
    {
        session.onDatagram(payload, length, false, FuzzArena.KNOWN_SOURCE, nowNs);
    }

    private void request()
    {
        final long address = FuzzArena.address(random);
        final long key = random.nextBoolean() ? Region.NO_KEY : FuzzArena.KNOWN_KEY;
        final int length = 1 + random.nextInt(random.nextInt(4) == 0 ? session.maxTransfer() : 64);
        switch (random.nextInt(8))
        {
            case 0, 1 -> session.read(
                address, key, Math.min(length, 4096 - (int)(address & 4095)), random.nextLong());
            case 2 -> session.atomic(
                AtomicOperation.FETCH_ADD + random.nextInt(3), address & -Long.BYTES, key, random.nextLong(),
                random.nextInt(2), 4 << random.nextInt(2), random.nextLong());
            case 3 -> session.doorbell();
            default ->
            {
                for (int i = random.nextInt(4); i >= 0; i--)
                {
                    session.write(address, key, memory.address() + SLOTS * SLOT, length, random.nextInt(3) > 0, 0);
                }
            }
        }
    }

    @Override
    public long claim(final int length)
    {
        newest = newest + 1 & SLOTS - 1;
        lengths[newest] = length;
        return memory.address() + (long)newest * SLOT;
    }

    @Override
    public void commit(final int length, final boolean ecnCapable)
    {
        fresh = Math.min(fresh + 1, SLOTS);
    }

    @Override
    public void close()
    {
        session.close();
        memory.close();
    }
}
