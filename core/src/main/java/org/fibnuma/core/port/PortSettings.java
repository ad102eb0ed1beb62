package org.fibnuma.core.port;

/**
 * Ring sizes and polling of a port.
 *
 * @param rxRingSize       descriptors, a power of two.
 * @param txRingSize       descriptors, a power of two.
 * @param busyPollMicros   time in us for which a system call polls the driver; 0 for interrupts.
 * @param busyPollBudget   frames for each busy poll.
 * @param allowZeroCopy    whether zero-copy is tried before copy mode.
 * @param redirectTransmit whether bursts may be sent by an XDP redirect. It is used on virtual Ethernet pairs only,
 *                         where it costs less than the socket and loses no more frames.
 * @param setsQueueCount   whether an AF_XDP port sets the number of the interface's queues to that of the workers and
 *                         restores it at the end. If not, another number is refused.
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
     * Default settings. 2,048 descriptors in each direction hold 1.4 ms of 64-byte frames at 1 Gbit/s. No busy polling,
     * which gains nothing on virtual devices. Zero-copy where the driver has it.
     */
    public static final PortSettings DEFAULT = new PortSettings(2048, 2048, 0, 64, true);

    /** Makes settings with XDP redirect allowed and the number of queues left as it is. */
    public PortSettings(
        final int rxRingSize,
        final int txRingSize,
        final int busyPollMicros,
        final int busyPollBudget,
        final boolean allowZeroCopy)
    {
        this(rxRingSize, txRingSize, busyPollMicros, busyPollBudget, allowZeroCopy, true, false);
    }

    /** Returns these settings with another {@link #setsQueueCount}. */
    public PortSettings withSetsQueueCount(final boolean sets)
    {
        return new PortSettings(
            rxRingSize, txRingSize, busyPollMicros, busyPollBudget, allowZeroCopy, redirectTransmit, sets);
    }
}
