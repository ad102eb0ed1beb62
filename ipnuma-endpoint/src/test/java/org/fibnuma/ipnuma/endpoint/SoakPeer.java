package org.fibnuma.ipnuma.endpoint;

import org.agrona.concurrent.UnsafeBuffer;
import org.agrona.concurrent.status.CountersManager;
import org.agrona.concurrent.status.CountersReader;
import org.fibnuma.core.frame.FramePool;
import org.fibnuma.core.memory.FrameMemory;
import org.fibnuma.core.memory.MemoryRegion;
import org.fibnuma.core.memory.OrderedMemory;
import org.fibnuma.core.port.Port;
import org.fibnuma.core.port.PortRequest;
import org.fibnuma.core.port.PortSettings;
import org.fibnuma.core.port.Ports;
import org.fibnuma.core.wire.Ipv4Prefix;
import org.fibnuma.ipnuma.channel.ChannelListener;
import org.fibnuma.ipnuma.channel.PeerChannel;
import org.fibnuma.ipnuma.config.NetworkConfig;
import org.fibnuma.ipnuma.session.SessionSettings;
import org.fibnuma.ipnuma.table.AtomicOperation;
import org.fibnuma.ipnuma.table.Peer;
import org.fibnuma.ipnuma.table.PeerTable;
import org.fibnuma.ipnuma.table.Region;
import org.fibnuma.ipnuma.table.RegionAccess;
import org.fibnuma.ipnuma.table.RegionTable;
import org.fibnuma.ipnuma.table.RemoteAddress;
import org.fibnuma.ipnuma.wire.WireFormat;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.SplittableRandom;

/** An endpoint on a thread of its own that writes at random to its peer and keeps a model of the peer's region. */
final class SoakPeer implements ChannelListener, Runnable, AutoCloseable
{
    static final int REGION_SIZE = 65_536;

    private static final int REGION = 3;
    private static final int PEER = 2;
    private static final long KEY = 0x0BAD_CAFE_F00DL;
    private static final long LAST = -1;
    private static final int CHUNK_SIZE = 2048;
    private static final int FRAMES = 4096;
    private static final int RING = 512;
    private static final int ORDERED_END = 60_000;
    private static final int NUMBER = 60_000;
    private static final int COUNTER = 60_008;
    private static final int RELAXED = 61_440;

    final byte[] model = new byte[REGION_SIZE];
    long writes;
    long atomics;
    long answers;
    volatile String problem;

    private final MemoryRegion frames = MemoryRegion.ofChunks(FRAMES, CHUNK_SIZE);
    private final MemoryRegion memory = MemoryRegion.ofBytes(REGION_SIZE);
    private final MemoryRegion staging = MemoryRegion.ofBytes(2048);
    private final Port port;
    private final EndpointAgent agent;
    private final PeerChannel channel;
    private final SplittableRandom random;
    private final byte[] bytes = new byte[2048];
    private int relaxed;
    private long lastNumber;
    private volatile boolean isWriting = true;
    private volatile boolean isLanded;
    private volatile boolean isRunning = true;

    SoakPeer(final String device, final int own, final int other, final long seed)
    {
        random = new SplittableRandom(seed);
        final FramePool pool = new FramePool(frames, CHUNK_SIZE, 0, FRAMES);
        port = Ports.open(new PortRequest(
            "p" + own, device, 0, List.of(pool), new PortSettings(RING, RING, 0, 64, true)));
        final RegionTable regions = new RegionTable();
        regions.add(new Region(REGION, "box", memory.address(), REGION_SIZE, RegionAccess.ALL,
            List.of(new Ipv4Prefix(address(0), 24)), KEY));
        final Peer peer = new Peer(PEER, address(other), WireFormat.FIBNUMA);
        peer.mac(mac(other));
        final PeerTable peers = new PeerTable();
        peers.add(peer);
        agent = new EndpointAgent(new EndpointContext()
            .port(port)
            .framePool(pool)
            .network(new NetworkConfig(address(own), 24, 0, mac(own)))
            .peers(peers)
            .regions(regions)
            .counters(new CountersManager(
                new UnsafeBuffer(ByteBuffer.allocateDirect(128 * CountersReader.METADATA_LENGTH)),
                new UnsafeBuffer(ByteBuffer.allocateDirect(128 * CountersReader.COUNTER_LENGTH))))
            .sessionSettings(new SessionSettings().epoch(own)
                .firstSequence(random.nextInt()))
            .listener(this)
            .conclude());
        channel = agent.channel(PEER);
    }

    @Override
    public void run()
    {
        port.start();
        agent.onStart();
        boolean isLastTaken = false;
        while (isRunning && problem == null)
        {
            if (isWriting)
            {
                write();
            }
            else if (!isLastTaken)
            {
                isLastTaken = writeNumber() && channel.atomic(
                    AtomicOperation.FETCH_ADD, RemoteAddress.of(REGION, COUNTER), KEY, 0, 0, 8, LAST);
                channel.flush();
            }
            if (agent.doWork() == 0)
            {
                Thread.yield();
            }
            final long number = OrderedMemory.getLongAcquire(memory.address() + NUMBER);
            if (number < lastNumber)
            {
                problem = "number " + number + " after " + lastNumber;
            }
            lastNumber = number;
        }
    }

    void stopWriting()
    {
        isWriting = false;
    }

    boolean isLanded()
    {
        return isLanded;
    }

    void stop()
    {
        isRunning = false;
    }

    byte[] memory()
    {
        final byte[] all = new byte[REGION_SIZE];
        FrameMemory.getBytes(memory.address(), all);
        return all;
    }

    private void write()
    {
        final int count = random.nextInt(8);
        for (int i = 0; i < count; i++)
        {
            final int kind = random.nextInt(40);
            if (kind == 0)
            {
                addAtomic();
            }
            else if (kind == 1)
            {
                writeRelaxed();
            }
            else if (!writeOrdered())
            {
                break;
            }
            if (random.nextInt(4) == 0)
            {
                channel.flush();
            }
        }
        writeNumber();
        channel.flush();
    }

    private boolean writeOrdered()
    {
        final int length = 1 + random.nextInt(random.nextInt(10) == 0 ? channel.longestWrite() : 64);
        final int offset = random.nextInt(ORDERED_END - length);
        for (int i = 0; i < length; i++)
        {
            bytes[i] = (byte)random.nextInt();
            FrameMemory.putByte(staging.address() + i, bytes[i]);
        }
        if (!channel.write(RemoteAddress.of(REGION, offset), KEY, staging.address(), length, true))
        {
            return false;
        }
        System.arraycopy(bytes, 0, model, offset, length);
        writes++;
        return true;
    }

    private boolean writeNumber()
    {
        return writeLong(NUMBER, writes, true);
    }

    private void writeRelaxed()
    {
        final int offset = RELAXED + relaxed * Long.BYTES;
        if (offset < REGION_SIZE && writeLong(offset, relaxed + 1, false))
        {
            relaxed++;
        }
    }

    private boolean writeLong(final int offset, final long value, final boolean ordered)
    {
        FrameMemory.putLong(staging.address(), value);
        final boolean isTaken =
            channel.write(RemoteAddress.of(REGION, offset), KEY, staging.address(), Long.BYTES, ordered);
        if (isTaken)
        {
            for (int i = 0; i < Long.BYTES; i++)
            {
                model[offset + i] = FrameMemory.getByte(staging.address() + i);
            }
        }
        return isTaken;
    }

    private void addAtomic()
    {
        if (channel.atomic(AtomicOperation.FETCH_ADD, RemoteAddress.of(REGION, COUNTER), KEY, 1, 0, 8, atomics))
        {
            atomics++;
            for (int i = 0; i < Long.BYTES; i++)
            {
                model[COUNTER + i] = (byte)(atomics >>> i * Byte.SIZE);
            }
        }
    }

    @Override
    public void onAtomic(final int pcId, final long tag, final long previous, final int status)
    {
        if (tag == LAST)
        {
            isLanded = true;
        }
        else if (tag != answers || previous != answers || status != 0)
        {
            problem = "atomic " + tag + " answered " + previous + ", status " + status + ", after " + answers;
        }
        else
        {
            answers++;
        }
    }

    @Override
    public void onDown(final int pcId, final long pendingWrites)
    {
        if (isRunning)
        {
            problem = "down with " + pendingWrites;
        }
    }

    @Override
    public void onError(final int pcId, final int status, final long remoteAddress)
    {
        problem = "error " + status + " at 0x" + Long.toHexString(remoteAddress);
    }

    @Override
    public void close()
    {
        agent.onClose();
        port.close();
        frames.close();
        memory.close();
        staging.close();
    }

    private static int address(final int host)
    {
        return 0x0A09_0000 | host;
    }

    private static long mac(final int host)
    {
        return 0x0200_0000_0100L | host;
    }
}
