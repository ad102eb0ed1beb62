package org.fibnuma.ipnuma.endpoint;

import org.agrona.concurrent.NanoClock;
import org.agrona.concurrent.UnsafeBuffer;
import org.agrona.concurrent.status.CountersManager;
import org.fibnuma.core.frame.FramePool;
import org.fibnuma.core.memory.MemoryRegion;
import org.fibnuma.core.port.Port;
import org.fibnuma.core.port.PortRequest;
import org.fibnuma.core.port.PortSettings;
import org.fibnuma.core.port.Ports;
import org.fibnuma.core.wire.Ipv4Address;
import org.fibnuma.core.wire.Ipv4Prefix;
import org.fibnuma.ipnuma.channel.ChannelListener;
import org.fibnuma.ipnuma.config.NetworkConfig;
import org.fibnuma.ipnuma.session.SessionSettings;
import org.fibnuma.ipnuma.table.Peer;
import org.fibnuma.ipnuma.table.PeerTable;
import org.fibnuma.ipnuma.table.Region;
import org.fibnuma.ipnuma.table.RegionAccess;
import org.fibnuma.ipnuma.table.RegionTable;
import org.fibnuma.ipnuma.wire.WireFormat;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/** One endpoint on a {@code mem:} link, with a region of its own, on the thread and the clock of the test. */
public final class TestEndpoint implements AutoCloseable
{
    /** The region of every test endpoint: anybody in 10.9.0.0/24 may do everything with it, without a key. */
    public static final int REGION_ID = 5;
    public static final int REGION_LENGTH = 8192;

    private static final int FRAMES = 1024;
    private static final int POOLS = 3;
    private static final int CHUNK = 2048;
    private static final int COUNTERS = 512;
    private static final AtomicLong LINKS = new AtomicLong();

    private final MemoryRegion region = MemoryRegion.ofBytes(REGION_LENGTH);
    private final FramePool pool;
    private final Port port;
    private final EndpointAgent agent;
    private final RegionTable regions = new RegionTable();

    public TestEndpoint(
        final String device,
        final FramePool pool,
        final int own,
        final int gateway,
        final NanoClock clock,
        final ChannelListener listener,
        final Peer... peers)
    {
        this(device, pool, own, gateway, clock, listener, EndpointService.NONE, peers);
    }

    TestEndpoint(
        final String device,
        final FramePool pool,
        final int own,
        final int gateway,
        final NanoClock clock,
        final ChannelListener listener,
        final EndpointService service,
        final Peer... peers)
    {
        this.pool = pool;
        port = Ports.open(new PortRequest("e" + own, device, 0, List.of(pool), new PortSettings(64, 64, 0, 64, true)));
        final PeerTable table = new PeerTable();
        for (final Peer peer : peers)
        {
            table.add(peer);
        }
        regions.add(new Region(REGION_ID, "box", region.address(), REGION_LENGTH, RegionAccess.ALL,
            List.of(Ipv4Prefix.parse("10.9.0.0/24")), Region.NO_KEY));
        agent = new EndpointAgent(new EndpointContext()
            .port(port)
            .framePool(pool)
            .network(new NetworkConfig(ipv4(own), 24, gateway, 0))
            .peers(table)
            .regions(regions)
            .counters(new CountersManager(
                new UnsafeBuffer(ByteBuffer.allocateDirect(COUNTERS * CountersManager.METADATA_LENGTH)),
                new UnsafeBuffer(ByteBuffer.allocateDirect(COUNTERS * CountersManager.COUNTER_LENGTH))))
            .clock(clock)
            .sessionSettings(new SessionSettings().epoch(1 + (int)LINKS.incrementAndGet()))
            .listener(listener)
            .service(service)
            .conclude());
        port.start();
        agent.onStart();
    }

    /** A name for a link that no other test uses. */
    public static String newLink()
    {
        return "mem:endpoint-" + LINKS.incrementAndGet();
    }

    /** Memory for both ends of a link, and for one that comes later. */
    public static MemoryRegion frames()
    {
        return MemoryRegion.ofChunks(POOLS * FRAMES, CHUNK);
    }

    public static FramePool pool(final MemoryRegion frames, final int number)
    {
        return new FramePool(frames, CHUNK, number * FRAMES, FRAMES);
    }

    public static int ipv4(final int own)
    {
        return Ipv4Address.parse("10.9.0." + own);
    }

    public static Peer peer(final int pcId, final WireFormat format)
    {
        return new Peer(pcId, ipv4(pcId), format);
    }

    public EndpointAgent agent()
    {
        return agent;
    }

    public RegionTable regions()
    {
        return regions;
    }

    public FramePool pool()
    {
        return pool;
    }

    /** First byte of its region. */
    public long memory()
    {
        return region.address();
    }

    /** Leaves the link without a word, as a process that was killed. */
    void closePort()
    {
        port.close();
    }

    void closeMemory()
    {
        region.close();
    }

    @Override
    public void close()
    {
        agent.onClose();
        port.close();
        region.close();
    }
}
