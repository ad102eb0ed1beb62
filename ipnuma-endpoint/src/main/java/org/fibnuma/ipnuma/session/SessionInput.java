package org.fibnuma.ipnuma.session;

import org.fibnuma.ipnuma.session.timing.Pacer;
import org.fibnuma.ipnuma.session.timing.RetransmitTimer;
import org.fibnuma.ipnuma.session.window.ReceiveWindow;
import org.fibnuma.ipnuma.session.window.SendWindow;
import org.fibnuma.ipnuma.table.RegionTable;
import org.fibnuma.ipnuma.wire.fibnuma.FibnumaFlags;
import org.fibnuma.ipnuma.wire.fibnuma.FibnumaHeaderFlyweight;
import org.fibnuma.ipnuma.wire.fibnuma.FibnumaKind;

import java.util.function.Consumer;

/**
 * Datagrams of the peer: the handshake, acknowledgements to the send window, data to the regions in their turn. What
 * does not belong to the connection is counted and, where its sender may be waiting for an answer, refused. A
 * connection that stands is ended by a datagram that names it or by a CONFIRM with both sides' fresh numbers, never by
 * a hello.
 */
final class SessionInput
{
    private final Connection connection;
    private final SendWindow window;
    private final OpenDatagram open;
    private final RequestTable requests;
    private final AwaitedWrites awaited;
    private final ReceiveWindow received;
    private final Acknowledger acknowledger;
    private final RetransmitTimer timer;
    private final Pacer pacer;
    private final Refusals refusals;
    private final SessionCounter.Counts counts;
    private final SessionListener listener;
    private final Consumer<FibnumaHeaderFlyweight> handshakes;
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
        final SessionListener listener,
        final Consumer<FibnumaHeaderFlyweight> handshakes)
    {
        connection = session.connection;
        window = session.window;
        open = session.open;
        requests = session.requests;
        awaited = session.awaited;
        acknowledger = session.acknowledger;
        timer = session.timer;
        pacer = session.pacer;
        refusals = session.refusals;
        counts = session.counts;
        this.received = received;
        this.listener = listener;
        this.handshakes = handshakes;
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
        else if (FibnumaKind.isHandshake(header.kind()))
        {
            onHandshake(nowNs);
        }
        else if (connection.matches(header))
        {
            onMatching(ce, sourceIpv4, nowNs);
        }
        else
        {
            onOther();
        }
    }

    private boolean isIntact(final long address, final int length)
    {
        if (length < FibnumaHeaderFlyweight.MIN_LENGTH || !header.wrap(address).isVersion2())
        {
            if (length >= FibnumaHeaderFlyweight.MIN_LENGTH && header.isFibnuma())
            {
                counts.add(SessionCounter.OTHER_VERSION);
            }
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
        acknowledger.onTimestamp(header.timestamp());
        if (ce)
        {
            onCongestion(nowNs);
        }
        onAcknowledgement(kind, header.flags(), nowNs);
        awaited.acknowledge(window.first(), listener);
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
        if ((flags & FibnumaFlags.CE_ECHO) != 0 && pacer.onEcho(nowNs))
        {
            counts.add(SessionCounter.CE_ECHOES_RECEIVED);
        }
        final int acknowledgement = header.acknowledgement();
        if (acknowledgement - window.first() < 0)
        {
            return;
        }
        awaited.onRefusals(header, acknowledgement - window.first() > 0, window.next());
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
            sample(nowNs);
            timer.onProgress(nowNs, window.hasUnderWay());
        }
        else if (hasEcho && kind == FibnumaKind.ACK)
        {
            timer.onAnswer(timestamp(nowNs), echo);
        }
    }

    /** What the header answers was not answered before: its echo is a sample of the round trip. */
    private void sample(final long nowNs)
    {
        if ((header.flags() & FibnumaFlags.ECHO_VALID) != 0)
        {
            timer.onEcho(timestamp(nowNs), header.echo());
        }
    }

    private static int timestamp(final long nowNs)
    {
        return (int)(nowNs >> FibnumaHeaderFlyweight.TIMESTAMP_SHIFT);
    }

    private void onOther()
    {
        if (header.kind() == FibnumaKind.RESET)
        {
            onReset();
            return;
        }
        counts.add(SessionCounter.STRAY);
        if (!connection.isExpected(header))
        {
            refuse();
        }
    }

    private void onHandshake(final long nowNs)
    {
        if (header.tlpBytes() != FibnumaHeaderFlyweight.NONCES_LENGTH || header.sourceSession() == 0)
        {
            counts.add(SessionCounter.MALFORMED);
            return;
        }
        switch (header.kind())
        {
            case FibnumaKind.HELLO -> refusals.answerHello(header);
            case FibnumaKind.HELLO_ACK -> onHelloAck();
            case FibnumaKind.CONFIRM -> onConfirm(nowNs);
            default -> onConfirmed(nowNs);
        }
    }

    private void onHelloAck()
    {
        if (connection.state() != SessionState.CONNECTING || !connection.showsFresh(header))
        {
            counts.add(SessionCounter.STRAY);
            return;
        }
        if (connection.isRestart(header.sourceEpoch()))
        {
            loseToRestart();
        }
        connection.confirm(header);
    }

    private void onConfirm(final long nowNs)
    {
        if (connection.isRepeated(header))
        {
            refusals.confirm();
            return;
        }
        if (!connection.showsFresh(header))
        {
            counts.add(SessionCounter.STRAY);
            refuse();
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
        begin(nowNs);
        refusals.confirm();
    }

    private void onConfirmed(final long nowNs)
    {
        if (connection.isConfirmed(header))
        {
            begin(nowNs);
            acknowledger.demand();
            sample(nowNs);
        }
        else if (!connection.isRepeated(header))
        {
            counts.add(SessionCounter.STRAY);
        }
    }

    /** The names of the refused session are those of the peer as this side knows it; its epoch may be another. */
    private void onReset()
    {
        if (!connection.isReset(header))
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
            connection.end();
        }
    }

    /** A reset answers it; the closing side takes that as the end. */
    private void onClose()
    {
        connection.want(false);
        lose(false);
        refuse();
    }

    private void refuse()
    {
        if (header.sourceSession() != 0 && header.destinationSession() != 0 && !connection.isNamed(header))
        {
            refusals.refuse(header.destinationSession(), header.sourceSession(), header.sourceEpoch());
        }
    }

    /** A connection begins with what the header, a CONFIRM or CONFIRMED with this side's tag, says of the peer. */
    private void begin(final long nowNs)
    {
        connection.up(header, window.first());
        awaited.onUp();
        handshakes.accept(header);
        received.reset(header.sequence());
        acknowledger.reset();
        acknowledger.onTimestamp(header.timestamp());
        timer.reset();
        sendLimit = window.first() + Math.min(header.credits(), maxInFlight);
        lastHeardNs = nowNs;
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
        refusals.forgetConnection();
        connection.end();
        requests.forgetDatagrams();
        awaited.lose(listener);
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
