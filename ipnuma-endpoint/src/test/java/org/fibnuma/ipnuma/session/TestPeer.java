package org.fibnuma.ipnuma.session;

import org.fibnuma.core.memory.FrameMemory;
import org.fibnuma.core.wire.Ipv4Prefix;
import org.fibnuma.ipnuma.channel.ChannelListener;
import org.fibnuma.ipnuma.table.Region;
import org.fibnuma.ipnuma.table.RegionAccess;
import org.fibnuma.ipnuma.table.RegionTable;
import org.fibnuma.ipnuma.table.RemoteAddress;

import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;

/** One end: a region, a session and a record of what it was told. */
final class TestPeer implements ChannelListener, LossyLink.Receiver
{
    static final int REGION = 5;
    static final long KEY = 0x1122_3344_5566_7788L;
    static final int SOURCE = 0x0A09_0002;

    final TestMemory memory;
    final RegionTable regions = new RegionTable();
    final List<String> events = new ArrayList<>();
    final List<byte[]> readBytes = new ArrayList<>();
    final List<Long> previousValues = new ArrayList<>();
    BiConsumer<Long, Integer> written = (tag, status) -> { };
    Session session;
    long lostWrites;
    int doorbells;
    int atomics;
    /** Answers to atomics are counted only, which allocates nothing. */
    boolean isQuiet;

    private final TestMemory arrival = new TestMemory(9000);
    private final TestMemory staging = new TestMemory(9000);
    private long nowNs;

    TestPeer(final int regionSize)
    {
        memory = new TestMemory(regionSize);
        regions.add(new Region(REGION, "box", memory.address(), regionSize, RegionAccess.ALL,
            List.of(new Ipv4Prefix(SOURCE & 0xFFFF_FF00, 24)), KEY));
    }

    TestPeer start(final SessionSettings settings)
    {
        if (session != null)
        {
            session.close();
        }
        session = new Session(0, settings, regions, this);
        return this;
    }

    void time(final long now)
    {
        nowNs = now;
    }

    boolean write(final long offset, final byte[] bytes, final boolean ordered)
    {
        return session.write(RemoteAddress.of(REGION, offset), KEY, staging.put(bytes), bytes.length, ordered, 0);
    }

    boolean writeLong(final long offset, final long value, final boolean ordered)
    {
        return writeLong(offset, value, ordered, KEY, 0);
    }

    boolean writeLong(final long offset, final long value, final boolean ordered, final long key, final long tag)
    {
        FrameMemory.putLong(staging.address(), value);
        return session.write(RemoteAddress.of(REGION, offset), key, staging.address(), Long.BYTES, ordered, tag);
    }

    long getLong(final int offset)
    {
        return FrameMemory.getLong(memory.address() + offset);
    }

    int getInt(final int offset)
    {
        return FrameMemory.getInt(memory.address() + offset);
    }

    @Override
    public void onDatagram(final byte[] bytes, final boolean ce)
    {
        FrameMemory.putBytes(arrival.address(), bytes);
        session.onDatagram(arrival.address(), bytes.length, ce, SOURCE, nowNs);
    }

    @Override
    public void onUp(final int pcId)
    {
        events.add("up");
    }

    @Override
    public void onDown(final int pcId, final long pendingWrites)
    {
        events.add("down " + pendingWrites);
        lostWrites += pendingWrites;
    }

    @Override
    public void onPeerRestarted(final int pcId, final long lost)
    {
        events.add("restarted " + lost);
        lostWrites += lost;
    }

    @Override
    public void onRead(final int pcId, final long tag, final long address, final int length, final int status)
    {
        final byte[] bytes = new byte[length];
        FrameMemory.getBytes(address, bytes);
        readBytes.add(bytes);
        events.add("read " + tag + " " + status);
    }

    @Override
    public void onAtomic(final int pcId, final long tag, final long previous, final int status)
    {
        atomics++;
        if (isQuiet)
        {
            return;
        }
        previousValues.add(previous);
        events.add("atomic " + tag + " " + status);
    }

    @Override
    public void onWritten(final int pcId, final long tag, final int status)
    {
        events.add("written " + tag + " " + status);
        written.accept(tag, status);
    }

    @Override
    public void onUnanswered(final int pcId, final long tag)
    {
        events.add("unanswered " + tag);
    }

    @Override
    public void onDoorbell(final int pcId)
    {
        doorbells++;
    }

    @Override
    public void onError(final int pcId, final int status, final long remoteAddress)
    {
        events.add("error " + status + " 0x" + Long.toHexString(remoteAddress));
    }

    void close()
    {
        session.close();
        arrival.close();
        staging.close();
        memory.close();
    }
}
