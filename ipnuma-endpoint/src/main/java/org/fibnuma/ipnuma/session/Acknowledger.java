package org.fibnuma.ipnuma.session;

import org.fibnuma.pfc.dcqcn.NotificationPoint;

/**
 * What the peer is owed: an acknowledgement, the echo of its timestamp, the echo of a congestion mark. Every datagram
 * that leaves pays all of it; one of its own leaves where a quarter of the window waits, the delay is over, something
 * is missing, or the peer asks.
 */
final class Acknowledger
{
    /** What is later than 4 s, in units of the header, is no late arrival: the peer was silent, or its clock jumped. */
    private static final int MAX_LATE = 1 << 24;

    private final long delayNs;
    private final int threshold;
    private final NotificationPoint marks;
    private long deadlineNs;
    private int unacknowledged;
    private boolean isDueNow;
    private boolean isGap;
    private boolean hasEcho;
    private boolean hasEchoed;
    private int echo;
    private boolean isCongestion;

    Acknowledger(final SessionSettings settings)
    {
        delayNs = settings.ackDelayNs();
        threshold = Math.max(1, settings.receiveWindow() >> 2);
        marks = new NotificationPoint(settings.congestion());
    }

    /** A datagram of data was taken. */
    void onData(final long nowNs)
    {
        if (unacknowledged++ == 0)
        {
            deadlineNs = nowNs + delayNs;
        }
    }

    void onGap()
    {
        isGap = true;
    }

    /** The peer asks, or seems to have missed the last acknowledgement. */
    void demand()
    {
        isDueNow = true;
    }

    /** The latest timestamp is echoed, whatever the order of arrival. */
    void onTimestamp(final int timestamp)
    {
        if (!hasEchoed || timestamp - echo >= 0 || echo - timestamp > MAX_LATE)
        {
            echo = timestamp;
            hasEcho = true;
            hasEchoed = true;
        }
    }

    /** A datagram with congestion experienced arrived; the peer is notified as often as DCQCN allows. */
    void onCongestion(final long nowNs)
    {
        if (marks.onMarked(nowNs))
        {
            isCongestion = true;
            isDueNow = true;
        }
    }

    boolean isDue(final long nowNs)
    {
        return isDueNow || isGap || unacknowledged > 0 && (unacknowledged >= threshold || nowNs - deadlineNs >= 0);
    }

    boolean isGap()
    {
        return isGap;
    }

    boolean hasEcho()
    {
        return hasEcho;
    }

    int echo()
    {
        return echo;
    }

    boolean isCongestion()
    {
        return isCongestion;
    }

    /** A datagram that says all of it has left. */
    void onSent()
    {
        unacknowledged = 0;
        isDueNow = false;
        isGap = false;
        hasEcho = false;
        isCongestion = false;
    }

    void reset()
    {
        onSent();
        hasEchoed = false;
    }
}
