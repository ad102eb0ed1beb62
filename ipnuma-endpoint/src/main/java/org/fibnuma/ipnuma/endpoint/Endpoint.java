package org.fibnuma.ipnuma.endpoint;

import org.agrona.CloseHelper;
import org.agrona.concurrent.SystemNanoClock;
import org.agrona.concurrent.status.CountersManager;
import org.fibnuma.core.AllOrNothing;
import org.fibnuma.core.UserException;
import org.fibnuma.core.agent.IdleStrategies;
import org.fibnuma.core.counter.CountersFile;
import org.fibnuma.core.frame.FramePool;
import org.fibnuma.core.memory.MemoryRegion;
import org.fibnuma.core.memory.PageSource;
import org.fibnuma.core.port.Port;
import org.fibnuma.core.port.PortFilter;
import org.fibnuma.core.port.PortRequest;
import org.fibnuma.core.port.Ports;
import org.fibnuma.core.port.fault.FaultPortProvider;
import org.fibnuma.core.service.host.HostChanges;
import org.fibnuma.core.service.host.KilledProcesses;
import org.fibnuma.core.wire.Ipv4Address;
import org.fibnuma.ipnuma.channel.ChannelListener;
import org.fibnuma.ipnuma.client.CompanionEndpoint;
import org.fibnuma.ipnuma.config.EndpointChanges;
import org.fibnuma.ipnuma.config.EndpointConfig;
import org.fibnuma.ipnuma.config.PeerConfig;
import org.fibnuma.ipnuma.config.RegionConfig;
import org.fibnuma.ipnuma.fate.PeerCounters;
import org.fibnuma.ipnuma.memory.RegionFile;
import org.fibnuma.ipnuma.memory.RegionRequest;
import org.fibnuma.ipnuma.memory.RegionStore;
import org.fibnuma.ipnuma.seal.DatagramSeal;
import org.fibnuma.ipnuma.seal.SealBuffers;
import org.fibnuma.ipnuma.session.SessionCounter;
import org.fibnuma.ipnuma.session.SessionSettings;
import org.fibnuma.ipnuma.table.Peer;
import org.fibnuma.ipnuma.table.PeerTable;
import org.fibnuma.ipnuma.table.Region;
import org.fibnuma.ipnuma.table.RegionTable;
import org.fibnuma.ipnuma.window.PageWindow;
import org.fibnuma.ipnuma.window.StoreOrder;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Opens, starts and closes an endpoint. {@link #open} acquires everything that can fail: the name, the memory, the
 * port. After {@link #start} the port receives frames, and the {@link #agent()} has to run. It runs on the thread that
 * opened the endpoint, or on one that this thread has started. The thread that runs the agent last closes the endpoint.
 */
public final class Endpoint implements AutoCloseable
{
    private static final Logger LOGGER = LoggerFactory.getLogger(Endpoint.class);

    private static final String XDP = "xdp:";
    private static final String DPDK = "dpdk:";
    /** Room for a packet of 1,500 bytes and its headroom. The drivers of some cards need more. */
    private static final int CHUNK_SIZE = 2048;
    /** AF_XDP's FILL ring must be twice the receive ring, or it runs empty while frames are read. */
    private static final int FILL_PER_RECEIVE = 2;
    /** Chunks of batches in flight and of datagrams being written. */
    private static final int IN_FLIGHT = 512;
    /** The epochs of region files and clients have units of 64 ms. The epochs of sessions are random. */
    private static final int EPOCH_SHIFT = 6;
    /**
     * Maximum number of counters of sessions in the counters file: all 27 of 1,820 peers, or the 12 that are usually
     * not 0 of 4,096 peers. With 640 bytes each, they occupy 30 MiB.
     */
    private static final int SESSION_COUNTERS = 48 * 1024;
    /** Reading the clock takes 40 ns, ten times as long as an empty duty cycle. Timers are late by less than 1 us. */
    private static final int SPINNING_CYCLES = 32;
    /** Maximum number of duty cycles for which clients in other processes wait. */
    private static final int COMPANION_CYCLES = 8;

    private final EndpointConfig config;
    private final Deque<AutoCloseable> resources = new ArrayDeque<>();
    private final RegionTable regions = new RegionTable();
    private Port port;
    private EndpointAgent agent;
    private EndpointServices services;
    private PeerLog peerLog;
    /** By PC ID. The agent reads it when a peer is added. */
    private final Map<Integer, DatagramSeal> seals = new HashMap<>();
    private final SealBuffers sealBuffers = new SealBuffers();
    private final Map<String, RegionFile> files = new HashMap<>();
    private CountersManager counters;

    private Endpoint(final EndpointConfig config)
    {
        this.config = config;
    }

    /**
     * Opens an endpoint, which does not yet receive frames. If this fails, nothing stays open.
     *
     * @param config   of the endpoint.
     * @param listener notified of events of peers, by the thread that runs the agent.
     * @return the endpoint, not started.
     * @throws RuntimeException with one line for the user: {@link UserException} or {@link
     *                          java.io.UncheckedIOException}.
     */
    public static Endpoint open(final EndpointConfig config, final ChannelListener listener)
    {
        return AllOrNothing.open(new Endpoint(config), endpoint -> endpoint.openAll(listener));
    }

    private void openAll(final ChannelListener listener)
    {
        requireOwnAddress();
        KilledProcesses.cleanUp(LOGGER::warn);
        final Path directory = CountersFile.directoryOf(config.name());
        final int epoch = (int)(System.currentTimeMillis() >>> EPOCH_SHIFT);
        final int peerCount = config.peers().size() + EndpointChanges.MORE_PEERS;
        final int sessionCounters =
            Math.min(SESSION_COUNTERS, peerCount * SessionCounter.values().length);
        counters = keep(CountersFile.create(
            directory, CountersFile.DEFAULT_CAPACITY + PeerCounters.SESSION * peerCount + sessionCounters)).counters();
        final HostChanges changes = keep(HostChanges.open(config.name()));
        services = openRegions(directory, epoch);
        final int frames =
            FILL_PER_RECEIVE * config.rings().rxRingSize() + config.rings().txRingSize() + IN_FLIGHT;
        final String device = FaultPortProvider.underlying(config.device());
        final int chunkSize = device.startsWith(DPDK) ?
            PageSource.PAGE_SIZE : Math.max(CHUNK_SIZE, Ports.chunkSize(device, config.rings()));
        final MemoryRegion memory = keep(MemoryRegion.ofChunks(frames, chunkSize));
        final FramePool pool = new FramePool(memory, chunkSize, 0, frames);
        port = keep(Ports.open(new PortRequest(
            config.name(), config.device(), 0, List.of(pool), config.rings(),
            PortFilter.onlyTo(config.network().ipv4()), changes)));
        final PeerTable peers = peers();
        peerLog = new PeerLog(peers.peers(), SystemNanoClock.INSTANCE, listener);
        agent = new EndpointAgent(new EndpointContext()
            .port(port)
            .framePool(pool)
            .network(config.network())
            .peers(peers)
            .regions(regions)
            .counters(counters)
            .sessionCounters(sessionCounters)
            .sessionSettings(new SessionSettings().epoch(new SecureRandom().nextInt()))
            .listener(services.listening(peerLog))
            .service(services)
            .seals(seals)
            .cyclesBetweenPolls(
                config.thread().idle().equals(IdleStrategies.BUSY) ? SPINNING_CYCLES : 1)
            .conclude());
        services.connect(agent);
        resources.push(agent::onClose);
    }

    /** Refuses an address of the kernel on a shared port: both would answer for the address. */
    private void requireOwnAddress()
    {
        if (!FaultPortProvider.underlying(config.device()).startsWith(XDP))
        {
            return;
        }
        final int ipv4 = config.network().ipv4();
        try
        {
            final NetworkInterface holder = NetworkInterface.getByInetAddress(
                InetAddress.getByAddress(ByteBuffer.allocate(Integer.BYTES).putInt(ipv4).array()));
            if (holder != null)
            {
                throw new UserException(config.file() + ": endpoint.address: " + Ipv4Address.format(ipv4) +
                    " belongs to the kernel, on " + holder.getName() + "; give the endpoint an address of its own in " +
                    "that network, or take it from the kernel: ip address del " + Ipv4Address.format(ipv4) + "/" +
                    config.network().prefixLength() + " dev " + holder.getName());
            }
        }
        catch (final SocketException | UnknownHostException ex)
        {
            throw new UserException("cannot read the addresses of the kernel's interfaces: " + ex.getMessage());
        }
    }

    private EndpointServices openRegions(final Path directory, final int epoch)
    {
        final RegionStore store = keep(RegionStore.open(directory, epoch));
        final Set<String> names = new HashSet<>();
        final List<RegionFile> opened = new ArrayList<>();
        for (final RegionConfig region : config.regions())
        {
            final RegionFile file = keep(store.open(
                new RegionRequest(region.name(), region.id(), region.size(), region.access())));
            names.add(region.name());
            files.put(region.name(), file);
            opened.add(file);
            regions.add(new Region(
                region.id(), region.name(), file.mapping().address(), region.size(), region.access(),
                region.allow(), region.key()));
            if (region.isZero())
            {
                regions.zero(region.id());
            }
        }
        store.revokeLeftovers(names::contains);
        return keep(EndpointServices.open(config, directory, epoch, store, opened, regions));
    }

    private PeerTable peers()
    {
        final PeerTable peers = new PeerTable();
        for (final PeerConfig peerConfig : config.peers())
        {
            peers.add(peer(peerConfig));
        }
        return peers;
    }

    /** Creates the entry of a peer, and its seal if one is configured. */
    private Peer peer(final PeerConfig peerConfig)
    {
        final Peer peer = new Peer(peerConfig.id(), peerConfig.ipv4(), peerConfig.format());
        peer.mac(peerConfig.mac());
        if (peerConfig.seal() == null)
        {
            seals.remove(peerConfig.id());
        }
        else
        {
            seals.put(peerConfig.id(), new DatagramSeal(
                peerConfig.seal(), config.network().ipv4(), peerConfig.ipv4(), sealBuffers));
        }
        return peer;
    }

    /**
     * Applies the changes of the configuration file. Called by the thread that runs the agent, between two duty cycles.
     * Connections with removed peers end; their writes that are not acknowledged are reported as lost.
     */
    public void apply(final EndpointChanges changes)
    {
        changes.removed().forEach(peer -> agent.removePeer(peer.id(), peer.ipv4()));
        for (final PeerConfig added : changes.added())
        {
            final Peer peer = peer(added);
            peerLog.add(peer);
            agent.addPeer(peer);
        }
        for (final RegionConfig region : changes.regions())
        {
            final Region before = regions.region(region.id());
            regions.replace(new Region(region.id(), region.name(), before.address(), before.length(), region.access(),
                region.allow(), region.key()));
            files.get(region.name()).access(region.access());
        }
        if (changes.namesAllow())
        {
            services.trust(changes.config().services().namesAllow());
        }
    }

    /** Starts the port, and announces the endpoint's addresses on the network. */
    public void start()
    {
        port.start();
        agent.onStart();
    }

    /** Returns the agent. One thread runs it. */
    public EndpointAgent agent()
    {
        return agent;
    }

    /**
     * Returns the endpoint for a thread that also does other work, such as that of a client or of streams. The
     * companion recovers from faults by itself ({@link EndpointAgent#onFault}). One thread at a time runs it and sends
     * the requests of its clients.
     */
    public CompanionEndpoint companion()
    {
        agent.pollEach(COMPANION_CYCLES);
        return new Companion(agent, services::writes);
    }

    /**
     * Creates a window of the configured size. None of its memory pages is mapped yet. It is for the agent's thread,
     * which closes it before the endpoint.
     *
     * @param order of the writes of the window.
     */
    public PageWindow window(final StoreOrder order)
    {
        return new PageWindow(config.windowBytes(), agent::channel, order);
    }

    /** Returns the configuration. */
    public EndpointConfig config()
    {
        return config;
    }

    /** Returns the regions that peers access, for the agent's thread. */
    public RegionTable regions()
    {
        return regions;
    }

    /** Returns the regions that peers access, at most one duty cycle old; any thread. */
    public List<Region> announcedRegions()
    {
        return services.announced();
    }

    /** Returns the open port. After {@link #start} it is started. */
    public Port port()
    {
        return port;
    }

    /** Returns the manager of the counters file, which can create further counters. */
    public CountersManager counters()
    {
        return counters;
    }

    /** Closes the connections with peers, and releases port, regions, memory and name. */
    @Override
    public void close()
    {
        CloseHelper.closeAll(resources);
        resources.clear();
    }

    private <T extends AutoCloseable> T keep(final T resource)
    {
        resources.push(resource);
        return resource;
    }
}
