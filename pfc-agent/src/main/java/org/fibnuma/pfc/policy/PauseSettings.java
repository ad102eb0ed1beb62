package org.fibnuma.pfc.policy;

import org.fibnuma.pfc.wire.MacControl;

/**
 * What a policy of one ingress port is made of.
 *
 * @param losslessPriorities bit n where priority n is lossless; the others are never paused.
 * @param marks              of each priority's backlog.
 * @param bitsPerSecond      of the link, which says how long a quantum is.
 * @param refreshMarginNs    how long before its end a pause that is still needed is sent anew: as long as the peer
 *                           takes to stop. 0: only when a frame arrives after the end.
 * @param law                of C-DPTC.
 */
public record PauseSettings(
    int losslessPriorities, PauseMarks marks, long bitsPerSecond, long refreshMarginNs, PauseTimeLaw law)
{
    /** Checks the ranges. */
    public PauseSettings
    {
        if (losslessPriorities < 0 || losslessPriorities >= 1 << MacControl.PRIORITIES)
        {
            throw new IllegalArgumentException("priorities are 0 to 7");
        }
        if (bitsPerSecond <= 0 || refreshMarginNs < 0)
        {
            throw new IllegalArgumentException("speed and refresh margin cannot be " + bitsPerSecond + " bits/s and " +
                refreshMarginNs + " ns");
        }
    }

    boolean isLossless(final int priority)
    {
        return (losslessPriorities & 1 << priority) != 0;
    }
}
