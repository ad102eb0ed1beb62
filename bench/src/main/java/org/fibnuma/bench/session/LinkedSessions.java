package org.fibnuma.bench.session;

import org.fibnuma.core.memory.FrameMemory;
import org.fibnuma.core.memory.MemoryRegion;
import org.fibnuma.core.wire.Ipv4Prefix;
import org.fibnuma.ipnuma.channel.ChannelListener;
import org.fibnuma.ipnuma.session.DatagramOutput;
import org.fibnuma.ipnuma.session.Session;
import org.fibnuma.ipnuma.session.SessionSettings;
import org.fibnuma.ipnuma.session.SessionState;
import org.fibnuma.ipnuma.table.Region;
import org.fibnuma.ipnuma.table.RegionAccess;
import org.fibnuma.ipnuma.table.RegionTable;
import org.fibnuma.ipnuma.table.RemoteAddress;

import java.util.List;

/** Two sessions, each with a region, and the frames of the last datagrams that one of them sent. */
final class LinkedSessions implements DatagramOutput, AutoCloseable
{
    static final int MAX_FRAMES = 64;

    private static final int FRAME_SIZE = 2048;
    private static final int REGION_SIZE = 65_536;
    private static final int REGION_ID = 1;
    private static final long KEY = 0x7A5A_1234_9876_0F0FL;
    private static final int IPV4 = 0x0A09_0001;
    /** Time between two steps: the time of a datagram in the ping-pong. */
    private static final int STEP_NS = 300;

    private final MemoryRegion memory = MemoryRegion.ofBytes((MAX_FRAMES + 1) * FRAME_SIZE);
    private final MemoryRegion regionMemory = MemoryRegion.ofBytes(2 * REGION_SIZE);
    private final int[] lengths = new int[MAX_FRAMES];
    private final Session a;
    private final Session b;
    private long nowNs = 1;
    private int sent;

    LinkedSessions()
    {
        a = open(1, regionMemory.address());
        b = open(2, regionMemory.address() + REGION_SIZE);
        a.connect();
        while (a.state() != SessionState.UP || b.state() != SessionState.UP)
        {
            exchange();
        }
    }

    Session a()
    {
        return a;
    }

    Session b()
    {
        return b;
    }

    /** Sends a write of 4 bytes at once. */
    boolean send(final Session session, final int value)
    {
        final long data = memory.address() + (long)MAX_FRAMES * FRAME_SIZE;
        FrameMemory.putInt(data, value);
        nowNs += STEP_NS;
        final boolean isTaken = session.write(RemoteAddress.of(REGION_ID, 64), KEY, data, Integer.BYTES, true, 0);
        session.flush();
        session.poll(this, nowNs);
        return isTaken;
    }

    int sent()
    {
        return sent;
    }

    /** Passes a frame to a session. */
    void receive(final Session session, final int frame)
    {
        session.onDatagram(memory.address() + (long)frame * FRAME_SIZE, lengths[frame], false, IPV4, nowNs);
    }

    void clear()
    {
        sent = 0;
    }

    /** Passes all frames to a session. */
    void receiveAll(final Session session)
    {
        for (int i = 0; i < sent; i++)
        {
            receive(session, i);
        }
        sent = 0;
    }

    /** Sends everything that is due in both directions. */
    void exchange()
    {
        nowNs += 1_000_000;
        a.poll(this, nowNs);
        receiveAll(b);
        b.poll(this, nowNs);
        receiveAll(a);
    }

    @Override
    public long claim(final int length)
    {
        return sent < MAX_FRAMES ? memory.address() + (long)sent * FRAME_SIZE : 0;
    }

    @Override
    public void commit(final int length, final boolean ecnCapable)
    {
        lengths[sent++] = length;
    }

    @Override
    public void close()
    {
        a.close();
        b.close();
        memory.close();
        regionMemory.close();
    }

    private static Session open(final int epoch, final long address)
    {
        final RegionTable regions = new RegionTable();
        regions.add(new Region(REGION_ID, "box", address, REGION_SIZE, RegionAccess.ALL,
            List.of(new Ipv4Prefix(IPV4 & 0xFFFF_FF00, 24)), KEY));
        return new Session(0, new SessionSettings().epoch(epoch), regions, ChannelListener.NONE);
    }
}
