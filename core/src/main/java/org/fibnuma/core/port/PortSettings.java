package org.fibnuma.core.port;

/**
 * Ring sizes and polling of a port.
 *
 * @param rxRingSize       descriptors, a power of two.
 * @param txRingSize       descriptors, a power of two.
 * @param busyPollMicros   time in us for which the driver is polled in the caller's context; 0 for interrupts.
 * @param busyPollBudget   frames for each busy poll.
 * @param allowZeroCopy    whether zero-copy is tried before copy mode.
 * @param redirectTransmit whether bursts may leave by an XDP redirect. It is used on virtual Ethernet pairs only, where
 *                         it costs less than the socket and loses no frames that the socket would send.
 * @param setsQueueCount   whether an AF_XDP port sets the number of the interface's queues to that of the workers, and
 *                         restores it at the end; otherwise another number is refused.
 */
public record PortSettings(
    int rxRingSize,
    int txRingSize,
    int busyPollMicros,
    int busyPollBudget,
    boolean allowZeroCopy,
    boolean redirectTransmit,
    boolean setsQueueCount)
{
    /**
     * 2,048 descriptors each way hold 1.4 ms of 64-byte frames at a gigabit; no busy polling, since it gains nothing
     * on virtual devices; zero-copy where the driver has it.
     */
    public static final PortSettings DEFAULT = new PortSettings(2048, 2048, 0, 64, true);

    /**
     * Creates settings with the XDP redirect allowed.
     *
     * @param rxRingSize     descriptors, a power of two.
     * @param txRingSize     descriptors, a power of two.
     * @param busyPollMicros 0 for interrupts.
     * @param busyPollBudget frames for each busy poll.
     * @param allowZeroCopy  whether zero-copy is tried before copy mode.
     */
    public PortSettings(
        final int rxRingSize,
        final int txRingSize,
        final int busyPollMicros,
        final int busyPollBudget,
        final boolean allowZeroCopy)
    {
        this(rxRingSize, txRingSize, busyPollMicros, busyPollBudget, allowZeroCopy, true, false);
    }

    /**
     * Returns settings with which a port sets the number of the interface's queues, or not.
     *
     * @param sets replaces {@link #setsQueueCount}.
     * @return the settings.
     */
    public PortSettings withSetsQueueCount(final boolean sets)
    {
        return new PortSettings(
            rxRingSize, txRingSize, busyPollMicros, busyPollBudget, allowZeroCopy, redirectTransmit, sets);
    }
}
