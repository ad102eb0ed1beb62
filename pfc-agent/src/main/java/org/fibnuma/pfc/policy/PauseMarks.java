package org.fibnuma.pfc.policy;

/**
 * The two queue lengths that every policy uses.
 *
 * @param xoffBytes length above which the sender is paused: the high mark of POOC, the threshold of C-DPTC.
 * @param xonBytes  length to which the queue is to drain: the low mark of POOC, the target of C-DPTC; below xoffBytes.
 */
public record PauseMarks(long xoffBytes, long xonBytes)
{
    /** Checks the order. */
    public PauseMarks
    {
        if (xonBytes < 0 || xonBytes >= xoffBytes)
        {
            throw new IllegalArgumentException(
                "xon of " + xonBytes + " bytes is not below xoff of " + xoffBytes + "; swap or lower it");
        }
    }
}
