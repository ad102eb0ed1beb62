package org.fibnuma.ipnuma.session;

import org.fibnuma.ipnuma.session.timing.Pacer;
import org.fibnuma.ipnuma.session.timing.RetransmitTimer;
import org.fibnuma.ipnuma.session.window.SendWindow;
import org.fibnuma.ipnuma.wire.fibnuma.FibnumaHeaderFlyweight;
import org.fibnuma.ipnuma.wire.fibnuma.FibnumaKind;

/**
 * What is due to be sent, in this order: answers to what was not taken, hellos or a close, repeats, new data,
 * acknowledgements, probes.
 */
final class SessionPoll
{
    /** Questions without an answer after which the peer is down. */
    private static final int MAX_PROBES = 10;
    /** A question is repeated four times as fast as the first comes. */
    private static final int PROBE_SHIFT = 2;

    private final Connection connection;
    private final SendWindow window;
    private final Acknowledger acknowledger;
    private final RetransmitTimer timer;
    private final Pacer pacer;
    private final Refusals refusals;
    private final SessionCounter.Counts counts;
    private final SessionInput input;
    private final SessionOutput sending;
    private final long keepaliveNs;
    private final int retryLimit;
    private int probes;
    private long probeNs;
    private long heardNs;
    private boolean isClosing;

    SessionPoll(
        final Session session, final SessionInput input, final SessionOutput sending, final SessionSettings settings)
    {
        connection = session.connection;
        window = session.window;
        acknowledger = session.acknowledger;
        timer = session.timer;
        pacer = session.pacer;
        refusals = session.refusals;
        counts = session.counts;
        this.input = input;
        this.sending = sending;
        keepaliveNs = settings.keepaliveNs();
        retryLimit = settings.retryLimit();
    }

    int poll(final DatagramOutput output, final long nowNs)
    {
        int sent = 0;
        if (refusals.isWaiting())
        {
            sent += pollRefusals(output, nowNs);
        }
        if (!connection.isUp())
        {
            return sent + pollHello(output, nowNs);
        }
        if (timer.isDue(nowNs))
        {
            onTimer(nowNs);
        }
        pacer.onTime(nowNs);
        sent += pollData(output, nowNs);
        if (acknowledger.isDue(nowNs))
        {
            sent += pollAcknowledgement(output, nowNs);
        }
        sent += pollProbe(output, nowNs);
        return connection.state() == SessionState.CLOSING ? sent + pollClose(output, nowNs) : sent;
    }

    /** Begins to end the connection, whatever it has come to. */
    void disconnect()
    {
        if (connection.state() == SessionState.UP)
        {
            isClosing = false;
            connection.closing();
        }
        else if (connection.state() != SessionState.IDLE && connection.state() != SessionState.CLOSING)
        {
            input.lose(false);
        }
    }

    private int pollRefusals(final DatagramOutput output, final long nowNs)
    {
        int sent = 0;
        if (refusals.isResetDue(nowNs) && sending.reset(output))
        {
            refusals.onResetSent(nowNs);
            sent++;
        }
        if (connection.isUp() && refusals.isErrorDue(nowNs) && sending.error(output, nowNs))
        {
            refusals.onErrorSent(nowNs);
            sent++;
        }
        if (refusals.isHello() && sending.helloAck(output, nowNs))
        {
            refusals.onHelloAnswered();
            counts.add(SessionCounter.HELLOS_ANSWERED);
            sent++;
        }
        if (connection.isUp() && refusals.isConfirmedOwed() && sending.confirmed(output, nowNs))
        {
            refusals.onConfirmedSent();
            sent++;
        }
        return sent;
    }

    private int pollHello(final DatagramOutput output, final long nowNs)
    {
        final SessionState state = connection.state();
        if (state == SessionState.IDLE || !connection.isDue(nowNs))
        {
            return 0;
        }
        if (connection.isStale())
        {
            connection.end();
            return 0;
        }
        final boolean isSent =
            state == SessionState.CONNECTING ? sending.hello(output, nowNs) : sending.confirm(output, nowNs);
        if (!isSent)
        {
            return 0;
        }
        connection.onSent(nowNs);
        return 1;
    }

    private void onTimer(final long nowNs)
    {
        switch (timer.onExpiry(nowNs))
        {
            case RetransmitTimer.TAIL_PROBE ->
            {
                counts.add(SessionCounter.TAIL_PROBES);
                window.markLastLost();
            }
            case RetransmitTimer.TIMEOUT ->
            {
                counts.add(SessionCounter.TIMEOUTS);
                window.markFirstLost();
            }
            default -> input.lose(false);
        }
    }

    private int pollData(final DatagramOutput output, final long nowNs)
    {
        int sent = 0;
        while (window.hasLost() && pacer.permits(nowNs) && send(output, window.firstLost(), nowNs))
        {
            counts.add(SessionCounter.REPAIRED);
            sent++;
        }
        while (window.hasWaiting() && window.next() - input.sendLimit() < 0 && pacer.permits(nowNs) &&
            send(output, window.next(), nowNs))
        {
            counts.add(SessionCounter.DATA_SENT);
            sent++;
        }
        return sent;
    }

    private boolean send(final DatagramOutput output, final int sequence, final long nowNs)
    {
        if (!sending.data(output, sequence, nowNs))
        {
            return false;
        }
        window.onSent(sequence, (int)(nowNs >> FibnumaHeaderFlyweight.TIMESTAMP_SHIFT));
        timer.onSent(nowNs);
        pacer.onSent(SessionOutput.length(window.tlpBytes(sequence)), nowNs);
        return true;
    }

    private int pollAcknowledgement(final DatagramOutput output, final long nowNs)
    {
        final boolean isGap = acknowledger.isGap();
        if (!sending.control(output, isGap ? FibnumaKind.NAK : FibnumaKind.ACK, window.next(), nowNs))
        {
            return 0;
        }
        counts.add(isGap ? SessionCounter.NAKS_SENT : SessionCounter.ACKS_SENT);
        return 1;
    }

    private int pollProbe(final DatagramOutput output, final long nowNs)
    {
        final long lastHeardNs = input.lastHeardNs();
        if (lastHeardNs != heardNs)
        {
            heardNs = lastHeardNs;
            probes = 0;
            probeNs = lastHeardNs + keepaliveNs;
        }
        if (nowNs - probeNs < 0 || window.hasUnderWay())
        {
            return 0;
        }
        if (probes == MAX_PROBES)
        {
            input.lose(false);
            return 0;
        }
        if (!sending.control(output, FibnumaKind.PROBE, window.next(), nowNs))
        {
            return 0;
        }
        timer.onProbeSent((int)(nowNs >> FibnumaHeaderFlyweight.TIMESTAMP_SHIFT));
        probes++;
        probeNs = nowNs + (keepaliveNs >> PROBE_SHIFT);
        return 1;
    }

    private int pollClose(final DatagramOutput output, final long nowNs)
    {
        if (window.hasUnderWay() || window.hasWaiting())
        {
            return 0;
        }
        if (!isClosing)
        {
            isClosing = true;
            connection.beginSending();
        }
        if (!connection.isDue(nowNs))
        {
            return 0;
        }
        if (connection.attempts() > retryLimit)
        {
            input.lose(false);
            return 0;
        }
        if (!sending.control(output, FibnumaKind.CLOSE, window.next(), nowNs))
        {
            return 0;
        }
        connection.onSent(nowNs);
        return 1;
    }
}
