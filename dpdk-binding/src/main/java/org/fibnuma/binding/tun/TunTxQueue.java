package org.fibnuma.binding.tun;

import org.fibnuma.binding.libc.LibC;
import org.fibnuma.core.frame.FramePool;
import org.fibnuma.core.port.TxQueue;

import java.util.concurrent.atomic.AtomicLong;

/**
 * Takes frames, gives them to the kernel at once, with or without their Ethernet header, and the chunk back to the
 * pool. One that the kernel refuses, because it is none or its queue is full, is counted and gone.
 */
final class TunTxQueue implements TxQueue
{
    private final LibC libC = LibC.get();
    private final AtomicLong refused = new AtomicLong();
    private final int fd;
    private final int skipped;
    private final FramePool pool;

    /** With the number of bytes at the start of a frame that the kernel does not get. */
    TunTxQueue(final int fd, final int skipped, final FramePool pool)
    {
        this.fd = fd;
        this.skipped = skipped;
        this.pool = pool;
    }

    @Override
    public boolean offer(final long handle, final long address, final int length)
    {
        final int rest = length - skipped;
        if (rest <= 0 || libC.write(fd, address + skipped, rest) != rest)
        {
            refused.lazySet(refused.get() + 1);
        }
        pool.release(handle);
        return true;
    }

    @Override
    public void flush()
    {
    }

    /** Frames that the kernel did not take; any thread may call this. */
    long refused()
    {
        return refused.get();
    }
}
