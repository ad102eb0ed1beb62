package org.fibnuma.ipnuma.endpoint;

import org.fibnuma.core.frame.FrameBatch;
import org.fibnuma.core.frame.FramePool;
import org.fibnuma.core.memory.FrameMemory;
import org.fibnuma.core.memory.MemoryRegion;
import org.fibnuma.core.port.Port;
import org.fibnuma.core.wire.EtherType;
import org.fibnuma.core.wire.Ipv4Prefix;
import org.fibnuma.ipnuma.channel.ChannelListener;
import org.fibnuma.ipnuma.session.DatagramOutput;
import org.fibnuma.ipnuma.session.Session;
import org.fibnuma.ipnuma.session.SessionSettings;
import org.fibnuma.ipnuma.session.SessionState;
import org.fibnuma.ipnuma.session.window.SlotPool;
import org.fibnuma.ipnuma.table.AccessStatus;
import org.fibnuma.ipnuma.table.AtomicOperation;
import org.fibnuma.ipnuma.table.Region;
import org.fibnuma.ipnuma.table.RegionAccess;
import org.fibnuma.ipnuma.table.RegionTable;
import org.fibnuma.ipnuma.table.RemoteAddress;
import org.fibnuma.ipnuma.wire.IpnumaPorts;
import org.fibnuma.ipnuma.wire.UdpFrameTemplate;

import java.util.List;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Sessions behind one port, each with an address and a region of its own. One frame of {@link #LOSS} is lost. */
final class ManyPeers implements AutoCloseable
{
    static final int REGION = 5;
    /** Bytes of the region of the endpoint for each peer: a counter, then a value. */
    static final int STRIDE = 64;

    private static final int LOSS = 37;
    private static final int MIN_FRAME = 60;
    private static final int ETHER_TYPE = 12;
    private static final int DESTINATION = 30;
    private static final int UDP_LENGTH = 38;
    private static final int UDP_HEADER = 8;
    private static final int PAYLOAD = FramePool.HEADROOM + 64;

    private final Port port;
    private final FramePool pool;
    private final int firstIpv4;
    private final int hubIpv4;
    private final long mac;
    private final long hubMac;
    private final MemoryRegion memory;
    private final SlotPool slots = new SlotPool(1472, SlotPool.MAX_SLOTS);
    private final One[] ones;
    private final FrameBatch batch = new FrameBatch();
    private int sent;
    private int silent;
    private long nowNs;

    ManyPeers(
        final Port port,
        final FramePool pool,
        final int count,
        final int firstIpv4,
        final int hubIpv4,
        final long mac,
        final long hubMac)
    {
        this.port = port;
        this.pool = pool;
        this.firstIpv4 = firstIpv4;
        this.hubIpv4 = hubIpv4;
        this.mac = mac;
        this.hubMac = hubMac;
        memory = MemoryRegion.ofBytes(count * STRIDE);
        ones = new One[count];
        for (int i = 0; i < count; i++)
        {
            ones[i] = new One(i, 100);
        }
        port.start();
    }

    /** Returns the value that a peer stores. */
    static long value(final int peer)
    {
        return 0x0123_4567_0000_0000L + peer;
    }

    void connect(final int from, final int to)
    {
        for (int i = from; i < to; i++)
        {
            ones[i].session.connect();
        }
    }

    boolean isUp(final int peer)
    {
        return ones[peer].session.state() == SessionState.UP;
    }

    /** Stores the value of a peer, adds 1 to its counter a number of times, and reads the value back. */
    void store(final int peer, final int adds)
    {
        ones[peer].store(adds);
    }

    /** Adds 1 to the counter of a peer, if there is room. */
    void add(final int peer)
    {
        ones[peer].add();
    }

    boolean hasReadBack(final int peer)
    {
        return ones[peer].hasReadBack;
    }

    /** Returns what the endpoint has stored at a peer. */
    long stored(final int peer)
    {
        return FrameMemory.getLong(memory.address() + (long)peer * STRIDE);
    }

    /** The first so many peers neither send nor receive any more. */
    void silence(final int count)
    {
        silent = count;
    }

    /** Restarts the first so many peers, which connect; the other silent ones stay so. */
    void restart(final int count)
    {
        for (int i = 0; i < count; i++)
        {
            ones[i].session.close();
            ones[i] = new One(i, 200);
            ones[i].isRestarted = true;
            ones[i].session.connect();
        }
    }

    private boolean isSilent(final int peer)
    {
        return peer < silent && !ones[peer].isRestarted;
    }

    void poll(final long now)
    {
        nowNs = now;
        do
        {
            batch.clear();
            port.rxQueue(0).receive(batch);
            for (int i = 0; i < batch.size(); i++)
            {
                deliver(batch.address(i));
                pool.release(batch.handle(i));
            }
        }
        while (batch.size() > 0);
        for (int i = 0; i < ones.length; i++)
        {
            if (!isSilent(i))
            {
                ones[i].session.poll(ones[i], nowNs);
            }
        }
        port.txQueue(0).flush();
    }

    private void deliver(final long frame)
    {
        final int peer = FrameMemory.getIntBE(frame + DESTINATION) - firstIpv4;
        if (FrameMemory.getShortBE(frame + ETHER_TYPE) == EtherType.IPV4 && peer >= 0 && peer < ones.length &&
            !isSilent(peer))
        {
            final int length = FrameMemory.getShortBE(frame + UDP_LENGTH) - UDP_HEADER;
            ones[peer].session.onDatagram(frame + UdpFrameTemplate.HEADER_LENGTH, length, false, hubIpv4, nowNs);
        }
    }

    @Override
    public void close()
    {
        for (final One one : ones)
        {
            one.session.close();
        }
        slots.close();
        port.close();
        memory.close();
    }

    /** One peer. */
    private final class One implements ChannelListener, DatagramOutput
    {
        private final int number;
        private final Session session;
        private final UdpFrameTemplate template;
        private long chunk = FramePool.NONE;
        private boolean isRestarted;
        private boolean hasReadBack;

        One(final int number, final int epoch)
        {
            this.number = number;
            final RegionTable regions = new RegionTable();
            regions.add(new Region(REGION, "box", memory.address() + (long)number * STRIDE, STRIDE, RegionAccess.ALL,
                List.of(Ipv4Prefix.of(hubIpv4, Integer.SIZE)), Region.NO_KEY));
            session = new Session(0, new SessionSettings().epoch(epoch).slots(slots), regions, this);
            template = new UdpFrameTemplate(
                mac, hubMac, firstIpv4 + number, hubIpv4, IpnumaPorts.IPNUMA, IpnumaPorts.IPNUMA);
        }

        private long remote()
        {
            return RemoteAddress.of(REGION, (long)number * STRIDE);
        }

        void store(final int adds)
        {
            final long data = memory.address() + (long)number * STRIDE + Long.BYTES;
            FrameMemory.putLong(data, value(number));
            assertTrue(session.write(remote() + Long.BYTES, Region.NO_KEY, data, Long.BYTES, true, 0));
            for (int i = 0; i < adds; i++)
            {
                assertTrue(add());
            }
            assertTrue(session.read(remote() + Long.BYTES, Region.NO_KEY, Long.BYTES, 1));
            session.flush();
        }

        boolean add()
        {
            final boolean isTaken = session.atomic(
                AtomicOperation.FETCH_ADD, remote(), Region.NO_KEY, 1, 0, Long.BYTES, 2);
            session.flush();
            return isTaken;
        }

        @Override
        public long claim(final int length)
        {
            if (chunk == FramePool.NONE)
            {
                chunk = pool.allocate();
            }
            return chunk == FramePool.NONE ? 0 : chunk + PAYLOAD;
        }

        @Override
        public void commit(final int length, final boolean ecnCapable)
        {
            final long frame = chunk + PAYLOAD - UdpFrameTemplate.HEADER_LENGTH;
            final int frameLength = Math.max(
                MIN_FRAME, template.write(frame, length, UdpFrameTemplate.NOT_ECN_CAPABLE));
            if (++sent % LOSS == 0 || !port.txQueue(0).offer(chunk, frame, frameLength))
            {
                pool.release(chunk);
            }
            chunk = FramePool.NONE;
        }

        @Override
        public void onRead(final int pcId, final long tag, final long address, final int length, final int status)
        {
            assertEquals(AccessStatus.OK, status);
            assertEquals(value(number), FrameMemory.getLong(address), "peer " + number);
            hasReadBack = true;
        }

        @Override
        public void onAtomic(final int pcId, final long tag, final long previous, final int status)
        {
            assertEquals(AccessStatus.OK, status);
        }

        @Override
        public void onError(final int pcId, final int status, final long remoteAddress)
        {
            throw new AssertionError("refused: " + AccessStatus.label(status));
        }

        @Override
        public void onRefused(final int pcId, final int status, final long remoteAddress)
        {
            throw new AssertionError("refused here: " + AccessStatus.label(status));
        }
    }
}
