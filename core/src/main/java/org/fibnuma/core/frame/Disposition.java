package org.fibnuma.core.frame;

/** What happens next to a frame of a {@link FrameBatch}. Stored in the low byte of the column of fates. */
public final class Disposition
{
    /** Is forwarded to an egress port; the initial disposition of every frame. */
    public static final int FORWARD = 0;

    /** Is sent to the kernel because it is addressed to this host. */
    public static final int PUNT = 1;

    /** Waits until the MAC address of its next hop is resolved. */
    public static final int HOLD = 2;

    /** Was processed by this host and is not forwarded. */
    public static final int CONSUMED = 3;

    /** Is discarded for a reason that is counted. */
    public static final int DROP = 4;

    /** Is forwarded to an egress port, but exceeds its MTU and must be fragmented. */
    public static final int FRAGMENT = 5;

    /** Was sent, held, consumed or released by a stage; later stages ignore it. */
    public static final int SETTLED = 6;

    private Disposition()
    {
    }
}
