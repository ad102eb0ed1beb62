package org.fibnuma.ipnuma.endpoint;

import org.fibnuma.ipnuma.channel.PeerChannel;
import org.fibnuma.ipnuma.fate.EndpointCounter;
import org.fibnuma.ipnuma.fate.EndpointCounters;
import org.fibnuma.ipnuma.fate.PeerCounterSpace;
import org.fibnuma.ipnuma.fate.PeerCounters;
import org.fibnuma.ipnuma.seal.DatagramSeal;
import org.fibnuma.ipnuma.seal.SealedOutput;
import org.fibnuma.ipnuma.session.DatagramOutput;
import org.fibnuma.ipnuma.session.DirectPeer;
import org.fibnuma.ipnuma.session.DirectRings;
import org.fibnuma.ipnuma.session.Session;
import org.fibnuma.ipnuma.session.SessionCounter;
import org.fibnuma.ipnuma.session.SessionSettings;
import org.fibnuma.ipnuma.session.SessionState;
import org.fibnuma.ipnuma.table.Peer;
import org.fibnuma.ipnuma.wire.IpnumaPorts;
import org.fibnuma.ipnuma.wire.fibnuma.FibnumaHeaderFlyweight;

import java.util.Arrays;
import java.util.List;

/** A peer with the fibnuma format. Sends the datagrams of its session in frames. */
final class FibnumaChannel implements PeerChannel
{
    private static final SessionCounter[] SESSION_COUNTERS = SessionCounter.values();
    private static final List<String> SESSION_LABELS =
        Arrays.stream(SESSION_COUNTERS).map(SessionCounter::label).toList();
    private static final String NOT_SEALED =
        "not sealed; give that endpoint this peer's seal-key, or remove seal-key from this [[peer]]";
    private static final String SEALED = "sealed; give this [[peer]] the seal-key that it has there";
    private static final String FORGED =
        "its seal is invalid; use the same seal-key at both ends and no address translation between them";
    private static final String OTHER_VERSION =
        "another version of fibnuma than " + FibnumaHeaderFlyweight.VERSION + "; run the same release at both ends";

    private final PeerSchedule.Place place;
    private final PeerCounters peerCounters;
    private final Peer peer;
    private final PeerOutput output;
    private final DatagramOutput datagrams;
    /** Null if datagrams are not sealed. */
    private final DatagramSeal seal;
    private final EndpointCounters counters;
    private final Session session;
    private final RefusalLog refusals;
    private long otherVersions;

    FibnumaChannel(
        final Peer peer,
        final PeerOutput output,
        final EndpointContext context,
        final EndpointCounters counters,
        final PeerSchedule schedule,
        final DirectRings rings,
        final PeerCounterSpace space)
    {
        this.place = schedule.add(this);
        this.peerCounters = new PeerCounters(space, peer.pcId(), peer.toString(), SESSION_LABELS);
        this.peer = peer;
        this.output = output;
        this.seal = context.seals().get(peer.pcId());
        this.counters = counters;
        this.datagrams = seal == null ? output : new SealedOutput(output, seal);
        this.refusals = new RefusalLog(peer.toString());
        final SessionSettings settings = context.sessionSettings();
        final int longest = settings.datagramLength();
        // A session reads its settings only in its constructor. The length can be changed for that time.
        settings.datagramLength(
            Math.min(longest, output.longestPayload()) - (seal == null ? 0 : DatagramSeal.OVERHEAD));
        this.session = seal == null ?
            new Session(peer.pcId(), settings, context.regions(), context.listener(),
                new DirectPeer(rings, peer.ipv4(), place::wake)) :
            new Session(peer.pcId(), settings, context.regions(), context.listener(), seal::onConnection);
        settings.datagramLength(longest);
        session.connect();
    }

    @Override
    public boolean write(
        final long remoteAddress,
        final long key,
        final long dataAddress,
        final int length,
        final boolean ordered,
        final long tag)
    {
        if (tag != 0 || !session.isDirect())
        {
            place.wake();
        }
        return session.write(remoteAddress, key, dataAddress, length, ordered, tag);
    }

    @Override
    public boolean passesByMemory()
    {
        return session.isDirect();
    }

    @Override
    public boolean scatter(
        final long regionAddress, final long key, final long listAddress, final int length, final long tag)
    {
        if (tag != 0)
        {
            place.wake();
        }
        return session.scatter(regionAddress, key, listAddress, length, tag);
    }

    @Override
    public boolean read(final long remoteAddress, final long key, final int length, final long tag)
    {
        place.wake();
        return session.read(remoteAddress, key, length, tag);
    }

    @Override
    public boolean atomic(
        final int operation,
        final long remoteAddress,
        final long key,
        final long operand,
        final long compare,
        final int width,
        final long tag)
    {
        place.wake();
        return session.atomic(operation, remoteAddress, key, operand, compare, width, tag);
    }

    @Override
    public boolean doorbell()
    {
        place.wake();
        return session.doorbell();
    }

    @Override
    public void flush()
    {
        if (!session.hasDataToSend())
        {
            return;
        }
        place.wake();
        session.flush();
        session.poll(datagrams, place.nowNs());
        output.flush();
    }

    @Override
    public int longestWrite()
    {
        return session.longestWrite();
    }

    @Override
    public int longestRead()
    {
        return session.maxTransfer();
    }

    @Override
    public boolean isUp()
    {
        return session.state() == SessionState.UP;
    }

    @Override
    public boolean usesPort(final int destinationPort)
    {
        return destinationPort == IpnumaPorts.IPNUMA;
    }

    @Override
    public void onDatagram(
        final long payloadAddress, final int length, final int destinationPort, final boolean ce, final long now)
    {
        place.wake();
        final int opened = open(payloadAddress, length);
        if (opened >= 0)
        {
            session.onDatagram(payloadAddress, opened, ce, peer.ipv4(), now);
        }
        else
        {
            counters.add(EndpointCounter.SEAL_REFUSED, 1);
        }
    }

    private int open(final long payloadAddress, final int length)
    {
        if (seal == null)
        {
            if (DatagramSeal.isSealed(payloadAddress, length))
            {
                refusals.refused(SEALED);
                return DatagramSeal.OTHER_CONNECTION;
            }
            return length;
        }
        final int opened = seal.open(payloadAddress, length);
        if (opened == DatagramSeal.NOT_SEALED)
        {
            refusals.refused(NOT_SEALED);
        }
        else if (opened == DatagramSeal.FORGED)
        {
            refusals.refused(FORGED);
        }
        return opened;
    }

    @Override
    public int poll(final long now)
    {
        return session.poll(datagrams, now);
    }

    @Override
    public long dueNs(final long now)
    {
        return session.dueNs(output.isReachable(), now);
    }

    @Override
    public void onMacChange()
    {
        place.wake();
        output.onMacChange();
    }

    @Override
    public void onFault()
    {
        session.abort();
    }

    @Override
    public boolean publish(final long now)
    {
        peerCounters.set(PeerCounters.UP, isUp() ? 1 : 0);
        peerCounters.set(PeerCounters.MAC, peer.mac());
        peerCounters.set(PeerCounters.ROUND_TRIP, session.roundTripNs());
        peerCounters.set(PeerCounters.PENDING_WRITES, session.pendingWrites());
        for (int i = 0; i < SESSION_COUNTERS.length; i++)
        {
            peerCounters.set(PeerCounters.SESSION + i, session.counter(SESSION_COUNTERS[i]));
        }
        session.onPublished();
        final long versions = session.counter(SessionCounter.OTHER_VERSION);
        if (versions != otherVersions)
        {
            otherVersions = versions;
            refusals.refused(OTHER_VERSION);
        }
        return refusals.write(now);
    }

    @Override
    public void close(final long now)
    {
        session.disconnect();
        session.poll(datagrams, now);
        session.close();
    }

    @Override
    public void remove(final long now)
    {
        session.disconnect();
        session.poll(datagrams, now);
        output.flush();
        if (session.state() != SessionState.IDLE)
        {
            // An idle session has reported its loss.
            session.abort();
        }
        session.close();
        place.remove();
        peerCounters.free();
    }
}
