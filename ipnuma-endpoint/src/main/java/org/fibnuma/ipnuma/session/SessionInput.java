package org.fibnuma.ipnuma.session;

import org.fibnuma.ipnuma.session.timing.Pacer;
import org.fibnuma.ipnuma.session.timing.RetransmitTimer;
import org.fibnuma.ipnuma.session.window.ReceiveWindow;
import org.fibnuma.ipnuma.session.window.SendWindow;
import org.fibnuma.ipnuma.table.RegionTable;
import org.fibnuma.ipnuma.wire.fibnuma.FibnumaFlags;
import org.fibnuma.ipnuma.wire.fibnuma.FibnumaHeaderFlyweight;
import org.fibnuma.ipnuma.wire.fibnuma.FibnumaKind;

/**
 * Datagrams of the peer: hellos and what they lead to, acknowledgements to the send window, data to the regions in
 * their turn. What does not belong to the connection is counted and, where its sender may be waiting for an answer,
 * refused.
 */
final class SessionInput
{
    private final Connection connection;
    private final SendWindow window;
    private final OpenDatagram open;
    private final RequestTable requests;
    private final ReceiveWindow received;
    private final Acknowledger acknowledger;
    private final RetransmitTimer timer;
    private final Pacer pacer;
    private final Refusals refusals;
    private final SessionCounter.Counts counts;
    private final SessionListener listener;
    private final DataInput dataInput;
    private final int maxInFlight;
    private final FibnumaHeaderFlyweight header = new FibnumaHeaderFlyweight();
    private int sendLimit;
    private long lastHeardNs;

    SessionInput(
        final Session session,
        final ReceiveWindow received,
        final SessionSettings settings,
        final RegionTable regions,
        final SessionListener listener)
    {
        connection = session.connection;
        window = session.window;
        open = session.open;
        requests = session.requests;
        acknowledger = session.acknowledger;
        timer = session.timer;
        pacer = session.pacer;
        refusals = session.refusals;
        counts = session.counts;
        this.received = received;
        this.listener = listener;
        maxInFlight = settings.sendWindow();
        dataInput = new DataInput(received, acknowledger, counts,
            new RegionInput(regions, open, requests, refusals, listener, counts, session.capacity));
    }

    /** The first sequence that the peer does not take yet. */
    int sendLimit()
    {
        return sendLimit;
    }

    long lastHeardNs()
    {
        return lastHeardNs;
    }

    void onDatagram(
        final long payloadAddress, final int length, final boolean ce, final int sourceIpv4, final long nowNs)
    {
        if (!isIntact(payloadAddress, length))
        {
            counts.add(SessionCounter.DAMAGED);
        }
        else if (connection.matches(header) && header.kind() > FibnumaKind.HELLO_ACK)
        {
            onMatching(ce, sourceIpv4, nowNs);
        }
        else
        {
            onOther(nowNs);
        }
    }

    private boolean isIntact(final long address, final int length)
    {
        if (length < FibnumaHeaderFlyweight.MIN_LENGTH || !header.wrap(address).isVersion1())
        {
            return false;
        }
        final int tlpBytes = header.tlpBytes();
        return SessionOutput.length(tlpBytes) == length && header.isIntact(tlpBytes);
    }

    private void onMatching(final boolean ce, final int sourceIpv4, final long nowNs)
    {
        final int kind = header.kind();
        if (kind == FibnumaKind.RESET)
        {
            onReset();
            return;
        }
        if (!window.admits(header.acknowledgement()))
        {
            counts.add(SessionCounter.STRAY);
            return;
        }
        counts.add(SessionCounter.RECEIVED);
        lastHeardNs = nowNs;
        if (connection.state() == SessionState.ACCEPTING)
        {
            up();
        }
        acknowledger.onTimestamp(header.timestamp());
        if (ce)
        {
            onCongestion(nowNs);
        }
        onAcknowledgement(kind, header.flags(), nowNs);
        switch (kind)
        {
            case FibnumaKind.DATA -> dataInput.onData(header, sourceIpv4, nowNs);
            case FibnumaKind.PROBE -> acknowledger.demand();
            case FibnumaKind.ERROR -> listener.onError(header.status(), header.key());
            case FibnumaKind.CLOSE -> onClose();
            default ->
            {
                // ACK and NAK have said all.
            }
        }
    }

    private void onCongestion(final long nowNs)
    {
        counts.add(SessionCounter.CE_RECEIVED);
        if (pacer.onMarked(nowNs))
        {
            acknowledger.onCongestion();
        }
    }

    private void onAcknowledgement(final int kind, final int flags, final long nowNs)
    {
        final boolean hasEcho = (flags & FibnumaFlags.ECHO_VALID) != 0;
        final int echo = header.echo();
        if (hasEcho)
        {
            timer.onEcho((int)(nowNs >> FibnumaHeaderFlyweight.TIMESTAMP_SHIFT), echo);
        }
        if ((flags & FibnumaFlags.CE_ECHO) != 0 && pacer.onEcho(nowNs))
        {
            counts.add(SessionCounter.CE_ECHOES_RECEIVED);
        }
        final int acknowledgement = header.acknowledgement();
        if (acknowledgement - window.first() < 0)
        {
            return;
        }
        final long bitmap = header.bitmap();
        boolean isProgress = window.acknowledge(acknowledgement);
        isProgress |= bitmap != 0 && window.arrived(bitmap);
        sendLimit = acknowledgement + Math.min(header.credits(), maxInFlight);
        if (hasEcho && window.hasUnderWay())
        {
            window.markLost(echo, kind == FibnumaKind.NAK, bitmap);
        }
        if (isProgress)
        {
            timer.onProgress(nowNs, window.hasUnderWay());
        }
    }

    private void onOther(final long nowNs)
    {
        switch (header.kind())
        {
            case FibnumaKind.HELLO -> onHello();
            case FibnumaKind.HELLO_ACK -> onHelloAck(nowNs);
            case FibnumaKind.RESET -> onReset();
            default ->
            {
                counts.add(SessionCounter.STRAY);
                refuse();
            }
        }
    }

    private void onHello()
    {
        final int order = connection.compare(header);
        final boolean isKnown = order == 0 && connection.state() == SessionState.ACCEPTING;
        if (isKnown)
        {
            connection.repeat();
            return;
        }
        if (order <= 0)
        {
            counts.add(SessionCounter.STRAY);
            return;
        }
        if (connection.isRestart(header.sourceEpoch()))
        {
            loseToRestart();
        }
        else if (connection.isUp())
        {
            lose(false);
        }
        connection.accept(header, window.first());
        begin();
    }

    private void onHelloAck(final long nowNs)
    {
        if (!connection.isAddressed(header))
        {
            counts.add(SessionCounter.STRAY);
            refuse();
            return;
        }
        lastHeardNs = nowNs;
        if ((header.flags() & FibnumaFlags.ECHO_VALID) != 0)
        {
            timer.onEcho((int)(nowNs >> FibnumaHeaderFlyweight.TIMESTAMP_SHIFT), header.echo());
        }
        if (connection.state() == SessionState.CONNECTING)
        {
            if (connection.isRestart(header.sourceEpoch()))
            {
                loseToRestart();
            }
            begin();
            up();
            acknowledger.demand();
        }
        else if (header.sourceSession() == connection.remoteSession() &&
            header.sourceEpoch() == connection.remoteEpoch())
        {
            if (connection.state() == SessionState.ACCEPTING)
            {
                up();
            }
            acknowledger.demand();
        }
    }

    /** The names of the refused session are those of the peer as this side knows it; its epoch may be another. */
    private void onReset()
    {
        if (!connection.hasRemote() || !connection.isAddressed(header) ||
            header.sourceSession() != connection.remoteSession())
        {
            counts.add(SessionCounter.STRAY);
            return;
        }
        if (connection.isRestart(header.sourceEpoch()))
        {
            loseToRestart();
        }
        else if (connection.isUp())
        {
            lose(false);
        }
        else
        {
            connection.end(window.next());
        }
    }

    /** A reset answers it; the closing side takes that as the end. */
    private void onClose()
    {
        refuse();
        connection.want(false);
        lose(false);
    }

    private void refuse()
    {
        if (header.sourceSession() != 0 && header.destinationSession() != 0)
        {
            refusals.refuse(header.destinationSession(), header.sourceSession(), header.sourceEpoch());
        }
    }

    /** A connection begins with what the header says of the peer. */
    private void begin()
    {
        received.reset(header.sequence());
        acknowledger.reset();
        acknowledger.onTimestamp(header.timestamp());
        timer.reset();
        sendLimit = window.first() + Math.min(header.credits(), maxInFlight);
    }

    private void up()
    {
        connection.up(header);
        counts.add(SessionCounter.CONNECTIONS);
        listener.onUp();
    }

    private void loseToRestart()
    {
        connection.onRestartTold(header.sourceEpoch());
        lose(true);
    }

    /** The connection is lost, and everything that it had not done. */
    void lose(final boolean isRestart)
    {
        final long lost = window.pendingWrites() + open.writes();
        counts.add(SessionCounter.WRITES_LOST, lost);
        open.discard();
        window.clear();
        timer.reset();
        refusals.forgetError();
        connection.end(window.first());
        requests.forgetDatagrams();
        for (int tag = 0; tag < RequestTable.TAGS; tag++)
        {
            if (requests.isWaiting(tag))
            {
                requests.release(tag);
                listener.onUnanswered(requests.applicationTag(tag));
            }
        }
        if (isRestart)
        {
            listener.onPeerRestarted(lost);
        }
        else
        {
            listener.onDown(lost);
        }
    }
}
