package org.fibnuma.ipnuma.session;

import org.fibnuma.ipnuma.channel.ChannelListener;
import org.fibnuma.ipnuma.session.timing.DeadlineHeap;
import org.fibnuma.ipnuma.wire.fibnuma.FibnumaHeaderFlyweight;
import org.fibnuma.ipnuma.wire.fibnuma.FibnumaKind;
import org.fibnuma.ipnuma.wire.fibnuma.VerificationTag;

import java.util.SplittableRandom;

/**
 * The state of the connection with one peer: handshake, keep-alive, close and loss. Only a datagram with the sessions
 * and epochs of the established connection ends it, or a CONFIRM with both verification tags. A hello is answered in
 * every state and changes nothing. Resets are sent at most once in an interval. No answer is longer than the datagram
 * that it answers.
 */
final class Connection
{
    /** Transmissions of CONFIRM without an answer, after which the handshake begins again. */
    private static final int MAX_CONFIRMS = 10;
    /** Probes without an answer, after which the peer is down. */
    private static final int MAX_PROBES = 10;
    /** Later probes follow each other after a quarter of the keep-alive time. */
    private static final int PROBE_SHIFT = 2;
    /** The unknown verification tag of the peer in a HELLO. */
    private static final VerificationTag UNKNOWN = new VerificationTag();

    private final ConnectionId id;
    private final Sender sender;
    private final Receiver receiver;
    /** Null if no writes pass without datagrams. */
    private final DirectWrites direct;
    private final SessionOutput sending;
    private final int pcId;
    private final ChannelListener listener;
    private final SessionCounter.Counts counts;
    private final long minIntervalNs;
    private final long maxIntervalNs;
    private final long keepaliveNs;
    private final int retryLimit;
    /** Seeded from the source of random numbers, which would allocate. */
    private final SplittableRandom jitter;
    private SessionState state = SessionState.IDLE;
    private boolean isRequested;
    /** Writes that are lost and not yet reported. */
    private long unreported;
    private int firstSequence;

    private boolean wasUp;
    private int lastEpoch;
    /** Epoch of a restart that was reported before a connection with it was established. */
    private int reportedEpoch;
    private boolean isRestartReported;

    private boolean isDueNow;
    private long dueNs;
    private long intervalNs;
    private int attempts;
    private boolean isCloseStarted;
    private int probes;
    private long probeNs;

    private final SpacedAnswer reset;
    private int refusedSession;
    private int refusedSender;
    private int refusedSenderEpoch;
    private final VerificationTag helloSender = new VerificationTag();
    private int helloEpoch;
    private boolean isHelloPending;
    private boolean isConfirmedPending;

    Connection(
        final int pcId,
        final ConnectionId id,
        final Sender sender,
        final Receiver receiver,
        final DirectWrites direct,
        final SessionOutput sending,
        final SessionSettings settings,
        final ChannelListener listener,
        final SessionCounter.Counts counts)
    {
        this.pcId = pcId;
        this.id = id;
        this.sender = sender;
        this.receiver = receiver;
        this.direct = direct;
        this.sending = sending;
        this.listener = listener;
        this.counts = counts;
        minIntervalNs = settings.minHelloNs();
        maxIntervalNs = settings.maxHelloNs();
        keepaliveNs = settings.keepaliveNs();
        retryLimit = settings.retryLimit();
        jitter = new SplittableRandom(settings.random().nextLong());
        reset = new SpacedAnswer(settings.refusalIntervalNs());
    }

    SessionState state()
    {
        return state;
    }

    boolean isUp()
    {
        return state == SessionState.UP || state == SessionState.CLOSING;
    }

    /** Connects, and connects again after each loss. */
    void connect()
    {
        isRequested = true;
        if (state == SessionState.IDLE)
        {
            sendHellos();
        }
    }

    /** Closes the connection once everything is acknowledged. Ends a handshake at once. */
    void disconnect()
    {
        isRequested = false;
        if (state == SessionState.UP)
        {
            isCloseStarted = false;
            state = SessionState.CLOSING;
        }
        else if (state == SessionState.CONNECTING || state == SessionState.CONFIRMING)
        {
            lose(false);
        }
    }

    /** Ends the connection or the handshake after an error inside another call, and reports what may be lost. */
    void abort()
    {
        if (wasUp || pendingWrites() > 0)
        {
            lose(false);
        }
        else
        {
            clear();
        }
    }

    /** Ends the connection without notifying the peer, and reports what was pending as lost. */
    void lose(final boolean isRestart)
    {
        // If an error interrupts this call, the call is repeated with fewer pending writes.
        unreported = Math.max(unreported, pendingWrites());
        clear();
        sender.reportUnanswered();
        if (direct != null)
        {
            direct.reportUnanswered();
        }
        final long lost = unreported;
        if (isRestart)
        {
            listener.onPeerRestarted(pcId, lost);
        }
        else
        {
            listener.onDown(pcId, lost);
        }
        counts.add(SessionCounter.WRITES_LOST, lost);
        unreported = 0;
    }

    private void clear()
    {
        if (direct != null)
        {
            direct.end();
        }
        sender.clear();
        receiver.clear();
        isConfirmedPending = false;
        end();
    }

    /** Returns the number of accepted writes that may not have taken effect. */
    long pendingWrites()
    {
        return sender.pendingWrites() + (direct == null ? 0 : direct.pending());
    }

    /** Returns whether a datagram other than a handshake belongs to the established connection. */
    boolean matches(final FibnumaHeaderFlyweight header)
    {
        return id.matches(header) && isUp();
    }

    /** Records that a datagram of the connection has arrived. */
    void onHeard(final long nowNs)
    {
        probes = 0;
        probeNs = nowNs + keepaliveNs;
    }

    void onHandshake(final FibnumaHeaderFlyweight header, final long nowNs)
    {
        if (header.tlpBytes() != FibnumaHeaderFlyweight.NONCES_LENGTH || header.sourceSession() == 0)
        {
            counts.add(SessionCounter.MALFORMED);
            return;
        }
        switch (header.kind())
        {
            case FibnumaKind.HELLO -> onHello(header);
            case FibnumaKind.HELLO_ACK -> onHelloAck(header);
            case FibnumaKind.CONFIRM -> onConfirm(header, nowNs);
            default -> onConfirmed(header, nowNs);
        }
    }

    /**
     * Processes a RESET. It has the sessions that the peer stores for this side. The epoch of the peer may be a new
     * one.
     */
    void onReset(final FibnumaHeaderFlyweight header)
    {
        final boolean isConfirming = state == SessionState.CONFIRMING;
        if (!isUp() && !isConfirming || !id.isRefused(header, isConfirming ? id.fresh() : id.own()))
        {
            counts.add(SessionCounter.STRAY);
        }
        else if (!loseToRestart(header) && !loseIfUp())
        {
            end();
        }
    }

    /** Answers with a RESET. The closing side ends its connection when the RESET arrives. */
    void onClose(final FibnumaHeaderFlyweight header)
    {
        isRequested = false;
        lose(false);
        refuse(header);
    }

    /** Counts a datagram of no connection, and refuses it unless its connection is being confirmed. */
    void onStray(final FibnumaHeaderFlyweight header)
    {
        counts.add(SessionCounter.STRAY);
        // CONFIRMED was lost or is late.
        if (state != SessionState.CONFIRMING || !id.matchesProposal(header))
        {
            refuse(header);
        }
    }

    /** Sends answers to datagrams outside the connection, and HELLO or CONFIRM until it is established. */
    int poll(final DatagramOutput output, final long nowNs)
    {
        int sent = 0;
        if (isHelloPending || isConfirmedPending || reset.isRequested())
        {
            sent += pollAnswers(output, nowNs);
        }
        return isUp() ? sent : sent + pollHello(output, nowNs);
    }

    /** Sends a probe to a silent peer, and CLOSE once everything is acknowledged. */
    int pollLiveness(final DatagramOutput output, final long nowNs)
    {
        final int sent = pollProbe(output, nowNs);
        return state == SessionState.CLOSING ? sent + pollClose(output, nowNs) : sent;
    }

    /** Returns when {@link #poll} or {@link #pollLiveness} sends something if no datagram arrives before. */
    long dueNs(final long nowNs)
    {
        if (isHelloPending || isConfirmedPending && isUp())
        {
            return nowNs;
        }
        final long resetNs = reset.dueNs(nowNs);
        if (!isUp())
        {
            return state == SessionState.IDLE ? resetNs : DeadlineHeap.earlier(resetNs, sendingDueNs(nowNs));
        }
        if (sender.hasUnderWay())
        {
            return resetNs;
        }
        final boolean isClosing = state == SessionState.CLOSING && !sender.hasWaiting();
        return DeadlineHeap.earlier(resetNs,
            DeadlineHeap.earlier(probeNs, !isClosing ? DeadlineHeap.NEVER :
                isCloseStarted ? sendingDueNs(nowNs) : nowNs));
    }

    /** Returns when a peer that answers no probe is lost. No datagram is sent then. */
    long lossDueNs()
    {
        return isUp() && probes == MAX_PROBES && !sender.hasUnderWay() ? probeNs : DeadlineHeap.NEVER;
    }

    private void onHello(final FibnumaHeaderFlyweight header)
    {
        isHelloPending = true;
        helloSender.copySource(header);
        helloEpoch = header.sourceEpoch();
    }

    private void onHelloAck(final FibnumaHeaderFlyweight header)
    {
        if (state != SessionState.CONNECTING || !id.showsFresh(header))
        {
            counts.add(SessionCounter.STRAY);
            return;
        }
        loseToRestart(header);
        id.propose(header);
        state = SessionState.CONFIRMING;
        beginSending();
    }

    private void onConfirm(final FibnumaHeaderFlyweight header, final long nowNs)
    {
        if (!isUp() || !id.repeats(header))
        {
            if (!id.showsFresh(header))
            {
                counts.add(SessionCounter.STRAY);
                refuse(header);
                return;
            }
            if (!loseToRestart(header))
            {
                loseIfUp();
            }
            begin(header, nowNs);
        }
        isConfirmedPending = true;
    }

    private void onConfirmed(final FibnumaHeaderFlyweight header, final long nowNs)
    {
        if (state == SessionState.CONFIRMING && id.confirms(header))
        {
            begin(header, nowNs);
            receiver.demandAcknowledgement();
            sender.sample(header, nowNs);
        }
        else if (!isUp() || !id.repeats(header))
        {
            counts.add(SessionCounter.STRAY);
        }
    }

    /** Begins the connection that a CONFIRM or CONFIRMED with this side's fresh verification tag establishes. */
    private void begin(final FibnumaHeaderFlyweight header, final long nowNs)
    {
        id.begin(header);
        firstSequence = sender.firstSequence();
        wasUp = true;
        lastEpoch = id.remoteEpoch();
        isRestartReported = false;
        state = SessionState.UP;
        sender.begin(header);
        receiver.begin(header);
        if (direct != null)
        {
            direct.begin(id);
        }
        onHeard(nowNs);
        counts.add(SessionCounter.CONNECTIONS);
        listener.onUp(pcId);
    }

    /** Loses the connection and returns true if the peer has restarted and the restart is not yet reported. */
    private boolean loseToRestart(final FibnumaHeaderFlyweight header)
    {
        final int sourceEpoch = header.sourceEpoch();
        final boolean isRestart =
            wasUp && sourceEpoch != lastEpoch && !(isRestartReported && sourceEpoch == reportedEpoch);
        if (isRestart)
        {
            reportedEpoch = sourceEpoch;
            isRestartReported = true;
            lose(true);
        }
        return isRestart;
    }

    private boolean loseIfUp()
    {
        final boolean isLost = isUp();
        if (isLost)
        {
            lose(false);
        }
        return isLost;
    }

    /** Ends the connection or the handshake. The next one begins if a connection is requested. */
    private void end()
    {
        if (isRequested)
        {
            sendHellos();
        }
        else
        {
            state = SessionState.IDLE;
        }
    }

    private void refuse(final FibnumaHeaderFlyweight header)
    {
        if (header.sourceSession() != 0 && header.destinationSession() != 0 &&
            !(isUp() && id.hasSessions(header)) && reset.request())
        {
            refusedSession = header.destinationSession();
            refusedSender = header.sourceSession();
            refusedSenderEpoch = header.sourceEpoch();
        }
    }

    private int pollAnswers(final DatagramOutput output, final long nowNs)
    {
        int sent = 0;
        if (reset.isDue(nowNs) && sending.reset(output, refusedSession, refusedSender, refusedSenderEpoch))
        {
            reset.onSent(nowNs);
            sent++;
        }
        if (isHelloPending &&
            sending.handshake(output, FibnumaKind.HELLO_ACK, id.fresh(), helloSender, helloEpoch, 0, nowNs))
        {
            isHelloPending = false;
            counts.add(SessionCounter.HELLOS_ANSWERED);
            sent++;
        }
        if (isUp() && isConfirmedPending && sending.handshake(
            output, FibnumaKind.CONFIRMED, id.own(), id.remote(), id.remoteEpoch(), firstSequence, nowNs))
        {
            isConfirmedPending = false;
            sent++;
        }
        return sent;
    }

    private int pollHello(final DatagramOutput output, final long nowNs)
    {
        if (state == SessionState.IDLE || !isDue(nowNs))
        {
            return 0;
        }
        if (state == SessionState.CONFIRMING && attempts >= MAX_CONFIRMS)
        {
            end();
            return 0;
        }
        final boolean isSent = state == SessionState.CONNECTING ?
            sending.handshake(output, FibnumaKind.HELLO, id.fresh(), UNKNOWN, 0, 0, nowNs) :
            sending.handshake(output, FibnumaKind.CONFIRM, id.fresh(), id.remote(), id.remoteEpoch(),
                sender.firstSequence(), nowNs);
        return isSent ? onSent(nowNs) : 0;
    }

    private int pollProbe(final DatagramOutput output, final long nowNs)
    {
        if (nowNs - probeNs < 0 || sender.hasUnderWay())
        {
            return 0;
        }
        if (probes == MAX_PROBES)
        {
            lose(false);
            return 0;
        }
        if (!sending.control(output, FibnumaKind.PROBE, nowNs))
        {
            return 0;
        }
        sender.onProbeSent(nowNs);
        probes++;
        probeNs = nowNs + (keepaliveNs >> PROBE_SHIFT);
        return 1;
    }

    private int pollClose(final DatagramOutput output, final long nowNs)
    {
        if (sender.hasUnderWay() || sender.hasWaiting() || direct != null && direct.isAwaiting())
        {
            return 0;
        }
        if (!isCloseStarted)
        {
            isCloseStarted = true;
            beginSending();
        }
        if (!isDue(nowNs))
        {
            return 0;
        }
        if (attempts > retryLimit)
        {
            lose(false);
            return 0;
        }
        return sending.control(output, FibnumaKind.CLOSE, nowNs) ? onSent(nowNs) : 0;
    }

    private void sendHellos()
    {
        state = SessionState.CONNECTING;
        beginSending();
    }

    /** Makes HELLO, CONFIRM or CLOSE due now. It is repeated at growing intervals. */
    private void beginSending()
    {
        isDueNow = true;
        intervalNs = minIntervalNs;
        attempts = 0;
    }

    private long sendingDueNs(final long nowNs)
    {
        return isDueNow ? nowNs : dueNs;
    }

    private boolean isDue(final long nowNs)
    {
        return isDueNow || nowNs - dueNs >= 0;
    }

    private int onSent(final long nowNs)
    {
        isDueNow = false;
        attempts++;
        // Without jitter, peers that went down together would send hellos in bursts forever.
        dueNs = nowNs + intervalNs - jitter.nextLong(intervalNs / 2 + 1);
        intervalNs = Math.min(maxIntervalNs, 2 * intervalNs);
        return 1;
    }
}
