package org.fibnuma.pfc.priority;

import org.fibnuma.pfc.wire.MacControl;

/** The bytes of each priority that arrived at one ingress port and are still held. For one thread at a time. */
public final class PriorityBacklog
{
    private final long[] heldBytes = new long[MacControl.PRIORITIES];
    private final long[] highWaterBytes = new long[MacControl.PRIORITIES];
    private final long[] arrivedBytes = new long[MacControl.PRIORITIES];

    /**
     * Adds frames.
     *
     * @param priority 0 to 7.
     * @param bytes    of the frames.
     */
    public void onArrival(final int priority, final long bytes)
    {
        final long held = heldBytes[priority] + bytes;
        heldBytes[priority] = held;
        arrivedBytes[priority] += bytes;
        if (held > highWaterBytes[priority])
        {
            highWaterBytes[priority] = held;
        }
    }

    /**
     * Removes frames that were sent or dropped.
     *
     * @param priority 0 to 7, as on arrival.
     * @param bytes    as on arrival.
     */
    public void onDeparture(final int priority, final long bytes)
    {
        heldBytes[priority] -= bytes;
    }

    /**
     * Returns the bytes held now.
     *
     * @param priority 0 to 7.
     * @return 0 or more.
     */
    public long heldBytes(final int priority)
    {
        return heldBytes[priority];
    }

    /**
     * Returns the bytes that have arrived since the start.
     *
     * @param priority 0 to 7.
     * @return never falls.
     */
    public long arrivedBytes(final int priority)
    {
        return arrivedBytes[priority];
    }

    /**
     * Returns the bytes that have left since the start.
     *
     * @param priority 0 to 7.
     * @return never falls.
     */
    public long departedBytes(final int priority)
    {
        return arrivedBytes[priority] - heldBytes[priority];
    }

    /**
     * Returns the highest number of bytes ever held.
     *
     * @param priority 0 to 7.
     * @return 0 or more.
     */
    public long highWaterBytes(final int priority)
    {
        return highWaterBytes[priority];
    }
}
