package org.fibnuma.core.ring;

import org.agrona.BitUtil;

/**
 * Where things are in the memory of a {@link DescriptorRing}: producer and consumer positions on cache line pairs of
 * their own, so that the adjacent-line prefetcher does not share them, then the descriptors.
 */
final class DescriptorRingLayout
{
    static final int TAIL_OFFSET = 0;
    static final int HEAD_OFFSET = TAIL_OFFSET + 2 * BitUtil.CACHE_LINE_LENGTH;
    static final int RECORDS_OFFSET = HEAD_OFFSET + 2 * BitUtil.CACHE_LINE_LENGTH;

    static final int HANDLE_OFFSET = 0;
    static final int FRAME_OFFSET = HANDLE_OFFSET + Long.BYTES;
    static final int LENGTH_OFFSET = FRAME_OFFSET + Integer.BYTES;
    static final int RECORD_SHIFT = 4;

    private DescriptorRingLayout()
    {
    }
}
