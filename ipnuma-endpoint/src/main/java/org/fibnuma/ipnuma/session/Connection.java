package org.fibnuma.ipnuma.session;

import org.fibnuma.ipnuma.wire.fibnuma.FibnumaHeaderFlyweight;
import org.fibnuma.ipnuma.wire.fibnuma.VerificationTag;

import java.util.random.RandomGenerator;

/**
 * The names of both sides of the connection with one peer, and the handshake that they come from. Each side has one
 * {@link VerificationTag} that no connection has used yet. It shows it in hellos of its own and in answers to hellos of
 * the peer, and draws another as soon as a connection uses it. Only a peer that sends it back gets a connection, so
 * that answering a hello needs no memory of that hello, and a hello by itself changes nothing.
 */
final class Connection
{
    /** Times that CONFIRM is sent without an answer before the attempt begins anew. */
    private static final int MAX_CONFIRMS = 10;

    private final int epoch;
    private final RandomGenerator random;
    private final long minIntervalNs;
    private final long maxIntervalNs;
    /** Not used by any connection yet. */
    private final VerificationTag fresh = new VerificationTag();
    private final VerificationTag own = new VerificationTag();
    private final VerificationTag remote = new VerificationTag();
    private SessionState state = SessionState.IDLE;
    private boolean isWanted;
    private int firstSequence;
    private int remoteEpoch;
    private boolean wasUp;
    private int lastEpoch;
    /** A restart that a reset has told of; believed only once a connection stands in it. */
    private int toldEpoch;
    private boolean hasTold;
    private long sessions;
    private long epochs;
    private boolean isDueNow;
    private long dueNs;
    private long intervalNs;
    private int attempts;

    Connection(final SessionSettings settings)
    {
        epoch = settings.epoch();
        random = settings.random();
        minIntervalNs = settings.minHelloNs();
        maxIntervalNs = settings.maxHelloNs();
        fresh.draw(random);
    }

    SessionState state()
    {
        return state;
    }

    boolean isUp()
    {
        return state == SessionState.UP || state == SessionState.CLOSING;
    }

    int epoch()
    {
        return epoch;
    }

    /** What hellos and answers to hellos show. */
    VerificationTag fresh()
    {
        return fresh;
    }

    /** This side's of the connection that stands. */
    VerificationTag own()
    {
        return own;
    }

    /** The peer's, where the handshake has come to CONFIRM. */
    VerificationTag remote()
    {
        return remote;
    }

    int remoteEpoch()
    {
        return remoteEpoch;
    }

    /** The first that this side sends in the connection that stands. */
    int firstSequence()
    {
        return firstSequence;
    }

    /** Whether a datagram of no handshake belongs to the connection that stands. */
    boolean matches(final FibnumaHeaderFlyweight header)
    {
        return header.sessions() == sessions && header.epochs() == epochs && isUp();
    }

    /** Whether a datagram has the sessions of the connection that stands, which a refusal of it would end. */
    boolean isNamed(final FibnumaHeaderFlyweight header)
    {
        return isUp() && header.sessions() == sessions;
    }

    /** Whether a datagram is of the connection that CONFIRM asks for: CONFIRMED was lost or is late. */
    boolean isExpected(final FibnumaHeaderFlyweight header)
    {
        return state == SessionState.CONFIRMING && header.epochs() == FibnumaHeaderFlyweight.pair(remoteEpoch, epoch) &&
            header.sessions() == FibnumaHeaderFlyweight.pair(remote.session(), fresh.session());
    }

    /** Whether a datagram of the handshake shows what this side has drawn last. */
    boolean showsFresh(final FibnumaHeaderFlyweight handshake)
    {
        return fresh.isDestination(handshake) && handshake.destinationEpoch() == epoch;
    }

    /** Whether a datagram of the handshake answers CONFIRM. */
    boolean isConfirmed(final FibnumaHeaderFlyweight handshake)
    {
        return state == SessionState.CONFIRMING && showsFresh(handshake) && remote.isSource(handshake) &&
            handshake.sourceEpoch() == remoteEpoch;
    }

    /** Whether a datagram of the handshake is of the connection that stands. */
    boolean isRepeated(final FibnumaHeaderFlyweight handshake)
    {
        return isUp() && own.isDestination(handshake) && remote.isSource(handshake) && handshake.epochs() == epochs;
    }

    /** Whether a reset is for the connection that stands or that CONFIRM asks for; the peer's epoch may be another. */
    boolean isReset(final FibnumaHeaderFlyweight header)
    {
        final int session = state == SessionState.CONFIRMING ? fresh.session() : own.session();
        return (isUp() || state == SessionState.CONFIRMING) && header.destinationSession() == session &&
            header.destinationEpoch() == epoch && header.sourceSession() == remote.session();
    }

    /** Whether this is another run of a peer that there was a connection with, of which nobody was told. */
    boolean isRestart(final int sourceEpoch)
    {
        return wasUp && sourceEpoch != lastEpoch && !(hasTold && sourceEpoch == toldEpoch);
    }

    void want(final boolean wanted)
    {
        isWanted = wanted;
    }

    /** Sends hellos from now on. */
    void connect()
    {
        state = SessionState.CONNECTING;
        beginSending();
    }

    /** The peer has answered a hello with this side's tag: shows it its own. */
    void confirm(final FibnumaHeaderFlyweight handshake)
    {
        remote.copySource(handshake);
        remoteEpoch = handshake.sourceEpoch();
        state = SessionState.CONFIRMING;
        beginSending();
    }

    /** Both sides have shown the other's tag. */
    void up(final FibnumaHeaderFlyweight handshake, final int sequence)
    {
        remote.copySource(handshake);
        remoteEpoch = handshake.sourceEpoch();
        own.copy(fresh);
        fresh.draw(random);
        sessions = FibnumaHeaderFlyweight.pair(remote.session(), own.session());
        epochs = FibnumaHeaderFlyweight.pair(remoteEpoch, epoch);
        firstSequence = sequence;
        wasUp = true;
        lastEpoch = remoteEpoch;
        hasTold = false;
        state = SessionState.UP;
    }

    void closing()
    {
        isWanted = false;
        state = SessionState.CLOSING;
    }

    /** The restart of the peer into an epoch is told now, and not again. */
    void onRestartTold(final int sourceEpoch)
    {
        toldEpoch = sourceEpoch;
        hasTold = true;
    }

    /** Ends the connection or the attempt; the next begins where one is wanted. */
    void end()
    {
        if (isWanted)
        {
            connect();
        }
        else
        {
            state = SessionState.IDLE;
        }
    }

    /** The hello, CONFIRM or the close is to be sent at once and from then on. */
    void beginSending()
    {
        isDueNow = true;
        intervalNs = minIntervalNs;
        attempts = 0;
    }

    boolean isDue(final long nowNs)
    {
        return isDueNow || nowNs - dueNs >= 0;
    }

    boolean isStale()
    {
        return state == SessionState.CONFIRMING && attempts >= MAX_CONFIRMS;
    }

    int attempts()
    {
        return attempts;
    }

    void onSent(final long nowNs)
    {
        isDueNow = false;
        attempts++;
        dueNs = nowNs + intervalNs;
        intervalNs = Math.min(maxIntervalNs, 2 * intervalNs);
    }
}
