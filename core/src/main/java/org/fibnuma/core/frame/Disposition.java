package org.fibnuma.core.frame;

/** What is to become of a frame in a {@link FrameBatch}: the low byte of its fate word. */
public final class Disposition
{
    /** On its way to an egress port: where every frame starts. */
    public static final int FORWARD = 0;

    /** Meant for this host: goes to the kernel. */
    public static final int PUNT = 1;

    /** Waits for its next hop's link-layer address. */
    public static final int HOLD = 2;

    /** Read and answered or obeyed here; it goes no further. */
    public static final int CONSUMED = 3;

    /** Discarded for a reason that is counted. */
    public static final int DROP = 4;

    /** On its way to an egress port, but longer than that link carries: to be cut into fragments. */
    public static final int FRAGMENT = 5;

    /** Gone: some stage has passed its memory on and recorded its fate. */
    public static final int SETTLED = 6;

    private Disposition()
    {
    }
}
