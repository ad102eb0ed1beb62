package org.fibnuma.ipnuma.endpoint;

import org.agrona.concurrent.Agent;
import org.agrona.concurrent.NanoClock;
import org.fibnuma.core.UserException;
import org.fibnuma.core.frame.FrameBatch;
import org.fibnuma.core.frame.FramePool;
import org.fibnuma.core.memory.SharedFiles;
import org.fibnuma.core.port.RxQueue;
import org.fibnuma.ipnuma.channel.Channels;
import org.fibnuma.ipnuma.channel.FrameOutput;
import org.fibnuma.ipnuma.channel.PeerChannel;
import org.fibnuma.ipnuma.fate.EndpointCounter;
import org.fibnuma.ipnuma.fate.EndpointCounters;
import org.fibnuma.ipnuma.table.PageMap;
import org.fibnuma.ipnuma.table.Peer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * One endpoint: takes every frame of its port to its fate, and lets every peer's channel send what is due. All of it,
 * channels and regions included, belongs to the thread that runs {@link #doWork()}; applications that want the lowest
 * latency run it themselves and use the channels in between.
 */
public final class EndpointAgent implements Agent
{
    /** Between two views of the peers for other processes: people see no difference. */
    private static final long PUBLICATION_NS = TimeUnit.MILLISECONDS.toNanos(20);
    /** Within it the JVM throws the error of an access to memory that was taken away: publications leave Java code. */
    private static final long FAULT_DELAY_NS = TimeUnit.SECONDS.toNanos(1);
    /** Between two log lines about files that were cut. */
    private static final long TELL_NS = TimeUnit.SECONDS.toNanos(10);
    private static final Logger LOG = LoggerFactory.getLogger(EndpointAgent.class);

    private final EthernetInput ethernetInput;
    private final StationTable stations;
    private final ArpOutput arpOutput;
    private final FrameOutput frameOutput;
    private final PeerChannel[] channels;
    private final PeerChannel[] channelByPcId = new PeerChannel[PageMap.MAX_PC_ID + 1];
    private final EndpointCounters counters;
    private final RxQueue rxQueue;
    private final FramePool framePool;
    private final NanoClock clock;
    private final EndpointService service;
    private final int lookMask;
    private final FrameBatch received = new FrameBatch();
    private long nowNs;
    private long publishedNs;
    private int turns;
    private boolean releasing;
    /** Set while a turn is not over. */
    private boolean isWorking;
    private boolean hasRestored;
    private long restoredNs;
    private long toldNs;

    /**
     * An endpoint on one queue of a port.
     *
     * @param context concluded.
     */
    public EndpointAgent(final EndpointContext context)
    {
        final long mac = context.network().macAddress(context.port().macAddress());
        final int ipv4 = context.network().ipv4();
        clock = context.clock();
        service = context.service();
        nowNs = clock.nanoTime();
        publishedNs = nowNs - PUBLICATION_NS;
        lookMask = context.turnsBetweenLooks() - 1;
        rxQueue = context.port().rxQueue(0);
        framePool = context.framePool();
        counters = new EndpointCounters(context.counters());
        frameOutput = new FrameOutput(framePool, context.port().txQueue(0), counters);
        arpOutput = new ArpOutput(frameOutput, mac, ipv4);
        stations = new StationTable(arpOutput, counters, nowNs);
        final UdpInput udpInput = new UdpInput(ipv4, context.port().deliversPartialChecksums(), counters);
        channels = openChannels(context, mac, udpInput);
        ethernetInput = new EthernetInput(
            mac, udpInput, new ArpInput(ipv4, mac, stations, arpOutput, counters), counters);
    }

    private PeerChannel[] openChannels(final EndpointContext context, final long mac, final UdpInput udpInput)
    {
        final Channels factory = new Channels(
            frameOutput, mac, context.network().ipv4(), context.port().mtu(), context.regions(),
            context.sessionSettings(), context.listener(), context.seals(), context.counters());
        final List<PeerChannel> opened = new ArrayList<>();
        for (final Peer peer : context.peers().peers())
        {
            final PeerChannel channel = factory.open(peer);
            opened.add(channel);
            channelByPcId[peer.pcId()] = channel;
            udpInput.add(peer.ipv4(), channel);
            stations.add(
                context.network().nextHop(peer.ipv4()), peer.mac() != Peer.NO_MAC, peer, channel);
        }
        return opened.toArray(new PeerChannel[0]);
    }

    /** Tells the segment that the endpoint is there. */
    @Override
    public void onStart()
    {
        arpOutput.announce();
        frameOutput.flush();
    }

    /**
     * One turn. An {@link InternalError} that leaves it, or any other call of the same thread, is for
     * {@link #onFault}.
     */
    @Override
    public int doWork()
    {
        isWorking = true;
        received.clear();
        int work = rxQueue.receive(received);
        final boolean isLook = (++turns & lookMask) == 0;
        if (work > 0 || isLook)
        {
            nowNs = clock.nanoTime();
            ethernetInput.process(received, nowNs);
            release();
            work += pollChannels();
        }
        if (isLook)
        {
            // Also while frames never cease: stations want to be asked again, and people to see what is counted.
            stations.poll(nowNs);
            publish();
        }
        frameOutput.flush();
        isWorking = false;
        return work;
    }

    private void publish()
    {
        counters.publish();
        if (nowNs - publishedNs >= PUBLICATION_NS)
        {
            publishedNs = nowNs;
            restoreFiles();
            for (final PeerChannel channel : channels)
            {
                channel.publish();
            }
        }
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
     * Goes on after an access to memory that another process has taken away by shortening its file: the file gets its
     * length back. Where a turn was interrupted, its frames are lost and all connections begin anew: what else it did
     * not finish is not known.
     *
     * @param fault thrown by the JVM for such an access, on this thread.
     * @throws UserException where no file was shortened.
     */
    public void onFault(final InternalError fault)
    {
        InternalError unhandled = fault;
        while (unhandled != null)
        {
            unhandled = goOn(unhandled);
        }
    }

    /** Returns the next fault where another one came meanwhile, else null. */
    private InternalError goOn(final InternalError fault)
    {
        try
        {
            restoreFiles();
            if (!hasRestored || clock.nanoTime() - restoredNs > FAULT_DELAY_NS)
            {
                throw new UserException("an unknown fault, not of a file that was cut: " + fault);
            }
            if (isWorking)
            {
                abandonTurn();
            }
            return null;
        }
        catch (final InternalError next)
        {
            return next;
        }
    }

    private void abandonTurn()
    {
        isWorking = false;
        if (!releasing)
        {
            release();
        }
        releasing = false;
        for (final PeerChannel channel : channels)
        {
            channel.onFault();
        }
    }

    private void restoreFiles()
    {
        final String told = SharedFiles.restore();
        if (told != null)
        {
            final long now = clock.nanoTime();
            counters.add(EndpointCounter.FILES_RESTORED, 1);
            if (!hasRestored || now - toldNs > TELL_NS)
            {
                toldNs = now;
                LOG.warn(told);
            }
            hasRestored = true;
            restoredNs = now;
        }
    }

    private int pollChannels()
    {
        int work = service.poll(nowNs);
        for (final PeerChannel channel : channels)
        {
            work += channel.poll(nowNs);
        }
        return work;
    }

    /**
     * The way to a peer.
     *
     * @param pcId any.
     * @return null where there is no such peer.
     */
    public PeerChannel channel(final int pcId)
    {
        return pcId >= 0 && pcId < channelByPcId.length ? channelByPcId[pcId] : null;
    }

    /**
     * The time that the last look at the clock told, on the endpoint's thread.
     *
     * @return ns of the context's clock.
     */
    public long nowNs()
    {
        return nowNs;
    }

    /**
     * What the endpoint has counted; on its thread, or after it has stopped.
     *
     * @return its counters.
     */
    public EndpointCounters counters()
    {
        return counters;
    }

    @Override
    public String roleName()
    {
        return "endpoint";
    }

    /** Says goodbye to every peer. */
    @Override
    public void onClose()
    {
        for (final PeerChannel channel : channels)
        {
            channel.close(nowNs);
        }
        frameOutput.flush();
        counters.publish();
    }
}
