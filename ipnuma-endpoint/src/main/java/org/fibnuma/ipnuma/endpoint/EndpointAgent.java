package org.fibnuma.ipnuma.endpoint;

import org.agrona.concurrent.Agent;
import org.agrona.concurrent.NanoClock;
import org.fibnuma.core.UserException;
import org.fibnuma.core.frame.FrameBatch;
import org.fibnuma.core.frame.FramePool;
import org.fibnuma.core.memory.SharedFiles;
import org.fibnuma.core.port.RxQueue;
import org.fibnuma.ipnuma.channel.PeerChannel;
import org.fibnuma.ipnuma.fate.EndpointCounter;
import org.fibnuma.ipnuma.fate.EndpointCounters;
import org.fibnuma.ipnuma.fate.PeerCounterSpace;
import org.fibnuma.ipnuma.session.DirectRings;
import org.fibnuma.ipnuma.session.SessionSettings;
import org.fibnuma.ipnuma.session.window.SlotPool;
import org.fibnuma.ipnuma.table.PageMap;
import org.fibnuma.ipnuma.table.Peer;
import org.fibnuma.ipnuma.wire.WireFormat;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Runs one endpoint: processes every frame of its port and sends what is due to its peers. A duty cycle visits only the
 * peers with work. The thread that runs {@link #doWork()} owns the agent, its channels and its regions. Applications
 * that need the lowest latency run the agent themselves and use the channels between duty cycles.
 */
public final class EndpointAgent implements Agent
{
    /** Interval between two publications of the counters of changed peers. */
    private static final long PUBLICATION_NS = TimeUnit.MILLISECONDS.toNanos(20);
    /** Time within which the JVM throws the error of an access to a truncated file. Publications leave Java code. */
    private static final long FAULT_DELAY_NS = TimeUnit.SECONDS.toNanos(1);
    /** Minimum interval between two log lines about truncated files. */
    private static final long LOG_INTERVAL_NS = TimeUnit.SECONDS.toNanos(10);
    private static final Logger LOGGER = LoggerFactory.getLogger(EndpointAgent.class);

    private final EthernetInput ethernetInput;
    private final ArpTable arpTable;
    private final ArpOutput arpOutput;
    private final FrameOutput frameOutput;
    private final UdpInput udpInput;
    private final EndpointContext context;
    private final long mac;
    private final PeerCounterSpace peerCounters;
    private final PeerSchedule schedule = new PeerSchedule();
    private final SlotPool slots;
    private final DirectRings rings;
    private final PeerChannel[] channelByPcId = new PeerChannel[PageMap.MAX_PC_ID + 1];
    private final EndpointCounters counters;
    private final RxQueue rxQueue;
    private final FramePool framePool;
    private final NanoClock clock;
    private final EndpointService service;
    private int pollMask;
    private final FrameBatch received = new FrameBatch();
    private long nowNs;
    private long publishedNs;
    private int cycles;
    private boolean pollsNext;
    private boolean releasing;
    private boolean hasRestored;
    private long restoredNs;
    private long loggedNs;

    /** Creates the agent of one queue of a port from a concluded context. */
    public EndpointAgent(final EndpointContext context)
    {
        this.context = context;
        mac = context.network().macAddress(context.port().macAddress());
        final int ipv4 = context.network().ipv4();
        clock = context.clock();
        service = context.service();
        nowNs = clock.nanoTime();
        schedule.begin(nowNs);
        publishedNs = nowNs - PUBLICATION_NS;
        pollMask = context.cyclesBetweenPolls() - 1;
        rxQueue = context.port().rxQueue(0);
        framePool = context.framePool();
        counters = new EndpointCounters(context.counters());
        frameOutput = new FrameOutput(framePool, context.port().txQueue(0), counters);
        arpOutput = new ArpOutput(frameOutput, mac, ipv4);
        arpTable = new ArpTable(arpOutput, counters);
        udpInput = new UdpInput(ipv4, context.port().deliversPartialChecksums(), counters);
        final SessionSettings settings = context.sessionSettings();
        slots = new SlotPool(settings.datagramLength(), SlotPool.MAX_SLOTS);
        settings.slots(slots);
        rings = DirectRings.of(context.port(), ipv4);
        peerCounters = new PeerCounterSpace(context.counters(), context.sessionCounters());
        context.peers().peers().forEach(this::addPeer);
        ethernetInput = new EthernetInput(
            mac, udpInput, new ArpInput(ipv4, mac, arpTable, arpOutput, counters), counters);
    }

    /**
     * Adds a peer with a unique PC ID and address. Called on the endpoint's thread between two duty cycles. Its seal,
     * if it has one, is in the context.
     */
    void addPeer(final Peer peer)
    {
        final PeerOutput output =
            new PeerOutput(frameOutput, peer, mac, context.network().ipv4(), context.port().mtu());
        final PeerChannel channel = peer.format() == WireFormat.FIBNUMA ?
            new FibnumaChannel(peer, output, context, counters, schedule, rings, peerCounters) :
            new UnreliableChannel(peer, output, context, counters, schedule, peerCounters);
        channelByPcId[peer.pcId()] = channel;
        udpInput.add(peer.ipv4(), channel);
        arpTable.add(context.network().nextHop(peer.ipv4()), peer.mac() != Peer.NO_MAC, peer, channel, nowNs);
    }

    /** Removes a peer and ends its connection. Called on the endpoint's thread between two duty cycles. */
    void removePeer(final int pcId, final int ipv4)
    {
        final PeerChannel removed = channelByPcId[pcId];
        channelByPcId[pcId] = null;
        udpInput.remove(ipv4);
        arpTable.remove(context.network().nextHop(ipv4), removed);
        removed.remove(nowNs);
        frameOutput.flush();
    }

    /** Announces the endpoint's addresses on the network. */
    @Override
    public void onStart()
    {
        arpOutput.announce();
        frameOutput.flush();
    }

    /**
     * Sets the number of duty cycles, a power of two, between two polls of clock, timers and clients. A received frame
     * also causes a poll.
     */
    void pollEach(final int cyclesBetweenPolls)
    {
        pollMask = cyclesBetweenPolls - 1;
    }

    void pollNext()
    {
        pollsNext = true;
    }

    /**
     * Runs one duty cycle. If this or another call of the thread throws an {@link InternalError}, the caller passes it
     * to {@link #onFault}.
     */
    @Override
    public int doWork()
    {
        received.clear();
        int work = rxQueue.receive(received);
        final int writes = rings.poll();
        final boolean isPoll = (++cycles & pollMask) == 0 || pollsNext;
        pollsNext = false;
        if (work > 0 || isPoll)
        {
            nowNs = clock.nanoTime();
            schedule.begin(nowNs);
            ethernetInput.process(received, nowNs);
            release();
            work += service.poll(nowNs);
            work += schedule.poll();
        }
        if (isPoll)
        {
            // Continuous load must not delay the verification of MAC addresses and the publication of counters.
            arpTable.poll(nowNs);
            rings.check();
            publish();
        }
        frameOutput.flush();
        return work + writes;
    }

    private void publish()
    {
        counters.publish();
        if (nowNs - publishedNs >= PUBLICATION_NS)
        {
            publishedNs = nowNs;
            restoreFiles();
            schedule.beginPublication();
        }
        schedule.publish();
    }

    private void release()
    {
        releasing = true;
        for (int i = received.size() - 1; i >= 0; i--)
        {
            framePool.release(received.handle(i));
        }
        received.clear();
        releasing = false;
    }

    /**
     * Recovers from an access to a mapped file that another process has truncated: the file gets its length back. The
     * JVM may throw the error at any point after the access. The received frames of an interrupted duty cycle are
     * therefore lost, and all connections end and begin again.
     *
     * @param fault error of the JVM for such an access, on this thread.
     * @throws UserException if no file was truncated.
     */
    public void onFault(final InternalError fault)
    {
        InternalError unhandled = fault;
        while (unhandled != null)
        {
            unhandled = recover(unhandled);
        }
    }

    /** Returns the next fault if one occurs during recovery, else null. */
    private InternalError recover(final InternalError fault)
    {
        try
        {
            restoreFiles();
            if (!hasRestored || clock.nanoTime() - restoredNs > FAULT_DELAY_NS)
            {
                throw new UserException("an unknown fault, not of a truncated file: " + fault);
            }
            restart();
            return null;
        }
        catch (final InternalError next)
        {
            return next;
        }
    }

    /** Resets the state that an interrupted call may have left inconsistent. */
    private void restart()
    {
        if (!releasing)
        {
            release();
        }
        releasing = false;
        schedule.restart();
        arpTable.restart();
        forEachChannel(PeerChannel::onFault);
        slots.reclaim();
        service.onFault();
    }

    private void restoreFiles()
    {
        final String report = SharedFiles.restore();
        if (report != null)
        {
            final long now = clock.nanoTime();
            counters.add(EndpointCounter.FILES_RESTORED, 1);
            if (!hasRestored || now - loggedNs > LOG_INTERVAL_NS)
            {
                loggedNs = now;
                LOGGER.warn(report);
            }
            hasRestored = true;
            restoredNs = now;
        }
    }

    /** Calls an action for every channel. Not used in a duty cycle. */
    private void forEachChannel(final Consumer<PeerChannel> action)
    {
        for (final PeerChannel channel : channelByPcId)
        {
            if (channel != null)
            {
                action.accept(channel);
            }
        }
    }

    /** Returns the channel of a peer by PC ID, or null if there is no such peer. */
    public PeerChannel channel(final int pcId)
    {
        return pcId >= 0 && pcId < channelByPcId.length ? channelByPcId[pcId] : null;
    }

    /** Returns the latest reading of the context's clock in ns; endpoint's thread. */
    public long nowNs()
    {
        return nowNs;
    }

    PeerSchedule schedule()
    {
        return schedule;
    }

    /** Returns the memory of the datagrams of all peers, for the endpoint's thread. */
    public SlotPool slots()
    {
        return slots;
    }

    /** Returns the counters, for the endpoint's thread or after it has stopped. */
    public EndpointCounters counters()
    {
        return counters;
    }

    @Override
    public String roleName()
    {
        return "endpoint";
    }

    /** Closes the connections with all peers. */
    @Override
    public void onClose()
    {
        forEachChannel(channel -> channel.close(nowNs));
        frameOutput.flush();
        slots.close();
        counters.publish();
    }
}
