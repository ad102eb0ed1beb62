package org.fibnuma.pfc.policy;

import org.fibnuma.pfc.priority.PriorityBacklog;

/**
 * Sends pause frames to the peer of one ingress port, depending on the bytes that the port holds. For the thread that
 * owns the backlog; the caller updates the backlog before it calls the policy. Times are from one monotonic clock.
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
     * Handles a frame that was added to the backlog.
     *
     * @param priority of the frame, lossless.
     * @param nowNs    monotonic time.
     */
    public abstract void onArrival(int priority, long nowNs);

    /**
     * Handles a frame that was removed from the backlog.
     *
     * @param priority of the frame, lossless.
     * @param nowNs    monotonic time.
     */
    public abstract void onDeparture(int priority, long nowNs);

    /**
     * Returns whether a pause could not be sent and is still due; it is to precede all other frames of the port.
     *
     * @return true until {@link #onTime} has sent it or it is no longer needed.
     */
    public final boolean owesPause()
    {
        return sent.isRefused();
    }

    /**
     * Renews pauses that are half over and still needed, and resends what could not be sent. To be called in every
     * duty cycle; costs one comparison if nothing is due.
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

    /** Sends a pause for a priority whose queue is above the mark. */
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
