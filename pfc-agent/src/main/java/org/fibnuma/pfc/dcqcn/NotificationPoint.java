package org.fibnuma.pfc.dcqcn;

/** The receiver of one flow: sends at most one notification in a given time while marked packets arrive. */
public final class NotificationPoint
{
    private final long intervalNs;
    private boolean hasNotified;
    private long lastNs;

    /**
     * Creates the state of a flow of which no packet has been marked.
     *
     * @param parameters contain the notification interval.
     */
    public NotificationPoint(final DcqcnParameters parameters)
    {
        intervalNs = parameters.notificationNs();
    }

    /**
     * Records a packet with congestion experienced.
     *
     * @param nowNs monotonic time.
     * @return whether to notify the sender now.
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
