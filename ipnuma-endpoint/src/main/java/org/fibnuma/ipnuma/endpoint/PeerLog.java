package org.fibnuma.ipnuma.endpoint;

import org.agrona.collections.Int2ObjectHashMap;
import org.agrona.concurrent.NanoClock;
import org.fibnuma.ipnuma.channel.ChannelListener;
import org.fibnuma.ipnuma.table.AccessStatus;
import org.fibnuma.ipnuma.table.Peer;
import org.fibnuma.ipnuma.table.RemoteAddress;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.util.Collection;
import java.util.concurrent.TimeUnit;

/**
 * Logs that a peer is up, down or restarted, and that this side or the peer refused an access. Each kind has at most
 * {@link #LINES} lines per peer in {@link #WINDOW_NS}. The first line after that reports how many were left out. All
 * events are passed to the application. Endpoint's thread.
 */
final class PeerLog implements ChannelListener
{
    /** Maximum number of lines of one kind for one peer in a window. */
    static final int LINES = 5;
    static final long WINDOW_NS = TimeUnit.SECONDS.toNanos(10);

    private static final Logger LOGGER = LoggerFactory.getLogger(PeerLog.class);
    private static final int KINDS = Kind.values().length;

    private final ChannelListener application;
    private final NanoClock clock;
    private final Int2ObjectHashMap<String> names = new Int2ObjectHashMap<>();
    private final Int2ObjectHashMap<Window[]> windows = new Int2ObjectHashMap<>();

    PeerLog(final Collection<Peer> peers, final NanoClock clock, final ChannelListener application)
    {
        this.clock = clock;
        this.application = application;
        peers.forEach(this::add);
    }

    /** Stores the name of a peer that is new, or replaced under its PC ID. */
    void add(final Peer peer)
    {
        names.put(peer.pcId(), peer.toString());
    }

    @Override
    public void onUp(final int pcId)
    {
        if (isOpen(pcId, Kind.UP))
        {
            LOGGER.info("peer {} is up{}", names.get(pcId), missing(pcId, Kind.UP));
        }
        application.onUp(pcId);
    }

    @Override
    public void onDown(final int pcId, final long pendingWrites)
    {
        if (isOpen(pcId, Kind.DOWN))
        {
            LOGGER.warn("peer {} is down; writes that may not have taken effect: {}{}",
                names.get(pcId), pendingWrites, missing(pcId, Kind.DOWN));
        }
        application.onDown(pcId, pendingWrites);
    }

    @Override
    public void onPeerRestarted(final int pcId, final long lostWrites)
    {
        if (isOpen(pcId, Kind.RESTARTED))
        {
            LOGGER.warn("peer {} has restarted; writes lost: {}{}",
                names.get(pcId), lostWrites, missing(pcId, Kind.RESTARTED));
        }
        application.onPeerRestarted(pcId, lostWrites);
    }

    @Override
    public void onError(final int pcId, final int status, final long remoteAddress)
    {
        if (isOpen(pcId, Kind.REFUSED_BY_PEER))
        {
            LOGGER.warn("peer {} refused a write to its region {} at offset {}: {}; see key, allow and access of the " +
                "region there{}", names.get(pcId), RemoteAddress.regionId(remoteAddress), offset(remoteAddress),
                AccessStatus.label(status), missing(pcId, Kind.REFUSED_BY_PEER));
        }
        application.onError(pcId, status, remoteAddress);
    }

    @Override
    public void onRefused(final int pcId, final int status, final long remoteAddress)
    {
        if (isOpen(pcId, Kind.REFUSED_HERE))
        {
            LOGGER.warn("refused an access of peer {} to region {} at offset {}: {}; see key, allow and access of " +
                "the region here{}", names.get(pcId), RemoteAddress.regionId(remoteAddress), offset(remoteAddress),
                AccessStatus.label(status), missing(pcId, Kind.REFUSED_HERE));
        }
        application.onRefused(pcId, status, remoteAddress);
    }

    @Override
    public void onRead(final int pcId, final long tag, final long address, final int length, final int status)
    {
        application.onRead(pcId, tag, address, length, status);
    }

    @Override
    public void onAtomic(final int pcId, final long tag, final long previous, final int status)
    {
        application.onAtomic(pcId, tag, previous, status);
    }

    @Override
    public void onWritten(final int pcId, final long tag, final int status)
    {
        application.onWritten(pcId, tag, status);
    }

    @Override
    public void onUnanswered(final int pcId, final long tag)
    {
        application.onUnanswered(pcId, tag);
    }

    @Override
    public void onDoorbell(final int pcId)
    {
        application.onDoorbell(pcId);
    }

    private boolean isOpen(final int pcId, final Kind kind)
    {
        Window[] ofPeer = windows.get(pcId);
        if (ofPeer == null)
        {
            ofPeer = new Window[KINDS];
            windows.put(pcId, ofPeer);
        }
        if (ofPeer[kind.ordinal()] == null)
        {
            ofPeer[kind.ordinal()] = new Window();
        }
        return ofPeer[kind.ordinal()].isOpen(clock.nanoTime());
    }

    private String missing(final int pcId, final Kind kind)
    {
        final long missing = windows.get(pcId)[kind.ordinal()].takeMissing();
        return missing == 0 ? "" : " (" + missing + " lines like this were left out)";
    }

    private static String offset(final long remoteAddress)
    {
        return "0x" + Long.toHexString(RemoteAddress.offset(remoteAddress));
    }

    private enum Kind
    {
        UP, DOWN, RESTARTED, REFUSED_BY_PEER, REFUSED_HERE
    }

    private static final class Window
    {
        private long sinceNs;
        private int lines;
        private long missing;

        boolean isOpen(final long nowNs)
        {
            if (lines == 0 || nowNs - sinceNs >= WINDOW_NS)
            {
                sinceNs = nowNs;
                lines = 0;
            }
            final boolean isOpen = lines < LINES;
            lines += isOpen ? 1 : 0;
            missing += isOpen ? 0 : 1;
            return isOpen;
        }

        long takeMissing()
        {
            final long count = missing;
            missing = 0;
            return count;
        }
    }
}
