package org.fibnuma.pfc.policy;

import org.fibnuma.pfc.quanta.PauseQuanta;
import org.fibnuma.pfc.wire.MacControl;

/**
 * The settings of the policy of one ingress port.
 *
 * @param losslessPriorities bit n is set if priority n is lossless; other priorities are never paused.
 * @param marks              of the backlog of each priority.
 * @param headroomBytes      above the high mark, for what arrives after a pause is sent.
 * @param bitsPerSecond      speed of the link, for the duration of a quantum.
 * @param upkeep             what happens to a pause after it was sent.
 * @param law                of C-DPTC.
 */
public record PauseSettings(
    int losslessPriorities, PauseMarks marks, long headroomBytes, long bitsPerSecond, PauseUpkeep upkeep,
    PauseTimeLaw law)
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

    /**
     * Returns the least time of a renewal in quanta: twice the time in which the link fills the headroom. A duty cycle
     * that is late by that fill time loses nothing and still runs before the pause is over.
     */
    int leastRenewal()
    {
        return (int)Math.min(PauseQuanta.MAX, 2 * headroomBytes / PauseQuanta.BYTES);
    }
}
