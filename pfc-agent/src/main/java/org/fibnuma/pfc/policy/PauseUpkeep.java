package org.fibnuma.pfc.policy;

/** What happens to a pause after it was sent. */
public enum PauseUpkeep
{
    /**
     * As in the paper that {@link PauseTimeLaw} cites: a pause runs out. Only POOC ends it, at the low mark. The next
     * pause is sent when a frame arrives above the high mark after the end.
     */
    PAPER,
    /**
     * As in the router: a pause that is half over is renewed while its queue is above the high mark. So a duty cycle
     * that is late by less than the other half leaves no gap. With every policy, a queue at or below the low mark ends
     * the pause.
     */
    ROUTER
}
