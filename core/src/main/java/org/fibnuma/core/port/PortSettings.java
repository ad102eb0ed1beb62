package org.fibnuma.core.port;

/**
 * Ring sizes and polling of a port.
 *
 * @param rxRingSize       descriptors, a power of two.
 * @param txRingSize       descriptors, a power of two.
 * @param busyPollMicros   how long the driver is polled in the caller's context, in us; 0 for interrupts.
 * @param busyPollBudget   frames for each busy poll.
 * @param allowZeroCopy    whether zero-copy is tried before copy mode.
 * @param redirectTransmit whether bursts may leave by an XDP redirect where that is cheaper than the socket and loses
 *                         nothing that the socket would not: on virtual Ethernet pairs.
 * @param takeMacControl   whether what lossless priorities live on is received too, where the port could leave it to
 *                         others: PAUSE and PFC frames, and IPv4 with a tag that says a priority and no VLAN.
 * @param onlyAddress      the IPv4 address of whoever opens the port; 0 for a router, which has none of its own.
 */
public record PortSettings(
    int rxRingSize,
    int txRingSize,
    int busyPollMicros,
    int busyPollBudget,
    boolean allowZeroCopy,
    boolean redirectTransmit,
    boolean takeMacControl,
    int onlyAddress)
{
    /**
     * 2,048 descriptors each way hold 1.4 ms of 64-byte frames at a gigabit; no busy polling, since it gains nothing
     * on virtual devices; zero-copy where the driver has it.
     */
    public static final PortSettings DEFAULT = new PortSettings(2048, 2048, 0, 64, true);

    /**
     * With the redirect allowed and without MAC control frames.
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
     * For a router, which has no address of its own.
     *
     * @param rxRingSize       descriptors, a power of two.
     * @param txRingSize       descriptors, a power of two.
     * @param busyPollMicros   0 for interrupts.
     * @param busyPollBudget   frames for each busy poll.
     * @param allowZeroCopy    whether zero-copy is tried before copy mode.
     * @param redirectTransmit whether bursts may leave by an XDP redirect.
     * @param takeMacControl   whether PAUSE and PFC frames are received too.
     */
    public PortSettings(
        final int rxRingSize,
        final int txRingSize,
        final int busyPollMicros,
        final int busyPollBudget,
        final boolean allowZeroCopy,
        final boolean redirectTransmit,
        final boolean takeMacControl)
    {
        this(rxRingSize, txRingSize, busyPollMicros, busyPollBudget, allowZeroCopy, redirectTransmit,
            takeMacControl, 0);
    }

    /**
     * The same for lossless priorities.
     *
     * @return settings with which PAUSE and PFC frames are received too.
     */
    public PortSettings withMacControl()
    {
        return new PortSettings(
            rxRingSize, txRingSize, busyPollMicros, busyPollBudget, allowZeroCopy, redirectTransmit, true,
            onlyAddress);
    }

    /**
     * The same for one address.
     *
     * @param address that belongs to whoever opens the port, and not to the kernel.
     * @return settings that leave everything else to the kernel.
     */
    public PortSettings onlyFor(final int address)
    {
        return new PortSettings(
            rxRingSize, txRingSize, busyPollMicros, busyPollBudget, allowZeroCopy, redirectTransmit, takeMacControl,
            address);
    }
}
