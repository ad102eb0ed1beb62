package org.fibnuma.binding.afxdp;

/**
 * Memory shared by a {@link LiveBurst} and the kernel's program: a state, then frames as consecutive records. The burst
 * writes it before a run; the program advances {@link #CURSOR_OFFSET} and {@link #DONE_OFFSET}.
 */
final class BurstLayout
{
    /** Offset of the next record from {@link #RECORDS_OFFSET}. */
    static final int CURSOR_OFFSET = 0;
    /** Number of records that the program has processed. */
    static final int DONE_OFFSET = CURSOR_OFFSET + Integer.BYTES;
    /** Number of records. */
    static final int COUNT_OFFSET = DONE_OFFSET + Integer.BYTES;

    /** In another cache line than the state. */
    static final int RECORDS_OFFSET = 64;
    /** Room for 170 frames of 1,514 bytes. */
    static final int RECORDS_SIZE = 256 * 1024;
    static final int SIZE = RECORDS_OFFSET + RECORDS_SIZE;

    static final int LENGTH_OFFSET = 0;
    static final int FRAME_OFFSET = LENGTH_OFFSET + Long.BYTES;
    /** Records start on cache lines. */
    static final int ALIGNMENT = 64;
    static final int MAX_RECORD_SIZE = 2048;
    static final int MIN_FRAME_LENGTH = 14;
    static final int MAX_FRAME_LENGTH = MAX_RECORD_SIZE - FRAME_OFFSET;

    /** Length in bytes of a blank frame of queue 0; the number of the queue is added to it. */
    static final int INITIAL_LENGTH = 64;

    private BurstLayout()
    {
    }

    static int recordSize(final int frameLength)
    {
        return FRAME_OFFSET + frameLength + ALIGNMENT - 1 & -ALIGNMENT;
    }
}
