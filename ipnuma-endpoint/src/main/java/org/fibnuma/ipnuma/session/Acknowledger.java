package org.fibnuma.ipnuma.session;

import org.fibnuma.ipnuma.session.timing.DeadlineHeap;
import org.fibnuma.pfc.dcqcn.NotificationPoint;

/**
 * Decides when to acknowledge, and stores the timestamp and the congestion mark to echo. Every datagram that is sent
 * contains all three. An acknowledgement without data is sent if a quarter of the window is unacknowledged, the delay
 * is over, a datagram is missing, or the peer requests it.
 */
final class Acknowledger
{
    /** 4 s in units of the header. An older timestamp is no late arrival: the clock of the peer has jumped. */
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

    /** The peer requests an acknowledgement, or seems to have missed the last one. */
    void demand()
    {
        isDueNow = true;
    }

    /** Stores the latest timestamp of the peer, independent of the order of arrival. */
    void onTimestamp(final int timestamp)
    {
        if (!hasEchoed || timestamp - echo >= 0 || echo - timestamp > MAX_LATE)
        {
            echo = timestamp;
            hasEcho = true;
            hasEchoed = true;
        }
    }

    /** Processes a datagram with congestion experienced. The peer is notified as often as DCQCN allows. */
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

    /** Returns when an acknowledgement is due, {@link DeadlineHeap#NEVER} if nothing is to be acknowledged. */
    long dueNs(final long nowNs)
    {
        if (isDue(nowNs))
        {
            return nowNs;
        }
        return unacknowledged > 0 ? deadlineNs : DeadlineHeap.NEVER;
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
