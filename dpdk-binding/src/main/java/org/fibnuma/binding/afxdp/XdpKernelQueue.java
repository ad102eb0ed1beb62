package org.fibnuma.binding.afxdp;

import org.fibnuma.core.frame.FramePool;
import org.fibnuma.core.port.KernelQueue;

/**
 * Copies frames of a worker to a {@link LiveBurst}, whose program passes them to the kernel. The chunk returns to the
 * pool at once. Frames that the kernel refuses are lost and counted.
 */
final class XdpKernelQueue implements KernelQueue
{
    private final FramePool pool;
    /** Set by the control thread before phase {@code READY}; null if the kernel does not run the program. */
    private LiveBurst burst;
    private boolean running;
    /** Written by the worker. */
    private volatile long lost;

    /** Creates a queue that accepts no frame yet. */
    XdpKernelQueue(final FramePool pool)
    {
        this.pool = pool;
    }

    /** Sets the next burst, closed by the caller; or null. */
    void open(final LiveBurst next)
    {
        burst = next;
    }

    /** Starts to accept frames if there is a burst. */
    void start()
    {
        running = burst != null;
    }

    /** Sends queued frames and stops accepting frames. */
    void stop()
    {
        flush();
        running = false;
    }

    /** Stops using the burst, which was closed. */
    void end()
    {
        running = false;
    }

    /** Returns the number of frames that the kernel refused; any thread. */
    long lost()
    {
        return lost;
    }

    @Override
    public boolean takes(final int length)
    {
        return running && LiveBurst.admits(length);
    }

    @Override
    public boolean offer(final long handle, final long address, final int length)
    {
        if (!takes(length))
        {
            return false;
        }
        if (!burst.hasRoomFor(length))
        {
            flush();
        }
        burst.add(address, length);
        pool.release(handle);
        return true;
    }

    @Override
    public void flush()
    {
        if (running && burst.count() > 0)
        {
            final int count = burst.count();
            final int handled = burst.handle();
            if (handled < count)
            {
                lost += count - handled;
            }
        }
    }
}
