package org.fibnuma.fibnic.lossless;

import org.fibnuma.core.frame.FramePool;
import org.fibnuma.core.port.TxQueue;
import org.fibnuma.fibnic.adjacency.InterfaceTable;
import org.fibnuma.fibnic.fate.FateCounters;
import org.fibnuma.fibnic.fate.ForwarderCounter;
import org.fibnuma.pfc.policy.PauseOutput;
import org.fibnuma.pfc.wire.MacControl;
import org.fibnuma.pfc.wire.PfcFrameFlyweight;

/**
 * Writes the PFC frames that a policy decides on and offers them to the transmit queue, ahead of every FIFO. They are
 * sent with the next flush. If no chunk is free or the queue is full, nothing is sent and the policy tries again.
 */
final class PauseFrames implements PauseOutput
{
    private final int port;
    private final TxQueue txQueue;
    private final FramePool pool;
    private final InterfaceTable interfaces;
    private final FateCounters fates;
    private final PfcFrameFlyweight frame = new PfcFrameFlyweight();

    PauseFrames(
        final int port,
        final TxQueue txQueue,
        final FramePool pool,
        final InterfaceTable interfaces,
        final FateCounters fates)
    {
        this.port = port;
        this.txQueue = txQueue;
        this.pool = pool;
        this.interfaces = interfaces;
        this.fates = fates;
    }

    @Override
    public boolean send(final int classEnable, final int[] quanta, final long nowNs)
    {
        final long chunk = pool.allocate();
        if (chunk == FramePool.NONE)
        {
            return false;
        }
        final long address = chunk + FramePool.HEADROOM;
        frame.wrap(address).compose(interfaces.get(port).mac());
        for (int rest = classEnable; rest != 0; rest &= rest - 1)
        {
            final int priority = Integer.numberOfTrailingZeros(rest);
            frame.pause(priority, quanta[priority]);
        }
        if (!txQueue.offer(chunk, address, MacControl.FRAME_LENGTH))
        {
            pool.release(chunk);
            return false;
        }
        fates.add(ForwarderCounter.ORIGINATED, 1);
        fates.sent(port, 1, MacControl.FRAME_LENGTH);
        return true;
    }
}
