package org.fibnuma.core.port.pcap;

import org.fibnuma.core.frame.FramePool;
import org.fibnuma.core.port.TxQueue;

/** Copies frames into a capture file; their chunks are free at once. Without a file frames leave for nowhere. */
final class PcapTxQueue implements TxQueue
{
    private final PcapWriter writer;
    private final FramePool pool;

    /** Takes the writer over; null for a port that sends to nowhere. */
    PcapTxQueue(final PcapWriter writer, final FramePool pool)
    {
        this.writer = writer;
        this.pool = pool;
    }

    @Override
    public boolean offer(final long handle, final long address, final int length)
    {
        if (writer != null)
        {
            writer.write(address, length);
        }
        pool.release(handle);
        return true;
    }

    @Override
    public void flush()
    {
        if (writer != null)
        {
            writer.flush();
        }
    }

    /** How many frames the file did not take; any thread. */
    long lost()
    {
        return writer == null ? 0 : writer.lost();
    }

    /** Why the file takes nothing more, or null; any thread. */
    String problem()
    {
        return writer == null ? null : writer.problem();
    }

    void close()
    {
        if (writer != null)
        {
            writer.close();
        }
    }
}
