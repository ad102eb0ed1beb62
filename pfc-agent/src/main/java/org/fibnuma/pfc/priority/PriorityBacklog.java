package org.fibnuma.pfc.priority;

import org.fibnuma.pfc.wire.MacControl;

/**
 * What one ingress port has brought in and not yet got rid of, for each priority. For one thread at a
 * time.
 */
public final class PriorityBacklog
{
    private final long[] heldBytes = new long[MacControl.PRIORITIES];
    private final long[] highWaterBytes = new long[MacControl.PRIORITIES];
    private final long[] arrivedBytes = new long[MacControl.PRIORITIES];

    /**
     * Frames came in and are held.
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
     * Frames that were held have left or were dropped.
     *
     * @param priority 0 to 7, the one that they came in with.
     * @param bytes    as they came in.
     */
    public void onDeparture(final int priority, final long bytes)
    {
        heldBytes[priority] -= bytes;
    }

    /**
     * What is held.
     *
     * @param priority 0 to 7.
     * @return bytes.
     */
    public long heldBytes(final int priority)
    {
        return heldBytes[priority];
    }

    /**
     * What has come in since the beginning: never falls.
     *
     * @param priority 0 to 7.
     * @return bytes.
     */
    public long arrivedBytes(final int priority)
    {
        return arrivedBytes[priority];
    }

    /**
     * What has left since the beginning: never falls.
     *
     * @param priority 0 to 7.
     * @return bytes.
     */
    public long departedBytes(final int priority)
    {
        return arrivedBytes[priority] - heldBytes[priority];
    }

    /**
     * The most that was ever held.
     *
     * @param priority 0 to 7.
     * @return bytes.
     */
    public long highWaterBytes(final int priority)
    {
        return highWaterBytes[priority];
    }
}
