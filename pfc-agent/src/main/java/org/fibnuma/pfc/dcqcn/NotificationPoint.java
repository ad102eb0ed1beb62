package org.fibnuma.pfc.dcqcn;

/** The receiver's side of one flow: at most one notification in a time, while marked packets arrive. */
public final class NotificationPoint
{
    private final long intervalNs;
    private boolean hasNotified;
    private long lastNs;

    /**
     * A flow of which no packet was marked yet.
     *
     * @param parameters of which the notification interval counts.
     */
    public NotificationPoint(final DcqcnParameters parameters)
    {
        intervalNs = parameters.notificationNs();
    }

    /**
     * A packet with congestion experienced arrived.
     *
     * @param nowNs monotonic time.
     * @return whether the sender is to be notified now.
     */
    public boolean onMarked(final long nowNs)
    {
        if (hasNotified && nowNs - lastNs < intervalNs)
        {
            return false;
        }
        hasNotified = true;
        lastNs = nowNs;
        return true;
    }
}
