package org.fibnuma.ipnuma.session;

import org.fibnuma.ipnuma.wire.fibnuma.FibnumaHeaderFlyweight;
import org.fibnuma.ipnuma.wire.fibnuma.VerificationTag;

import java.util.function.Consumer;
import java.util.random.RandomGenerator;

/**
 * Identifies a connection: session and epoch of both sides. This side draws a {@link VerificationTag} in advance and
 * sends it in its hellos and in its answers to hellos. Only a peer that sends this verification tag back gets a
 * connection. The connection then uses the verification tag, and the next one is drawn. Answering a hello therefore
 * stores nothing about that hello.
 */
final class ConnectionId
{
    private final int epoch;
    private final RandomGenerator random;
    private final Consumer<FibnumaHeaderFlyweight> handshakes;
    private final VerificationTag fresh = new VerificationTag();
    private final VerificationTag own = new VerificationTag();
    private final VerificationTag remote = new VerificationTag();
    private int remoteEpoch;
    private long sessions;
    private long epochs;

    /**
     * Creates an identity that has no connection yet, and draws its first verification tag.
     *
     * @param settings   epoch of this side and source of random numbers.
     * @param handshakes receives the CONFIRM or CONFIRMED that begins a connection. Keys are derived from it.
     */
    ConnectionId(final SessionSettings settings, final Consumer<FibnumaHeaderFlyweight> handshakes)
    {
        epoch = settings.epoch();
        random = settings.random();
        this.handshakes = handshakes;
        fresh.draw(random);
    }

    int epoch()
    {
        return epoch;
    }

    int remoteEpoch()
    {
        return remoteEpoch;
    }

    /** Returns this side's verification tag for the next connection. */
    VerificationTag fresh()
    {
        return fresh;
    }

    /** Returns this side's verification tag in the latest connection. */
    VerificationTag own()
    {
        return own;
    }

    /** Returns the verification tag of the peer, valid after its HELLO_ACK or CONFIRM. */
    VerificationTag remote()
    {
        return remote;
    }

    /** Stores the verification tag and epoch of the peer from its HELLO_ACK. */
    void propose(final FibnumaHeaderFlyweight handshake)
    {
        remote.copySource(handshake);
        remoteEpoch = handshake.sourceEpoch();
    }

    void begin(final FibnumaHeaderFlyweight handshake)
    {
        propose(handshake);
        own.copy(fresh);
        fresh.draw(random);
        sessions = FibnumaHeaderFlyweight.pair(remote.session(), own.session());
        epochs = FibnumaHeaderFlyweight.pair(remoteEpoch, epoch);
        handshakes.accept(handshake);
    }

    /** Returns whether a datagram has the sessions and epochs of the latest connection. */
    boolean matches(final FibnumaHeaderFlyweight header)
    {
        return header.sessions() == sessions && header.epochs() == epochs;
    }

    boolean hasSessions(final FibnumaHeaderFlyweight header)
    {
        return header.sessions() == sessions;
    }

    /** Returns whether a datagram has the sessions and epochs of the connection that this side's CONFIRM proposes. */
    boolean matchesProposal(final FibnumaHeaderFlyweight header)
    {
        return header.epochs() == FibnumaHeaderFlyweight.pair(remoteEpoch, epoch) &&
            header.sessions() == FibnumaHeaderFlyweight.pair(remote.session(), fresh.session());
    }

    /** Returns whether a handshake datagram sends back this side's fresh verification tag. */
    boolean showsFresh(final FibnumaHeaderFlyweight handshake)
    {
        return fresh.isDestination(handshake) && handshake.destinationEpoch() == epoch;
    }

    /** Returns whether a handshake datagram has both verification tags of the proposed connection. */
    boolean confirms(final FibnumaHeaderFlyweight handshake)
    {
        return showsFresh(handshake) && remote.isSource(handshake) && handshake.sourceEpoch() == remoteEpoch;
    }

    /** Returns whether a handshake datagram has both verification tags of the latest connection. */
    boolean repeats(final FibnumaHeaderFlyweight handshake)
    {
        return own.isDestination(handshake) && remote.isSource(handshake) && handshake.epochs() == epochs;
    }

    /** Returns whether a RESET refuses a session of this side. The epoch of the peer may be a new one. */
    boolean isRefused(final FibnumaHeaderFlyweight reset, final VerificationTag tag)
    {
        return reset.destinationSession() == tag.session() && reset.destinationEpoch() == epoch &&
            reset.sourceSession() == remote.session();
    }
}
