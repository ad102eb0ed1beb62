package org.fibnuma.core.pause;

/**
 * One pause of a thread, and what took how much of it.
 *
 * @param lengthNs for which the thread did not come round its duty cycle.
 * @param jvmNs    for which it stood at safepoints; 0 where that is not known.
 * @param reason   of the largest part.
 * @param detail   of the safepoint that took most of {@code jvmNs}: the JVM's operation and, where that was a
 *                 collection, collector and cause; empty where there was none.
 */
public record Pause(long lengthNs, long jvmNs, PauseReason reason, String detail)
{
    /** Before the first. */
    static final Pause NONE = new Pause(0, 0, PauseReason.UNKNOWN, "");

    /**
     * What is known of a gap, weighed. While a thread waits for a core it keeps the JVM from reaching a safepoint, or
     * has been let go already; that wait is the machine's. While all threads stand, the time is the JVM's.
     *
     * @param lengthNs        of the gap.
     * @param stoppedNs       of it in which all threads stood at safepoints.
     * @param partlyStoppedNs of it in which the JVM stopped threads or let them go.
     * @param waitNs          in which the thread waited for a core.
     * @param blockedNs       in which it neither ran nor waited.
     * @param known           false where one of them is not told and 0 stands for it.
     * @param detail          of the longest safepoint.
     * @return the pause.
     */
    static Pause of(
        final long lengthNs,
        final long stoppedNs,
        final long partlyStoppedNs,
        final long waitNs,
        final long blockedNs,
        final boolean known,
        final String detail)
    {
        final long jvmNs = Math.min(lengthNs, stoppedNs + Math.max(0, partlyStoppedNs - waitNs));
        final long machineNs = Math.min(waitNs, lengthNs - jvmNs);
        final long restNs = lengthNs - jvmNs - machineNs;
        final PauseReason reason;
        if (jvmNs >= machineNs && jvmNs >= restNs)
        {
            reason = PauseReason.JVM;
        }
        else if (machineNs >= restNs)
        {
            reason = PauseReason.MACHINE;
        }
        else if (!known)
        {
            reason = PauseReason.UNKNOWN;
        }
        else
        {
            reason = 2 * blockedNs >= restNs ? PauseReason.BLOCKED : PauseReason.OWN;
        }
        return new Pause(lengthNs, jvmNs, reason, jvmNs == 0 ? "" : detail);
    }

    /**
     * The reason for people.
     *
     * @return such as {@code jvm: ZMarkStart, ZGC Pauses: Proactive}.
     */
    public String text()
    {
        return reason == PauseReason.JVM ? reason.label() + ": " + detail : reason.label();
    }
}
