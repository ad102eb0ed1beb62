package org.fibnuma.binding.tun;

import org.fibnuma.binding.libc.LibC;
import org.fibnuma.core.frame.FramePool;
import org.fibnuma.core.port.TxQueue;

import java.util.concurrent.atomic.AtomicLong;

/**
 * Writes frames to the kernel at once, with or without their Ethernet header, and returns their chunks to the pool. A
 * frame that the kernel refuses, because it is invalid or the queue is full, is counted and lost.
 */
final class TunTxQueue implements TxQueue
{
    private final LibC libC = LibC.get();
    private final AtomicLong refused = new AtomicLong();
    private final int fd;
    private final int skipped;
    private final FramePool pool;

    /** Makes a queue that does not pass the first {@code skipped} bytes of a frame to the kernel. */
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

    /** Returns the number of frames that the kernel refused; any thread. */
    long refused()
    {
        return refused.get();
    }
}
