package org.fibnuma.ipnuma.session;

/**
 * The one reset and the one error that wait to be sent, each at most once in an interval; what comes meanwhile is not
 * answered. Neither is longer than what it answers.
 */
final class Refusals
{
    private final long intervalNs;
    private boolean hasReset;
    private int session;
    private int toSession;
    private int toEpoch;
    private long nextResetNs;
    private boolean hasError;
    private int status;
    private long remoteAddress;
    private long nextErrorNs;
    private boolean isStarted;

    Refusals(final SessionSettings settings)
    {
        intervalNs = settings.refusalIntervalNs();
    }

    /** A session that is not ours was addressed. */
    void refuse(final int refusedSession, final int senderSession, final int senderEpoch)
    {
        if (!hasReset)
        {
            hasReset = true;
            session = refusedSession;
            toSession = senderSession;
            toEpoch = senderEpoch;
        }
    }

    /** A write was refused. */
    void report(final int accessStatus, final long address)
    {
        if (!hasError)
        {
            hasError = true;
            status = accessStatus;
            remoteAddress = address;
        }
    }

    boolean isWaiting()
    {
        return hasReset || hasError;
    }

    boolean isResetDue(final long nowNs)
    {
        start(nowNs);
        return hasReset && nowNs - nextResetNs >= 0;
    }

    boolean isErrorDue(final long nowNs)
    {
        start(nowNs);
        return hasError && nowNs - nextErrorNs >= 0;
    }

    void onResetSent(final long nowNs)
    {
        hasReset = false;
        nextResetNs = nowNs + intervalNs;
    }

    void onErrorSent(final long nowNs)
    {
        hasError = false;
        nextErrorNs = nowNs + intervalNs;
    }

    void forgetError()
    {
        hasError = false;
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

    int status()
    {
        return status;
    }

    long remoteAddress()
    {
        return remoteAddress;
    }

    private void start(final long nowNs)
    {
        if (!isStarted)
        {
            isStarted = true;
            nextResetNs = nowNs;
            nextErrorNs = nowNs;
        }
    }
}
