package org.fibnuma.binding.tun;

import org.fibnuma.binding.libc.LibC;
import org.fibnuma.core.frame.FrameBatch;
import org.fibnuma.core.frame.FramePool;
import org.fibnuma.core.port.RxQueue;

import java.util.concurrent.atomic.AtomicLong;

/** Receives the frames that the kernel sends through a TAP interface, by one read(2) for each. */
final class TapRxQueue implements RxQueue
{
    /** Most frames at once, of about 1 us each, so that frames of other ports do not wait long. */
    private static final int MAX_READS = 16;

    private final LibC libC = LibC.get();
    private final AtomicLong tooLong = new AtomicLong();
    private final int fd;
    private final int portIndex;
    private final FramePool pool;
    private final int room;
    private volatile boolean started;

    TapRxQueue(final int fd, final int portIndex, final FramePool pool)
    {
        this.fd = fd;
        this.portIndex = portIndex;
        this.pool = pool;
        this.room = pool.chunkSize() - FramePool.HEADROOM;
    }

    void start()
    {
        started = true;
    }

    @Override
    public int receive(final FrameBatch batch)
    {
        final int limit = started ? Math.min(MAX_READS, batch.room()) : 0;
        int count = 0;
        boolean more = true;
        while (more && count < limit)
        {
            final long chunk = pool.allocate();
            if (chunk == FramePool.NONE)
            {
                break;
            }
            final long frame = chunk + FramePool.HEADROOM;
            final int length = (int)libC.read(fd, frame, room);
            more = length > 0;
            // A frame that fills all the room may have been truncated.
            if (more && length < room)
            {
                batch.add(chunk, frame, length, portIndex);
                count++;
            }
            else
            {
                pool.release(chunk);
                if (more)
                {
                    tooLong.lazySet(tooLong.get() + 1);
                }
            }
        }
        return count;
    }

    /** Returns the number of frames that did not fit in a chunk; any thread. */
    long tooLong()
    {
        return tooLong.get();
    }
}
