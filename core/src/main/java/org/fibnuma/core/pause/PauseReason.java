package org.fibnuma.core.pause;

/** What kept a thread from its duty cycle for the largest part of a pause. */
public enum PauseReason
{
    /** A safepoint: the thread stood because the JVM had stopped all threads. */
    JVM("jvm"),
    /** The thread was ready to run, and the kernel gave its core to others. */
    MACHINE("machine: waited for a core"),
    /** The thread ran: a long duty cycle, such as one with a slow system call. */
    OWN("own cycle: the thread ran"),
    /**
     * The thread neither ran nor waited for a core nor stood at a safepoint: it was blocked in a system call or by a
     * page fault, or the hypervisor had its core.
     */
    BLOCKED("unknown: neither ran nor waited for a core (system call, page fault or hypervisor)"),
    /** The JVM or the kernel does not tell what is needed to know. */
    UNKNOWN("unknown: the JVM or the kernel does not tell");

    private final String label;

    PauseReason(final String label)
    {
        this.label = label;
    }

    /**
     * The reason in words.
     *
     * @return a few, for people.
     */
    public String label()
    {
        return label;
    }
}
