package org.fibnuma.pfc.priority;

import org.fibnuma.pfc.wire.MacControl;

/**
 * The bytes of each priority, 0 to 7, that arrived at one ingress port and are still held. For one thread at a time.
 */
public final class PriorityBacklog
{
    private final long[] heldBytes = new long[MacControl.PRIORITIES];
    private final long[] highWaterBytes = new long[MacControl.PRIORITIES];
    private final long[] arrivedBytes = new long[MacControl.PRIORITIES];

    /** Adds frames of some bytes to a priority. */
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

    /** Removes frames that were sent or dropped, with priority and bytes as on arrival. */
    public void onDeparture(final int priority, final long bytes)
    {
        heldBytes[priority] -= bytes;
    }

    /** {@return the bytes of a priority that are held now} */
    public long heldBytes(final int priority)
    {
        return heldBytes[priority];
    }

    /** {@return the bytes of a priority that have arrived since the start} */
    public long arrivedBytes(final int priority)
    {
        return arrivedBytes[priority];
    }

    /** {@return the bytes of a priority that have left since the start} */
    public long departedBytes(final int priority)
    {
        return arrivedBytes[priority] - heldBytes[priority];
    }

    /** {@return the highest number of bytes of a priority that were ever held} */
    public long highWaterBytes(final int priority)
    {
        return highWaterBytes[priority];
    }
}
