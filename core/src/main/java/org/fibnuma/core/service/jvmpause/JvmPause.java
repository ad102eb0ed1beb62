package org.fibnuma.core.service.jvmpause;

/**
 * One JVM pause of a thread and its reason.
 *
 * @param lengthNs time in ns without a complete duty cycle.
 * @param jvmNs    part of it at safepoints, in ns; 0 if unknown.
 * @param reason   of the largest part.
 * @param detail   of the safepoint that took most of {@code jvmNs}: the JVM's operation and, for a garbage collection,
 *                 collector and cause. Empty if there was none.
 */
public record JvmPause(long lengthNs, long jvmNs, Reason reason, String detail)
{
    /** The longest pause of a thread without pauses. */
    static final JvmPause NONE = new JvmPause(0, 0, Reason.UNKNOWN, "");

    /** Reason for the largest part of a JVM pause. */
    public enum Reason
    {
        /** A safepoint: the JVM had stopped all threads. */
        JVM("jvm"),
        /** The thread was runnable, and another one had its core. */
        MACHINE("machine: waited for a core"),
        /** The thread ran a long duty cycle. */
        OWN("own cycle: the thread ran"),
        /**
         * The thread was blocked in a system call or by a page fault, or the hypervisor ran something else on its core.
         */
        BLOCKED("unknown: neither ran nor waited for a core (system call, page fault or hypervisor)"),
        /** The JVM or the kernel does not provide the times. */
        UNKNOWN("unknown: the JVM or the kernel does not provide the times");

        private final String label;

        Reason(final String label)
        {
            this.label = label;
        }

        /** Returns a short description for the user. */
        public String label()
        {
            return label;
        }
    }

    /**
     * Determines the reason of a gap; times are in ns. Time in which all threads are stopped is attributed to the JVM.
     * Time in which the thread waits for a core is attributed to the machine: the thread then delays the start of a
     * safepoint or was already released.
     *
     * @param lengthNs        of the gap.
     * @param stoppedNs       part in which all threads were stopped at safepoints.
     * @param partlyStoppedNs part in which the JVM was stopping or releasing threads.
     * @param waitNs          part in which the thread waited for a core.
     * @param blockedNs       part in which it neither ran nor waited.
     * @param known           false if one of these times is unknown and passed as 0.
     * @param detail          of the longest safepoint.
     */
    static JvmPause of(
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
        final Reason reason;
        if (jvmNs >= machineNs && jvmNs >= restNs)
        {
            reason = Reason.JVM;
        }
        else if (machineNs >= restNs)
        {
            reason = Reason.MACHINE;
        }
        else if (!known)
        {
            reason = Reason.UNKNOWN;
        }
        else
        {
            reason = 2 * blockedNs >= restNs ? Reason.BLOCKED : Reason.OWN;
        }
        return new JvmPause(lengthNs, jvmNs, reason, jvmNs == 0 ? "" : detail);
    }

    /** Returns the reason for the user, such as {@code jvm: ZMarkStart, ZGC Pauses: Proactive}. */
    public String text()
    {
        return reason == Reason.JVM ? reason.label() + ": " + detail : reason.label();
    }
}
