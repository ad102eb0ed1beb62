package org.fibnuma.bench.fuzz;

import org.fibnuma.core.frame.FrameBatch;
import org.fibnuma.core.frame.FramePool;
import org.fibnuma.core.memory.FrameMemory;
import org.fibnuma.core.memory.MemoryRegion;
import org.fibnuma.core.port.Port;
import org.fibnuma.core.port.PortCounter;
import org.fibnuma.core.port.RxQueue;
import org.fibnuma.core.port.TxQueue;

/** A port that receives one frame at a time from the attacker, and checks and discards the answers. */
final class FuzzPort implements Port, RxQueue, TxQueue, AutoCloseable
{
    private static final int CHUNK = 2048;
    private static final int CHUNKS = 512;
    private static final int MTU = 1500;

    /** Receives the frames that the endpoint sends. */
    interface Watcher
    {
        /** Called for each frame that the endpoint sends. */
        void onFrame(long frame, int length);
    }

    private final MemoryRegion memory = MemoryRegion.ofChunks(CHUNKS, CHUNK);
    private final FramePool pool = new FramePool(memory, CHUNK, 0, CHUNKS);
    private final Watcher watcher;
    private long handle;
    private int length;

    FuzzPort(final Watcher watcher)
    {
        this.watcher = watcher;
    }

    FramePool pool()
    {
        return pool;
    }

    /** Copies a frame; the next poll receives the copy. */
    void inject(final long frame, final int frameLength)
    {
        handle = pool.allocate();
        length = frameLength;
        FrameMemory.copy(frame, handle + FramePool.HEADROOM, frameLength);
    }

    /** Returns whether all chunks have been released. */
    boolean isWhole()
    {
        return pool.available() == pool.capacity();
    }

    @Override
    public int receive(final FrameBatch batch)
    {
        if (handle == FramePool.NONE)
        {
            return 0;
        }
        Mutator.frame(handle + FramePool.HEADROOM, length);
        batch.add(handle, handle + FramePool.HEADROOM, length, 0);
        handle = FramePool.NONE;
        return 1;
    }

    @Override
    public boolean offer(final long sent, final long address, final int frameLength)
    {
        watcher.onFrame(address, frameLength);
        pool.release(sent);
        return true;
    }

    @Override
    public void flush()
    {
        // No frame is queued.
    }

    @Override
    public String name()
    {
        return "fuzz";
    }

    @Override
    public String device()
    {
        return "fuzz:";
    }

    @Override
    public String mode()
    {
        return "memory";
    }

    @Override
    public int interfaceIndex()
    {
        return 0;
    }

    @Override
    public long macAddress()
    {
        return 0;
    }

    @Override
    public int mtu()
    {
        return MTU;
    }

    @Override
    public int queueCount()
    {
        return 1;
    }

    @Override
    public RxQueue rxQueue(final int queue)
    {
        return this;
    }

    @Override
    public TxQueue txQueue(final int queue)
    {
        return this;
    }

    @Override
    public void start()
    {
        // Nothing to start.
    }

    @Override
    public long deviceCounter(final PortCounter counter)
    {
        return 0;
    }

    @Override
    public void close()
    {
        memory.close();
    }
}
