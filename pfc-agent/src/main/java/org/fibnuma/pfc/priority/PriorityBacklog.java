package org.fibnuma.pfc.priority;

import org.fibnuma.pfc.wire.MacControl;

/**
 * What one ingress port has brought in and not yet got rid of, for each priority. Owned by the thread that receives
 * from the port.
 */
public final class PriorityBacklog
{
    private final long[] heldBytes = new long[MacControl.PRIORITIES];
    private final long[] heldFrames = new long[MacControl.PRIORITIES];
    private final long[] highWaterBytes = new long[MacControl.PRIORITIES];
    private final long[] arrivedBytes = new long[MacControl.PRIORITIES];

    /**
     * A frame came in and is held.
     *
     * @param priority 0 to 7.
     * @param bytes    of the frame.
     */
    public void onArrival(final int priority, final int bytes)
    {
        final long held = heldBytes[priority] + bytes;
        heldBytes[priority] = held;
        heldFrames[priority]++;
        arrivedBytes[priority] += bytes;
        if (held > highWaterBytes[priority])
        {
            highWaterBytes[priority] = held;
        }
    }

    /**
     * A frame that was held has left or was dropped.
     *
     * @param priority 0 to 7, the one that it came in with.
     * @param bytes    as it came in.
     */
    public void onDeparture(final int priority, final int bytes)
    {
        heldBytes[priority] -= bytes;
        heldFrames[priority]--;
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
     * What is held.
     *
     * @param priority 0 to 7.
     * @return frames.
     */
    public long heldFrames(final int priority)
    {
        return heldFrames[priority];
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
