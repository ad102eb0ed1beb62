package org.fibnuma.core.flow;

import org.fibnuma.core.memory.MemoryRegion;

/**
 * Zeroed memory of a {@link FlowTable}, with the layout {@link FlowTableLayout}. It is closed after its last use by any
 * thread and port.
 */
public interface FlowMemory extends AutoCloseable
{
    /** Returns the native address of the buckets, {@link FlowTable#bucketCount} of them. */
    long buckets();

    /** Returns the native address of the lines, {@link FlowTable#lineCount} of them. */
    long lines();

    @Override
    void close();

    /** Returns memory that only this process uses, for ports whose frames all reach the workers. */
    static FlowMemory ofProcess(final int capacity)
    {
        final int bucketsLength = FlowTable.bucketCount(capacity) * FlowTableLayout.LINE_LENGTH;
        final MemoryRegion region =
            MemoryRegion.ofBytes(bucketsLength + FlowTable.lineCount(capacity) * FlowTableLayout.LINE_LENGTH);
        return new FlowMemory()
        {
            @Override
            public long buckets()
            {
                return region.address();
            }

            @Override
            public long lines()
            {
                return region.address() + bucketsLength;
            }

            @Override
            public void close()
            {
                region.close();
            }
        };
    }
}
