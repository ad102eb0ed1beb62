package org.fibnuma.ipnuma.session;

import org.fibnuma.ipnuma.channel.ChannelListener;
import org.fibnuma.ipnuma.session.timing.DeadlineHeap;
import org.fibnuma.ipnuma.session.timing.Pacer;
import org.fibnuma.ipnuma.session.timing.RetransmitTimer;
import org.fibnuma.ipnuma.session.window.SendWindow;
import org.fibnuma.ipnuma.table.AtomicOperation;
import org.fibnuma.ipnuma.wire.TlpEncoder;
import org.fibnuma.ipnuma.wire.TlpFlyweight;
import org.fibnuma.ipnuma.wire.TlpType;
import org.fibnuma.ipnuma.wire.fibnuma.FibnumaFlags;
import org.fibnuma.ipnuma.wire.fibnuma.FibnumaHeaderFlyweight;
import org.fibnuma.ipnuma.wire.fibnuma.FibnumaKind;

/**
 * Sends writes, reads and atomics until the peer has acknowledged them. It gathers them in datagrams, numbers these and
 * repeats lost ones, within the peer's credits and at the rate of congestion control. Without a connection, datagrams
 * wait.
 */
final class Sender
{
    private final SendWindow window;
    private final OpenDatagram open;
    private final RequestTable requests;
    /** Null if no writes pass without datagrams. */
    private final DirectWrites direct;
    private final SessionOutput sending;
    private final int pcId;
    private final ChannelListener listener;
    private final SessionCounter.Counts counts;
    private final AwaitedWrites awaited;
    private final RetransmitTimer timer;
    private final Pacer pacer;
    private final int maxInFlight;
    private final long[] operands = new long[2];
    /** The first sequence beyond the credits of the peer and this side's own limit. */
    private int sendLimit;

    Sender(
        final int pcId,
        final SendWindow window,
        final OpenDatagram open,
        final RequestTable requests,
        final DirectWrites direct,
        final SessionOutput sending,
        final SessionSettings settings,
        final ChannelListener listener,
        final SessionCounter.Counts counts)
    {
        this.pcId = pcId;
        this.window = window;
        this.open = open;
        this.requests = requests;
        this.direct = direct;
        this.sending = sending;
        this.listener = listener;
        this.counts = counts;
        awaited = new AwaitedWrites(pcId, listener);
        timer = new RetransmitTimer(settings.minTimeoutNs(), settings.firstTimeoutNs(), settings.maxTimeoutNs(),
            settings.ackDelayNs(), settings.retryLimit());
        pacer = new Pacer(settings.congestion(), settings.lineRate());
        maxInFlight = settings.sendWindow();
    }

    boolean write(
        final long remoteAddress,
        final long key,
        final long dataAddress,
        final int length,
        final boolean ordered,
        final long tag)
    {
        if (tag != 0 && awaited.isFull() ||
            !open.write(remoteAddress, key, dataAddress, length, ordered ? FibnumaFlags.ORDERED : 0))
        {
            return false;
        }
        if (tag != 0)
        {
            awaited.add(open.lastSequence(), tag, remoteAddress, length, ordered);
        }
        return true;
    }

    boolean read(final long remoteAddress, final long key, final int length, final long tag)
    {
        final int inFirst = TlpEncoder.toBoundary(remoteAddress, length);
        final int inSecond = length - inFirst;
        final int answerLength = TlpEncoder.completionLength(remoteAddress, inFirst);
        if (inSecond == 0)
        {
            if (!prepareRequest(remoteAddress, key, 1, TlpFlyweight.LENGTH_4DW, answerLength))
            {
                return false;
            }
            open.putRead(remoteAddress, length, requests.addRead(tag, length));
            return true;
        }
        final long boundary = remoteAddress + inFirst;
        if (!prepareRequest(remoteAddress, key, 2, 2 * TlpFlyweight.LENGTH_4DW,
            answerLength + TlpEncoder.completionLength(boundary, inSecond)))
        {
            return false;
        }
        final int first = requests.addRead(tag, inFirst);
        final int second = requests.addRead(tag, inSecond);
        requests.join(first, second);
        open.putRead(remoteAddress, inFirst, first);
        open.putRead(boundary, inSecond, second);
        return true;
    }

    boolean atomic(
        final int operation,
        final long remoteAddress,
        final long key,
        final long operand,
        final long compare,
        final int width,
        final long tag)
    {
        final boolean isCompare = operation == AtomicOperation.COMPARE_SWAP;
        final int length = TlpFlyweight.LENGTH_4DW + (isCompare ? 2 * width : width);
        if (!prepareRequest(remoteAddress, key, 1, length, TlpFlyweight.LENGTH_3DW + width))
        {
            return false;
        }
        operands[0] = isCompare ? compare : operand;
        operands[1] = operand;
        final int type = isCompare ? TlpType.COMPARE_SWAP_4DW :
            operation == AtomicOperation.SWAP ? TlpType.SWAP_4DW : TlpType.FETCH_ADD_4DW;
        open.putAtomic(type, remoteAddress, requests.addAtomic(tag, width), operands, width);
        return true;
    }

    /** Returns the number of accepted writes that are not acknowledged. */
    long pendingWrites()
    {
        return window.pendingWrites() + open.writes();
    }

    /** Returns whether a datagram was sent and is not acknowledged. */
    boolean hasUnderWay()
    {
        return window.hasUnderWay();
    }

    /** Returns whether a complete datagram waits for its first transmission. */
    boolean hasWaiting()
    {
        return window.hasWaiting();
    }

    /** Returns the oldest sequence that is not acknowledged; between connections, the first of the next one. */
    int firstSequence()
    {
        return window.first();
    }

    long roundTripNs()
    {
        return timer.smoothedNs();
    }

    double rate()
    {
        return pacer.rate();
    }

    /** Begins a connection with the credits of the peer's CONFIRM or CONFIRMED. */
    void begin(final FibnumaHeaderFlyweight handshake)
    {
        awaited.onUp();
        window.onConnected();
        timer.reset();
        limit(window.first(), handshake);
    }

    /** Discards all datagrams of a lost connection. */
    void clear()
    {
        open.discard();
        window.clear();
        timer.reset();
        requests.forgetDatagrams();
    }

    /** Reports all requests without an answer as unanswered. */
    void reportUnanswered()
    {
        awaited.lose();
        for (int tag = 0; tag < RequestTable.TAGS; tag++)
        {
            if (requests.isWaiting(tag))
            {
                requests.release(tag);
                if (!requests.isSecond(tag))
                {
                    listener.onUnanswered(pcId, requests.requestTag(tag));
                }
            }
        }
    }

    /** Processes the acknowledgement, credits and echoes in the header of any datagram of the connection. */
    void onHeader(final FibnumaHeaderFlyweight header, final int kind, final int flags, final long nowNs)
    {
        if ((flags & FibnumaFlags.CE_ECHO) != 0 && pacer.onEcho(nowNs))
        {
            counts.add(SessionCounter.CE_ECHOES_RECEIVED);
        }
        final int acknowledgement = header.acknowledgement();
        final int newlyAcknowledged = acknowledgement - window.first();
        if (newlyAcknowledged >= 0)
        {
            awaited.onRefusals(header, newlyAcknowledged > 0, window.next());
            onAcknowledgement(header, acknowledgement, kind, (flags & FibnumaFlags.ECHO_VALID) != 0, nowNs);
        }
        answerWrites();
    }

    /** Reports the writes with a request tag that the peer has acknowledged or read, in the order of the calls. */
    void answerWrites()
    {
        final int acknowledged = window.first();
        while (awaited.isAnswered(acknowledged))
        {
            answerDirect(awaited.sequence());
            awaited.answer();
        }
        answerDirect(acknowledged);
    }

    private void answerDirect(final int sequence)
    {
        if (direct != null)
        {
            direct.answer(sequence);
        }
    }

    /** Measures the round-trip time if the header echoes a timestamp. */
    void sample(final FibnumaHeaderFlyweight header, final long nowNs)
    {
        if ((header.flags() & FibnumaFlags.ECHO_VALID) != 0)
        {
            timer.onEcho(timestamp(nowNs), header.echo());
        }
    }

    void onProbeSent(final long nowNs)
    {
        timer.onProbeSent(timestamp(nowNs));
    }

    /** Runs the timers. Returns false if the retry limit is reached and the connection is therefore lost. */
    boolean onTime(final long nowNs)
    {
        if (timer.isDue(nowNs))
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
                default ->
                {
                    return false;
                }
            }
        }
        pacer.onTime(nowNs);
        return true;
    }

    /** Sends lost datagrams again, then new ones. */
    int poll(final DatagramOutput output, final long nowNs)
    {
        int sent = 0;
        while (window.hasLost() && pacer.permits(nowNs) && send(output, window.firstLost(), nowNs))
        {
            counts.add(SessionCounter.REPAIRED);
            sent++;
        }
        while (window.hasWaiting() && window.next() - sendLimit < 0 && pacer.permits(nowNs) &&
            send(output, window.next(), nowNs))
        {
            counts.add(SessionCounter.DATA_SENT);
            sent++;
        }
        return sent;
    }

    /** Returns when {@link #onTime} has something to do. */
    long timerDueNs()
    {
        return DeadlineHeap.earlier(timer.deadlineNs(), pacer.timerDueNs());
    }

    /** Returns when {@link #poll} may send, or {@link DeadlineHeap#NEVER} if only a datagram of the peer permits it. */
    long sendDueNs(final long nowNs)
    {
        return window.hasLost() || window.hasWaiting() && window.next() - sendLimit < 0 ?
            pacer.nextNs(nowNs) : DeadlineHeap.NEVER;
    }

    /** Reserves room for requests with one or two TLP tags; returns false if there is no room. */
    private boolean prepareRequest(
        final long remoteAddress, final long key, final int tags, final int length, final int answerLength)
    {
        if (!requests.hasFreeTags(tags))
        {
            return false;
        }
        final boolean isFirst = open.beginsWith(remoteAddress, key, length, answerLength);
        if (isFirst && !requests.mayBeginDatagram() ||
            !open.prepareRequest(remoteAddress, key, length, answerLength))
        {
            return false;
        }
        if (isFirst)
        {
            requests.onDatagramBegun();
        }
        return true;
    }

    private void onAcknowledgement(
        final FibnumaHeaderFlyweight header,
        final int acknowledgement,
        final int kind,
        final boolean hasEcho,
        final long nowNs)
    {
        final int echo = header.echo();
        final long bitmap = header.bitmap();
        boolean isProgress = window.acknowledge(acknowledgement);
        isProgress |= bitmap != 0 && window.arrived(bitmap);
        limit(acknowledgement, header);
        if (hasEcho && window.hasUnderWay())
        {
            window.markLost(echo, kind == FibnumaKind.NAK, bitmap);
        }
        if (isProgress)
        {
            if (hasEcho)
            {
                timer.onEcho(timestamp(nowNs), echo);
            }
            timer.onProgress(nowNs, window.hasUnderWay());
        }
        else if (hasEcho && kind == FibnumaKind.ACK)
        {
            timer.onAnswer(timestamp(nowNs), echo);
        }
    }

    private void limit(final int acknowledgement, final FibnumaHeaderFlyweight header)
    {
        sendLimit = acknowledgement + Math.min(header.credits(), maxInFlight);
    }

    private boolean send(final DatagramOutput output, final int sequence, final long nowNs)
    {
        if (!sending.data(output, sequence, nowNs))
        {
            return false;
        }
        window.onSent(sequence, timestamp(nowNs));
        timer.onSent(nowNs);
        pacer.onSent(SessionOutput.length(window.tlpBytes(sequence)), nowNs);
        return true;
    }

    private static int timestamp(final long nowNs)
    {
        return (int)(nowNs >> FibnumaHeaderFlyweight.TIMESTAMP_SHIFT);
    }
}
