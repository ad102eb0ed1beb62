package org.fibnuma.pfc.policy;

import org.fibnuma.pfc.priority.PriorityBacklog;

/**
 * Sends pause frames to the peer of one ingress port, depending on the bytes that the port holds. For the thread that
 * owns the backlog; the caller updates the backlog before it calls the policy. Times {@code nowNs} are from one
 * monotonic clock.
 * <p>
 * A policy determines the first pause of a queue above the high mark. With {@link PauseUpkeep#ROUTER}, what follows is
 * the same for all policies. When half of the pause is over and the queue is still above the mark, the pause is
 * renewed. The renewal has the time that the queue needs to drain to its target at the rate of its egress, at least
 * {@link PauseSettings#leastRenewal}. A pause that lasts as long is left alone. A queue at or below the low mark ends
 * the pause.
 */
public abstract class PausePolicy
{
    private final PauseSettings settings;
    private final PriorityBacklog backlog;
    private final SentPauses sent;

    PausePolicy(final PauseSettings settings, final PriorityBacklog backlog, final PauseOutput output)
    {
        this.settings = settings;
        this.backlog = backlog;
        this.sent = new SentPauses(settings, output);
    }

    /** Handles a frame of a lossless priority that was added to the backlog. */
    public void onArrival(final int priority, final long nowNs)
    {
        pauseAboveMark(priority, nowNs);
    }

    /** Handles a frame of a lossless priority that was removed from the backlog. */
    public void onDeparture(final int priority, final long nowNs)
    {
        if (backlog.heldBytes(priority) <= settings.marks().xonBytes() && endsPauses() &&
            sent.isPaused(priority, nowNs))
        {
            sent.send(1 << priority, 0, nowNs);
        }
    }

    /**
     * Returns whether a pause could not be sent and is still due, until {@link #onTime} has sent it or it is no longer
     * needed. Such a pause precedes all other frames of the port.
     */
    public final boolean owesPause()
    {
        return sent.isRefused();
    }

    /**
     * Renews pauses that are half over and still needed, and resends what could not be sent. Called in every duty
     * cycle; costs one comparison if nothing is due.
     */
    public final void onTime(final long nowNs)
    {
        if (sent.isDue(nowNs))
        {
            sent.onTime(nowNs, this);
        }
    }

    /** Returns the time of the first pause of a queue above the mark, in quanta. */
    abstract int firstQuanta(int priority, long nowNs);

    /** Returns the time that a queue above the mark needs to drain to its target, in quanta. */
    abstract int quantaToDrain(int priority, long nowNs);

    /** Handles a pause that was sent. */
    abstract void onPaused(int priority, long nowNs);

    /** Returns the priorities that one frame pauses together with a priority, bit n for priority n. */
    int together(final int priority)
    {
        return 1 << priority;
    }

    boolean endsPauses()
    {
        return settings.upkeep() == PauseUpkeep.ROUTER;
    }

    final void pauseAboveMark(final int priority, final long nowNs)
    {
        if (isAboveMark(priority) && !sent.isPaused(priority, nowNs))
        {
            send(priority, firstQuanta(priority, nowNs), nowNs);
        }
    }

    final boolean isAboveMark(final int priority)
    {
        return backlog.heldBytes(priority) > settings.marks().xoffBytes();
    }

    /** Renews the pause of a queue above the mark; returns false if the running one lasts long enough. */
    final boolean renew(final int priority, final long nowNs)
    {
        final int quanta = Math.max(settings.leastRenewal(), quantaToDrain(priority, nowNs));
        final boolean isDue = !sent.lasts(priority, quanta, nowNs);
        if (isDue)
        {
            send(priority, quanta, nowNs);
        }
        return isDue;
    }

    private void send(final int priority, final int quanta, final long nowNs)
    {
        if (sent.send(together(priority), quanta, nowNs))
        {
            onPaused(priority, nowNs);
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
}
