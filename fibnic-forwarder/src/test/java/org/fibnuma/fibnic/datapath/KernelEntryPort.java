package org.fibnuma.fibnic.datapath;

import org.fibnuma.core.frame.FramePool;
import org.fibnuma.core.memory.FrameMemory;
import org.fibnuma.core.port.DelegatingPort;
import org.fibnuma.core.port.KernelEntry;
import org.fibnuma.core.port.KernelQueue;
import org.fibnuma.core.port.Port;

import java.util.ArrayList;
import java.util.List;

/** A port in memory whose frames enter a kernel that keeps them; one worker. */
final class KernelEntryPort extends DelegatingPort implements KernelEntry
{
    /** Frames that have entered, in order. */
    final List<byte[]> entered = new ArrayList<>();
    /** Length of the longest frame that the queue takes. */
    int longest = Integer.MAX_VALUE;
    boolean full;
    private final List<byte[]> queued = new ArrayList<>();
    private final FramePool pool;

    KernelEntryPort(final Port port, final FramePool pool)
    {
        super(port);
        this.pool = pool;
    }

    @Override
    public KernelQueue kernelQueue(final int queue)
    {
        return new KernelQueue()
        {
            @Override
            public boolean takes(final int length)
            {
                return length <= longest;
            }

            @Override
            public boolean offer(final long handle, final long address, final int length)
            {
                if (full)
                {
                    return false;
                }
                final byte[] frame = new byte[length];
                FrameMemory.getBytes(address, frame);
                queued.add(frame);
                pool.release(handle);
                return true;
            }

            @Override
            public void flush()
            {
                entered.addAll(queued);
                queued.clear();
            }
        };
    }
}
