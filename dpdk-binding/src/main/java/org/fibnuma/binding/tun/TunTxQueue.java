package org.fibnuma.binding.tun;

import org.fibnuma.binding.libc.LibC;
import org.fibnuma.core.frame.FramePool;
import org.fibnuma.core.port.TxQueue;
import org.fibnuma.core.wire.EthernetHeaderFlyweight;

import java.util.concurrent.atomic.AtomicLong;

/**
 * Takes frames whose payload is an IP packet, gives the packet to the kernel at once and the chunk back to the pool.
 * A packet that the kernel refuses, because it is none or its queue is full, is counted and gone.
 */
final class TunTxQueue implements TxQueue
{
    private final LibC libC = LibC.get();
    private final AtomicLong refused = new AtomicLong();
    private final int fd;
    private final FramePool pool;

    TunTxQueue(final int fd, final FramePool pool)
    {
        this.fd = fd;
        this.pool = pool;
    }

    @Override
    public boolean offer(final long handle, final long address, final int length)
    {
        final int packetLength = length - EthernetHeaderFlyweight.LENGTH;
        if (packetLength <= 0 ||
            libC.write(fd, address + EthernetHeaderFlyweight.LENGTH, packetLength) != packetLength)
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

    /** Packets that the kernel did not take; any thread may ask. */
    long refused()
    {
        return refused.get();
    }
}
