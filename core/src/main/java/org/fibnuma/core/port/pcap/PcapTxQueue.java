package org.fibnuma.core.port.pcap;

import org.fibnuma.core.frame.FramePool;
import org.fibnuma.core.port.TxQueue;

/** Copies frames into a capture file and releases their chunks. Without a file frames are discarded. */
final class PcapTxQueue implements TxQueue
{
    private final PcapWriter writer;
    private final FramePool pool;

    /** Takes ownership of the writer, which is null if the port writes no file. */
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

    /** Returns how many frames were not written; any thread. */
    long lost()
    {
        return writer == null ? 0 : writer.lost();
    }

    /** Returns why nothing more is written, or null; any thread. */
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
