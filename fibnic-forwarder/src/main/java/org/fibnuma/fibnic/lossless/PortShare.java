package org.fibnuma.fibnic.lossless;

import org.fibnuma.core.frame.FramePool;
import org.fibnuma.core.port.TxQueue;
import org.fibnuma.fibnic.adjacency.InterfaceTable;
import org.fibnuma.fibnic.fate.FateCounters;
import org.fibnuma.pfc.ecn.EcnMarker;
import org.fibnuma.pfc.wire.MacControl;
import org.fibnuma.pfc.wire.PauseFrameFlyweight;
import org.fibnuma.pfc.wire.PfcFrameFlyweight;

/**
 * The part of a {@link LosslessPort} that one worker uses, with its queue of the port. Used by the thread of that
 * worker. Priorities are 0 to 7, lengths of frames in bytes without FCS, times monotonic in nanoseconds.
 */
public final class PortShare
{
    private static final int WIRE_OVERHEAD = 24;

    private static final int ALL = (1 << MacControl.PRIORITIES) - 1;

    private final LosslessPort port;
    private final WorkerTallies tallies;
    private final int worker;
    private final PauseFrames pauses;
    private final EcnMarker marker;
    private final PauseFrameFlyweight pause = new PauseFrameFlyweight();
    private final PfcFrameFlyweight pfc = new PfcFrameFlyweight();

    /**
     * Creates the share of one worker.
     *
     * @param worker     number of the worker, from 0.
     * @param txQueue    transmit queue of the port that the worker owns.
     * @param interfaces table with the MAC address of the port.
     */
    public PortShare(
        final LosslessPort port,
        final int worker,
        final TxQueue txQueue,
        final FramePool pool,
        final InterfaceTable interfaces,
        final FateCounters fates)
    {
        this.port = port;
        this.tallies = port.tallies();
        this.worker = worker;
        this.pauses = new PauseFrames(port.index(), txQueue, pool, interfaces, fates);
        this.marker = port.newMarker(worker);
    }

    /**
     * Returns the bytes of a frame on the wire, with preamble, start delimiter, FCS and interframe gap. They are the
     * unit of all thresholds: xoff, xon, headroom and ECN.
     */
    public static int wireBytes(final int length)
    {
        return length + WIRE_OVERHEAD;
    }

    /** Returns whether a priority is lossless. */
    public boolean isLossless(final int priority)
    {
        return port.isLossless(priority);
    }

    /**
     * Ingress: returns whether a lossless frame may be queued. If the headroom is used up, returns false and counts the
     * frame. Workers that call this at the same time may together exceed the headroom by a frame each.
     */
    public boolean admits(final int priority, final int length)
    {
        if (port.heldBytes(priority) + wireBytes(length) <= port.limitBytes())
        {
            return true;
        }
        tallies.add(worker, WorkerTallies.BEYOND_HEADROOM, priority, 1);
        return false;
    }

    /** Ingress: counts a lossless frame that was queued, and may pause the sender. */
    public void onQueued(final int priority, final int length, final long nowNs)
    {
        tallies.add(worker, WorkerTallies.ARRIVED, priority, wireBytes(length));
        updatePolicy(priority, nowNs);
    }

    /** Ingress: counts a lossless frame that has left its queue, and may resume the sender. */
    public void onLeft(final int priority, final int length, final long nowNs)
    {
        tallies.add(worker, WorkerTallies.DEPARTED, priority, wireBytes(length));
        updatePolicy(priority, nowNs);
    }

    /** Passes the change to the policy. If another worker has the lock, {@link #onTime} passes it later. */
    private void updatePolicy(final int priority, final long nowNs)
    {
        if (port.tryEnter(pauses))
        {
            port.updatePolicy(priority, nowNs);
            port.leave();
        }
    }

    /**
     * Egress: processes a complete MAC control frame of the peer at a native address. PAUSE names all priorities, PFC
     * those that it enables; all other opcodes are ignored. Lossless priorities are paused. Pauses of other priorities
     * are counted and not obeyed, because otherwise a neighbour could stop traffic that no watchdog guards.
     */
    public void onMacControl(final long frame, final long nowNs)
    {
        final int opcode = pfc.wrap(frame).opcode();
        final int named = opcode == MacControl.OPCODE_PFC ? pfc.classEnable() :
            opcode == MacControl.OPCODE_PAUSE ? ALL : 0;
        final int ofAll = pause.wrap(frame).quanta();
        port.enter(pauses);
        for (int rest = named; rest != 0; rest &= rest - 1)
        {
            final int priority = Integer.numberOfTrailingZeros(rest);
            port.onPause(priority, opcode == MacControl.OPCODE_PFC ? pfc.quanta(priority) : ofAll, nowNs);
        }
        port.leave();
    }

    /** Egress: returns the priorities that the peer has paused, bit n for priority n. */
    public int stopped(final long nowNs)
    {
        return port.stopped(nowNs);
    }

    /** Egress: returns whether frames of a priority are to be dropped because of a storm. */
    public boolean isInStorm(final int priority)
    {
        return (port.dropping() & 1 << priority) != 0;
    }

    /** Egress: counts a frame that was dropped because of a storm. */
    public void onDroppedInStorm(final int priority)
    {
        tallies.add(worker, WorkerTallies.IN_STORM, priority, 1);
    }

    /**
     * Egress: returns whether a pause waits for room in the transmit queue. {@link #onTime} of some worker sends it
     * before all other frames.
     */
    public boolean owesPause()
    {
        return port.owesPause();
    }

    /** Egress: counts a frame that was passed to the transmit queue. */
    public void onSent(final int priority)
    {
        tallies.add(worker, WorkerTallies.SENT, priority, 1);
    }

    /** Egress: counts {@link #wireBytes} of a frame that was queued, negative for a frame that has left its queue. */
    public void onWaiting(final int priority, final int bytes)
    {
        tallies.add(worker, WorkerTallies.WAITING, priority, bytes);
    }

    /**
     * Egress: marks a packet that was queued, by the native address of its IP header, as congestion experienced. The
     * probability depends on the bytes that wait at all workers, including the packet. If the ECN threshold is below
     * xoff, a queue of one ingress port is therefore marked before its sender is paused, whatever the length of its
     * frames.
     */
    public void mark(final int priority, final long packet)
    {
        if (marker != null && marker.mark(packet, tallies.sum(WorkerTallies.WAITING, priority)))
        {
            tallies.add(worker, WorkerTallies.MARKED, priority, 1);
        }
    }

    /**
     * Renews pauses and checks for storms, unless another worker has the lock. Returns the priorities whose waiting
     * frames are to be dropped, bit n for priority n.
     */
    public int onTime(final long nowNs)
    {
        if (port.tryEnter(pauses))
        {
            port.onTime(nowNs);
            port.leave();
        }
        return port.dropping();
    }
}
