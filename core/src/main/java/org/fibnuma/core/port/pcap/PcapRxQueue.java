package org.fibnuma.core.port.pcap;

import org.fibnuma.core.frame.FrameBatch;
import org.fibnuma.core.frame.FramePool;
import org.fibnuma.core.port.RxQueue;

/**
 * Receives the frames of a capture file as fast as the worker polls. A frame that is not Ethernet or does not fit into
 * a chunk is skipped and counted as dropped. A damaged end of the file counts once.
 */
final class PcapRxQueue implements RxQueue
{
    private final PcapReader reader;
    private final FramePool pool;
    private final int portIndex;
    private final int maxLength;
    private volatile boolean started;
    private volatile boolean exhausted;
    private volatile long dropped;
    private volatile String problem;

    /** Takes ownership of the reader, which is null if the port receives nothing. */
    PcapRxQueue(final PcapReader reader, final FramePool pool, final int portIndex)
    {
        this.reader = reader;
        this.pool = pool;
        this.portIndex = portIndex;
        this.maxLength = pool.chunkSize() - FramePool.HEADROOM;
        this.exhausted = reader == null;
    }

    void start()
    {
        started = true;
    }

    @Override
    public int receive(final FrameBatch batch)
    {
        if (exhausted || !started)
        {
            return 0;
        }
        final int limit = Math.min(batch.room(), pool.available());
        int count = 0;
        while (count < limit && nextUsable())
        {
            final long chunk = pool.allocate();
            final long address = chunk + FramePool.HEADROOM;
            reader.copyTo(address);
            batch.add(chunk, address, reader.capturedLength(), portIndex);
            count++;
        }
        return count;
    }

    private boolean nextUsable()
    {
        while (reader.next())
        {
            if (reader.linkType() == PcapReader.LINK_TYPE_ETHERNET && reader.capturedLength() <= maxLength)
            {
                return true;
            }
            countDropped();
        }
        if (reader.problem() != null)
        {
            problem = reader.problem();
            countDropped();
        }
        exhausted = true;
        return false;
    }

    // Written by the worker thread only, so that the increment need not be atomic.
    private void countDropped()
    {
        dropped = dropped + 1;
    }

    /** Returns whether the last frame has been received; any thread. */
    boolean exhausted()
    {
        return exhausted;
    }

    /** Returns how many frames were skipped; any thread. */
    long dropped()
    {
        return dropped;
    }

    /** Returns why the file ended early, or null; any thread. */
    String problem()
    {
        return problem;
    }

    void close()
    {
        exhausted = true;
        if (reader != null)
        {
            reader.close();
        }
    }
}
