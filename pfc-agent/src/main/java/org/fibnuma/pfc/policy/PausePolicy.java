package org.fibnuma.pfc.policy;

import org.fibnuma.pfc.priority.PriorityBacklog;

/**
 * Turns what one ingress port holds into pause frames to its peer. Belongs to the thread that owns the backlog; the
 * caller changes the backlog first and then says so. Times are of one monotonic clock.
 */
public abstract class PausePolicy
{
    private final PauseSettings settings;
    private final PriorityBacklog backlog;
    private final SentPauses sent;

    PausePolicy(final PauseSettings settings, final PriorityBacklog backlog, final SentPauses sent)
    {
        this.settings = settings;
        this.backlog = backlog;
        this.sent = sent;
    }

    /**
     * A frame was added to the backlog.
     *
     * @param priority of the frame, lossless.
     * @param nowNs    monotonic time.
     */
    public abstract void onArrival(int priority, long nowNs);

    /**
     * A frame was taken from the backlog.
     *
     * @param priority of the frame, lossless.
     * @param nowNs    monotonic time.
     */
    public abstract void onDeparture(int priority, long nowNs);

    /**
     * Whether a frame could not be sent and is still to be: it goes before all others of its port.
     *
     * @return true until {@link #onTime} has sent it or it is needed no longer.
     */
    public final boolean owesPause()
    {
        return sent.isRefused();
    }

    /**
     * Renews pauses that end while they are still needed, and sends what could not be sent. To be called in every duty
     * cycle; costs a comparison while nothing is due.
     *
     * @param nowNs monotonic time.
     */
    public final void onTime(final long nowNs)
    {
        if (sent.isDue(nowNs))
        {
            sent.onTime(nowNs, this);
        }
    }

    /** Sends what stops a priority, because its queue is above the mark. */
    abstract void pause(int priority, long nowNs);

    final boolean isAboveMark(final int priority)
    {
        return backlog.heldBytes(priority) > settings.marks().xoffBytes();
    }

    final void pauseAboveMark(final int priority, final long nowNs)
    {
        if (isAboveMark(priority) && !sent.isPaused(priority, nowNs))
        {
            pause(priority, nowNs);
        }
    }

    final PauseSettings settings()
    {
        return settings;
    }

    final PriorityBacklog backlog()
    {
        return backlog;
    }

    final SentPauses sent()
    {
        return sent;
    }
}
