package org.fibnuma.ipnuma.session;

import org.fibnuma.ipnuma.wire.fibnuma.FibnumaHeaderFlyweight;

/**
 * Who speaks with whom. Either side names a connection by a session, of which each attempt takes the next number, and
 * by the epoch of its endpoint; both together only ever grow, so that of two hellos it is known which is later, and a
 * datagram of another connection is told by its numbers alone.
 */
final class Connection
{
    /** Answers to a hello that remain without an echo before it counts as stale. */
    private static final int MAX_ACCEPTS = 10;

    private final int epoch;
    private final long minIntervalNs;
    private final long maxIntervalNs;
    private SessionState state = SessionState.IDLE;
    private boolean isWanted;
    private int session;
    private int firstSequence;
    private int remoteSession;
    private int remoteEpoch;
    /** Whether there was a connection, so that nothing older than its peer's names is believed. */
    private boolean wasUp;
    private int lastSession;
    private int lastEpoch;
    /** An epoch of which it was told already; believed only once a connection stands in it. */
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
        minIntervalNs = settings.minHelloNs();
        maxIntervalNs = settings.maxHelloNs();
        session = settings.firstSession() - 1;
    }

    SessionState state()
    {
        return state;
    }

    boolean isUp()
    {
        return state == SessionState.UP || state == SessionState.CLOSING;
    }

    boolean hasRemote()
    {
        return isUp() || state == SessionState.ACCEPTING;
    }

    int session()
    {
        return session;
    }

    int epoch()
    {
        return epoch;
    }

    int firstSequence()
    {
        return firstSequence;
    }

    int remoteSession()
    {
        return hasRemote() ? remoteSession : 0;
    }

    int remoteEpoch()
    {
        return hasRemote() ? remoteEpoch : 0;
    }

    /** Whether a datagram belongs to this connection. */
    boolean matches(final FibnumaHeaderFlyweight header)
    {
        return header.sessions() == sessions && header.epochs() == epochs && hasRemote();
    }

    /** Whether a datagram is meant for this side as it names itself now. */
    boolean isAddressed(final FibnumaHeaderFlyweight header)
    {
        return state != SessionState.IDLE && header.destinationSession() == session &&
            header.destinationEpoch() == epoch;
    }

    /** Below 0 where a peer's names are older than those known, 0 where they are the same, above where newer. */
    int compare(final FibnumaHeaderFlyweight header)
    {
        if (hasRemote())
        {
            final int byEpoch = header.sourceEpoch() - remoteEpoch;
            return byEpoch != 0 ? byEpoch : header.sourceSession() - remoteSession;
        }
        if (!wasUp)
        {
            return 1;
        }
        final int byEpoch = header.sourceEpoch() - lastEpoch;
        return byEpoch != 0 ? byEpoch : header.sourceSession() - lastSession;
    }

    /** Whether this is a later run of a peer that there was a connection with, of which nobody was told. */
    boolean isRestart(final int sourceEpoch)
    {
        return wasUp && sourceEpoch - lastEpoch > 0 && !(hasTold && sourceEpoch == toldEpoch);
    }

    void want(final boolean wanted)
    {
        isWanted = wanted;
    }

    /** Leaves {@link SessionState#IDLE} by itself. */
    void connect(final int sequence)
    {
        nextSession();
        firstSequence = sequence;
        enter(SessionState.CONNECTING);
    }

    /** A peer's hello is to be answered. */
    void accept(final FibnumaHeaderFlyweight header, final int sequence)
    {
        if (state != SessionState.CONNECTING)
        {
            nextSession();
        }
        firstSequence = sequence;
        remember(header);
        enter(SessionState.ACCEPTING);
    }

    /** Both sides know each other. */
    void up(final FibnumaHeaderFlyweight header)
    {
        remember(header);
        wasUp = true;
        lastSession = remoteSession;
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

    /** Gives up what does not stand yet. */
    void abandon()
    {
        state = SessionState.IDLE;
    }

    /** Ends the connection; the next begins with another session where one is wanted. */
    void end(final int sequence)
    {
        if (state == SessionState.CONNECTING || state == SessionState.IDLE)
        {
            return;
        }
        if (isWanted)
        {
            connect(sequence);
        }
        else
        {
            state = SessionState.IDLE;
        }
    }

    /** The hello, its answer or the close is to be sent at once and from then on. */
    void beginSending()
    {
        isDueNow = true;
        intervalNs = minIntervalNs;
        attempts = 0;
    }

    /** The hello's answer is to be sent at once, as the hello came again. */
    void repeat()
    {
        isDueNow = true;
    }

    boolean isDue(final long nowNs)
    {
        return isDueNow || nowNs - dueNs >= 0;
    }

    boolean isStale()
    {
        return state == SessionState.ACCEPTING && attempts >= MAX_ACCEPTS;
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

    private void enter(final SessionState entered)
    {
        state = entered;
        beginSending();
    }

    private void remember(final FibnumaHeaderFlyweight header)
    {
        remoteSession = header.sourceSession();
        remoteEpoch = header.sourceEpoch();
        sessions = FibnumaHeaderFlyweight.pair(remoteSession, session);
        epochs = FibnumaHeaderFlyweight.pair(remoteEpoch, epoch);
    }

    private void nextSession()
    {
        session = session == -1 ? 1 : session + 1;
    }
}
