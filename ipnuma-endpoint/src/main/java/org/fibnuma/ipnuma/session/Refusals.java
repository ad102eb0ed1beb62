package org.fibnuma.ipnuma.session;

import org.fibnuma.ipnuma.wire.fibnuma.FibnumaHeaderFlyweight;
import org.fibnuma.ipnuma.wire.fibnuma.VerificationTag;

/**
 * What waits to be said to datagrams outside the connection: one reset, one error, one answer to a hello and one to a
 * CONFIRM. Resets and errors leave at most once in an interval; what comes meanwhile is not answered. None is longer
 * than what it answers.
 * <p>
 * A hello is answered with this side's fresh tag, also while a connection stands, which the hello does not touch.
 * Whoever forged the hello does not receive the answer, and the peer takes no answer to a hello that it did not send.
 */
final class Refusals
{
    private final SpacedAnswer reset;
    private final SpacedAnswer error;
    private boolean isHello;
    private boolean isConfirmedOwed;
    private final VerificationTag hello = new VerificationTag();
    private int helloEpoch;
    private int session;
    private int toSession;
    private int toEpoch;
    /** Writes refused in this connection. */
    private int refused;
    private int number;
    private int status;
    private long remoteAddress;

    Refusals(final SessionSettings settings)
    {
        final long intervalNs = settings.refusalIntervalNs();
        reset = new SpacedAnswer(intervalNs);
        error = new SpacedAnswer(intervalNs);
    }

    /** A session that is not ours was addressed. */
    void refuse(final int refusedSession, final int senderSession, final int senderEpoch)
    {
        if (reset.want())
        {
            session = refusedSession;
            toSession = senderSession;
            toEpoch = senderEpoch;
        }
    }

    /** A write, or a datagram of writes, was refused, whether an error tells of it or not. */
    void count()
    {
        refused++;
    }

    /** A write was refused. */
    void report(final int accessStatus, final long address)
    {
        count();
        if (error.want())
        {
            number = refused;
            status = accessStatus;
            remoteAddress = address;
        }
    }

    /** The peer, or somebody in its name, wants a connection. */
    void answerHello(final FibnumaHeaderFlyweight handshake)
    {
        isHello = true;
        hello.copySource(handshake);
        helloEpoch = handshake.sourceEpoch();
    }

    /** The peer has confirmed the connection that stands, perhaps once more. */
    void confirm()
    {
        isConfirmedOwed = true;
    }

    boolean isWaiting()
    {
        return reset.isWanted() || error.isWanted() || isHello || isConfirmedOwed;
    }

    boolean isResetDue(final long nowNs)
    {
        return reset.isDue(nowNs);
    }

    boolean isErrorDue(final long nowNs)
    {
        return error.isDue(nowNs);
    }

    boolean isHello()
    {
        return isHello;
    }

    boolean isConfirmedOwed()
    {
        return isConfirmedOwed;
    }

    void onResetSent(final long nowNs)
    {
        reset.onSent(nowNs);
    }

    void onErrorSent(final long nowNs)
    {
        error.onSent(nowNs);
    }

    void onHelloAnswered()
    {
        isHello = false;
    }

    void onConfirmedSent()
    {
        isConfirmedOwed = false;
    }

    /** The connection that errors and confirmations speak of has ended. */
    void forgetConnection()
    {
        error.forget();
        refused = 0;
        isConfirmedOwed = false;
    }

    /** The sender of the hello that is answered. */
    VerificationTag hello()
    {
        return hello;
    }

    int helloEpoch()
    {
        return helloEpoch;
    }

    int session()
    {
        return session;
    }

    int toSession()
    {
        return toSession;
    }

    int toEpoch()
    {
        return toEpoch;
    }

    /** Writes refused in this connection. */
    int refused()
    {
        return refused;
    }

    /** Which of the refused writes the error is of, the first being 1. */
    int number()
    {
        return number;
    }

    int status()
    {
        return status;
    }

    long remoteAddress()
    {
        return remoteAddress;
    }
}
