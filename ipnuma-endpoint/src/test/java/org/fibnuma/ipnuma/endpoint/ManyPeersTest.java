package org.fibnuma.ipnuma.endpoint;

import org.agrona.concurrent.UnsafeBuffer;
import org.agrona.concurrent.status.CountersManager;
import org.fibnuma.core.frame.FramePool;
import org.fibnuma.core.memory.FrameMemory;
import org.fibnuma.core.memory.MemoryRegion;
import org.fibnuma.core.port.Port;
import org.fibnuma.core.port.PortRequest;
import org.fibnuma.core.port.PortSettings;
import org.fibnuma.core.port.Ports;
import org.fibnuma.core.wire.Ipv4Address;
import org.fibnuma.core.wire.Ipv4Prefix;
import org.fibnuma.ipnuma.channel.ChannelListener;
import org.fibnuma.ipnuma.channel.PeerChannel;
import org.fibnuma.ipnuma.config.NetworkConfig;
import org.fibnuma.ipnuma.session.SessionSettings;
import org.fibnuma.ipnuma.session.window.SlotPool;
import org.fibnuma.ipnuma.table.Peer;
import org.fibnuma.ipnuma.table.PeerTable;
import org.fibnuma.ipnuma.table.Region;
import org.fibnuma.ipnuma.table.RegionAccess;
import org.fibnuma.ipnuma.table.RegionTable;
import org.fibnuma.ipnuma.table.RemoteAddress;
import org.fibnuma.ipnuma.wire.WireFormat;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** One endpoint with 10,000 configured peers, of which 1,000 connect, on the thread and the clock of the test. */
class ManyPeersTest
{
    private static final int CONFIGURED = 10_000;
    private static final int CONNECTED = 1_000;
    private static final int SILENT = 200;
    private static final int RESTARTED = 100;
    private static final int ADDS = 3;
    private static final int HUB = Ipv4Address.parse("10.9.0.1");
    private static final int FIRST = Ipv4Address.parse("10.9.1.0");
    private static final long MAC = 0x0200_0A09_0002L;
    private static final int FRAMES = 4096;
    private static final int CHUNK = 2048;
    /** Base counters of all peers, 16 of sessions for each connected one, and those of the endpoint. */
    private static final int SESSION_COUNTERS = 16 * CONNECTED;
    private static final int COUNTERS = 256 + 4 * CONFIGURED + SESSION_COUNTERS;
    private static final int TURNS = 100_000;
    private static final long BUSY_TURN_NS = 20_000;
    private static final long IDLE_TURN_NS = 200_000;
    private static final long SECOND_NS = 1_000_000_000;
    /** Polls in a second: up to two for hellos, or ten for probes of both sides and answers; one peer in ten is up. */
    private static final int POLLS_OF_AN_IDLE_PEER = 4;

    private final MemoryRegion frames = MemoryRegion.ofChunks(2 * FRAMES, CHUNK);
    private final MemoryRegion region = MemoryRegion.ofBytes(CONFIGURED * ManyPeers.STRIDE);
    private final boolean[] isDown = new boolean[CONFIGURED];
    private final String link = TestEndpoint.newLink();
    private final NetworkConfig network = new NetworkConfig(HUB, 16, 0, 0);
    private final Port port;
    private final EndpointAgent agent;
    private final ManyPeers peers;
    private long nowNs = 1;
    private long turnNs = BUSY_TURN_NS;

    ManyPeersTest()
    {
        final FramePool pool = new FramePool(frames, CHUNK, 0, FRAMES);
        port = open("hub", link, pool);
        final PeerTable table = new PeerTable();
        for (int i = 0; i < CONFIGURED; i++)
        {
            final Peer peer = new Peer(1 + i, FIRST + i, WireFormat.FIBNUMA);
            peer.mac(MAC);
            table.add(peer);
        }
        final RegionTable regions = new RegionTable();
        regions.add(new Region(ManyPeers.REGION, "box", region.address(), region.size(), RegionAccess.ALL,
            IntStream.range(0, CONFIGURED).mapToObj(i -> Ipv4Prefix.of(FIRST + i, Integer.SIZE)).toList(),
            Region.NO_KEY));
        agent = new EndpointAgent(new EndpointContext()
            .port(port)
            .framePool(pool)
            .network(network)
            .peers(table)
            .regions(regions)
            .counters(new CountersManager(
                new UnsafeBuffer(ByteBuffer.allocateDirect(COUNTERS * CountersManager.METADATA_LENGTH)),
                new UnsafeBuffer(ByteBuffer.allocateDirect(COUNTERS * CountersManager.COUNTER_LENGTH))))
            .sessionCounters(SESSION_COUNTERS)
            .clock(() -> nowNs)
            .sessionSettings(new SessionSettings().epoch(1))
            .listener(new Events())
            .conclude());
        final FramePool far = new FramePool(frames, CHUNK, FRAMES, FRAMES);
        peers = new ManyPeers(open("peers", link + "@far", far), far, CONNECTED, FIRST, HUB, MAC,
            network.macAddress(port.macAddress()));
        port.start();
        agent.onStart();
    }

    private static Port open(final String name, final String device, final FramePool pool)
    {
        return Ports.open(new PortRequest(name, device, 0, List.of(pool), new PortSettings(1024, 1024, 0, 64, true)));
    }

    @AfterEach
    void close()
    {
        agent.onClose();
        peers.close();
        port.close();
        region.close();
        frames.close();
    }

    @Test
    void shouldServeAThousandOfTenThousandPeers()
    {
        peers.connect(0, CONNECTED);
        await(() -> areUp(0, CONNECTED));
        store(0, CONNECTED);
        for (int i = 0; i < CONNECTED; i++)
        {
            assertEquals(ADDS, FrameMemory.getLong(counter(i)), "peer " + i);
            assertEquals(ManyPeers.value(i), FrameMemory.getLong(counter(i) + Long.BYTES), "peer " + i);
        }
        for (int i = CONNECTED; i < CONFIGURED; i++)
        {
            assertEquals(0, FrameMemory.getLong(counter(i)), "peer " + i);
        }
        storeFromHub();
        peersFallSilentAndReturn();
        idlePeersCostTheirTimers();
    }

    private void storeFromHub()
    {
        try (MemoryRegion data = MemoryRegion.ofBytes(64))
        {
            for (int i = 0; i < CONNECTED; i++)
            {
                FrameMemory.putLong(data.address(), -ManyPeers.value(i));
                final PeerChannel channel = agent.channel(1 + i);
                assertTrue(channel.write(RemoteAddress.of(ManyPeers.REGION, 0), Region.NO_KEY, data.address(),
                    Long.BYTES, true));
                channel.flush();
                turn();
            }
        }
        await(() -> IntStream.range(0, CONNECTED).allMatch(i -> peers.stored(i) == -ManyPeers.value(i)));
    }

    private void peersFallSilentAndReturn()
    {
        turnNs = IDLE_TURN_NS;
        peers.silence(SILENT);
        await(() -> IntStream.range(0, SILENT).allMatch(i -> isDown[i]));
        for (int i = SILENT; i < CONNECTED; i++)
        {
            assertTrue(agent.channel(1 + i).isUp() && !isDown[i], "peer " + i);
        }
        turnNs = BUSY_TURN_NS;
        peers.restart(RESTARTED);
        await(() -> areUp(0, RESTARTED));
        store(0, RESTARTED);
        for (int i = 0; i < CONNECTED; i++)
        {
            assertEquals(i < RESTARTED ? 2 * ADDS : ADDS, FrameMemory.getLong(counter(i)), "peer " + i);
        }
    }

    private void idlePeersCostTheirTimers()
    {
        turnNs = IDLE_TURN_NS;
        run(SECOND_NS);
        final long before = agent.schedule().polls();
        run(SECOND_NS);
        final long ofIdle = agent.schedule().polls() - before;
        assertTrue(ofIdle < POLLS_OF_AN_IDLE_PEER * CONFIGURED, "polls in a second: " + ofIdle);
        assertEquals(0, agent.slots().used(), "no datagram waits for an acknowledgement");
        assertTrue(agent.slots().size() <= 4 * CONNECTED + SlotPool.BLOCK, "slots: " + agent.slots().size());
        // One active peer, with a datagram in each turn.
        final int turns = 2_000;
        final long beforeActive = agent.schedule().polls();
        for (int i = 0; i < turns; i++)
        {
            peers.add(CONNECTED - 1);
            turn();
        }
        final long withActive = agent.schedule().polls() - beforeActive;
        final long idleShare = POLLS_OF_AN_IDLE_PEER * CONFIGURED * (turns * IDLE_TURN_NS) / SECOND_NS;
        assertTrue(withActive < 3 * turns + idleShare, "polls in " + turns + " duty cycles: " + withActive);
    }

    /** Each peer of a range stores, adds and reads back. */
    private void store(final int from, final int to)
    {
        for (int i = from; i < to; i++)
        {
            peers.store(i, ADDS);
            turn();
        }
        await(() -> IntStream.range(from, to).allMatch(i -> peers.hasReadBack(i)));
    }

    private long counter(final int peer)
    {
        return region.address() + (long)peer * ManyPeers.STRIDE;
    }

    private boolean areUp(final int from, final int to)
    {
        return IntStream.range(from, to).allMatch(i -> agent.channel(1 + i).isUp() && peers.isUp(i));
    }

    private void run(final long durationNs)
    {
        for (final long endNs = nowNs + durationNs; nowNs - endNs < 0;)
        {
            turn();
        }
    }

    private void turn()
    {
        nowNs += turnNs;
        agent.doWork();
        peers.poll(nowNs);
    }

    private void await(final BooleanSupplier wanted)
    {
        for (int i = 0; i < TURNS && !wanted.getAsBoolean(); i += 10)
        {
            for (int turn = 0; turn < 10; turn++)
            {
                turn();
            }
        }
        assertTrue(wanted.getAsBoolean());
    }

    private final class Events implements ChannelListener
    {
        @Override
        public void onUp(final int pcId)
        {
            isDown[pcId - 1] = false;
        }

        @Override
        public void onDown(final int pcId, final long pendingWrites)
        {
            isDown[pcId - 1] = true;
        }

        @Override
        public void onPeerRestarted(final int pcId, final long lostWrites)
        {
            assertTrue(pcId <= RESTARTED, "peer " + pcId + " has not restarted");
        }
    }
}
