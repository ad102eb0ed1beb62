package org.fibnuma.binding.afxdp;

/**
 * What a transmit queue and the kernel's program share: a state, then frames one behind the other, as records. The
 * queue writes all of it before a run; the program moves {@link #CURSOR_OFFSET} and {@link #DONE_OFFSET} on.
 */
final class RedirectLayout
{
    /** Where the next record begins, counted from {@link #RECORDS_OFFSET}. */
    static final int CURSOR_OFFSET = 0;
    /** Records that the program has taken. */
    static final int DONE_OFFSET = CURSOR_OFFSET + Integer.BYTES;
    /** Records that there are. */
    static final int COUNT_OFFSET = DONE_OFFSET + Integer.BYTES;

    /** A cache line away from the state. */
    static final int RECORDS_OFFSET = 64;
    /** Room for 170 frames of 1,514 bytes. */
    static final int RECORDS_SIZE = 256 * 1024;
    static final int SIZE = RECORDS_OFFSET + RECORDS_SIZE;

    static final int LENGTH_OFFSET = 0;
    static final int FRAME_OFFSET = LENGTH_OFFSET + Long.BYTES;
    /** Records begin on cache lines. */
    static final int ALIGNMENT = 64;
    static final int MAX_RECORD_SIZE = 2048;
    static final int MIN_FRAME_LENGTH = 14;
    static final int MAX_FRAME_LENGTH = MAX_RECORD_SIZE - FRAME_OFFSET;

    /** A frame that the kernel makes starts with this length, plus the number of the queue that it is for. */
    static final int INITIAL_LENGTH = 64;

    private RedirectLayout()
    {
    }

    static int recordSize(final int frameLength)
    {
        return FRAME_OFFSET + frameLength + ALIGNMENT - 1 & -ALIGNMENT;
    }
}
