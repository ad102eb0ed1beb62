package org.fibnuma.pfc.dcqcn;

/** The receiver of one flow: sends at most one notification in a given time while marked packets arrive. */
public final class NotificationPoint
{
    private final long intervalNs;
    private boolean hasNotified;
    private long lastNs;

    /** Creates the state of a flow of which no packet has been marked. */
    public NotificationPoint(final DcqcnParameters parameters)
    {
        intervalNs = parameters.notificationNs();
    }

    /** Records a packet that is marked with congestion experienced. Returns whether to send a notification now. */
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
