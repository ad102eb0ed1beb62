package org.fibnuma.pfc.policy;

import org.fibnuma.pfc.wire.MacControl;

/**
 * The settings of the policy of one ingress port.
 *
 * @param losslessPriorities bit n is set if priority n is lossless; other priorities are never paused.
 * @param marks              of the backlog of each priority.
 * @param bitsPerSecond      speed of the link, for the duration of a quantum.
 * @param isRenewing         whether a pause that is still needed is renewed when half of it is over, so that a duty
 *                           cycle that is late by less than the other half leaves no gap. If not, the next pause is
 *                           sent when a frame arrives after the end.
 * @param law                of C-DPTC.
 */
public record PauseSettings(
    int losslessPriorities, PauseMarks marks, long bitsPerSecond, boolean isRenewing, PauseTimeLaw law)
{
    /** Checks the ranges. */
    public PauseSettings
    {
        if (losslessPriorities < 0 || losslessPriorities >= 1 << MacControl.PRIORITIES)
        {
            throw new IllegalArgumentException("lossless priorities are not in 0 to 7");
        }
        if (bitsPerSecond <= 0)
        {
            throw new IllegalArgumentException("speed of " + bitsPerSecond + " bits/s is out of range");
        }
    }

    boolean isLossless(final int priority)
    {
        return (losslessPriorities & 1 << priority) != 0;
    }
}
