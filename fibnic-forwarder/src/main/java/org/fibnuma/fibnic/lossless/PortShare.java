package org.fibnuma.fibnic.lossless;

import org.fibnuma.core.frame.FramePool;
import org.fibnuma.core.port.TxQueue;
import org.fibnuma.fibnic.adjacency.InterfaceTable;
import org.fibnuma.fibnic.fate.FateCounters;
import org.fibnuma.pfc.ecn.EcnMarker;
import org.fibnuma.pfc.wire.MacControl;
import org.fibnuma.pfc.wire.PauseFrameFlyweight;
import org.fibnuma.pfc.wire.PfcFrameFlyweight;

/** One worker's part of a {@link LosslessPort}, its queue of the port. Belongs to the worker. */
public final class PortShare
{
    /** Preamble, start delimiter, FCS and gap: what a frame is on the wire beside its bytes. */
    static final int WIRE_OVERHEAD = 24;

    private static final int ALL = (1 << MacControl.PRIORITIES) - 1;

    private final LosslessPort port;
    private final WorkerTallies tallies;
    private final int worker;
    private final PauseFrames pauses;
    private final EcnMarker marker;
    private final PauseFrameFlyweight pause = new PauseFrameFlyweight();
    private final PfcFrameFlyweight pfc = new PfcFrameFlyweight();

    /**
     * A worker's part.
     *
     * @param port       of the router.
     * @param worker     its number.
     * @param txQueue    of the port, the worker's.
     * @param pool       of the worker.
     * @param interfaces for the port's own address.
     * @param fates      of the worker.
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
     * Whether a priority is lossless.
     *
     * @param priority 0 to 7.
     * @return as configured.
     */
    public boolean isLossless(final int priority)
    {
        return port.isLossless(priority);
    }

    /**
     * Ingress: whether a lossless frame that has to wait still finds room; counted where it does not. Workers that ask
     * at the same time may each find the last of it.
     *
     * @param priority lossless.
     * @param length   of the frame.
     * @return false where the headroom is used up.
     */
    public boolean admits(final int priority, final int length)
    {
        if (port.heldBytes(priority) + length + WIRE_OVERHEAD <= port.limitBytes())
        {
            return true;
        }
        tallies.add(worker, WorkerTallies.BEYOND_HEADROOM, priority, 1);
        return false;
    }

    /**
     * Ingress: a lossless frame begins to wait; may stop the sender.
     *
     * @param priority lossless.
     * @param length   of the frame.
     * @param nowNs    monotonic time.
     */
    public void onQueued(final int priority, final int length, final long nowNs)
    {
        tallies.add(worker, WorkerTallies.ARRIVED, priority, length + WIRE_OVERHEAD);
        judge(priority, nowNs);
    }

    /**
     * Ingress: a lossless frame no longer waits; may let the sender go on.
     *
     * @param priority lossless.
     * @param length   as it was when it was queued.
     * @param nowNs    monotonic time.
     */
    public void onLeft(final int priority, final int length, final long nowNs)
    {
        tallies.add(worker, WorkerTallies.DEPARTED, priority, length + WIRE_OVERHEAD);
        judge(priority, nowNs);
    }

    /** Where another worker is at it, {@link #onTime} sees what it may not have seen. */
    private void judge(final int priority, final long nowNs)
    {
        if (port.tryEnter(pauses))
        {
            port.judge(priority, nowNs);
            port.leave();
        }
    }

    /**
     * Egress: a MAC control frame of the peer arrived. PAUSE speaks of all priorities, PFC of those that it names;
     * anything else of none.
     *
     * @param frame address of a whole MAC control frame.
     * @param nowNs monotonic time.
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

    /**
     * Egress: which priorities may not be sent.
     *
     * @param nowNs monotonic time.
     * @return bit n for priority n.
     */
    public int stopped(final long nowNs)
    {
        return port.stopped(nowNs);
    }

    /**
     * Egress: whether a storm has the frames of a priority dropped; counts one where it has.
     *
     * @param priority 0 to 7.
     * @return true where the frame is to be dropped.
     */
    public boolean dropsInStorm(final int priority)
    {
        if ((port.dropping() & 1 << priority) == 0)
        {
            return false;
        }
        tallies.add(worker, WorkerTallies.IN_STORM, priority, 1);
        return true;
    }

    /**
     * Egress: whether a pause for the peer found no room in the port, and goes before all other frames.
     *
     * @return true until {@link #onTime} of some worker has sent it.
     */
    public boolean owesPause()
    {
        return port.owesPause();
    }

    /**
     * Egress: a frame was given to the port.
     *
     * @param priority of the frame.
     */
    public void onSent(final int priority)
    {
        tallies.add(worker, WorkerTallies.SENT, priority, 1);
    }

    /**
     * Egress: what waits has changed.
     *
     * @param priority of the frame.
     * @param bytes    of a frame that begins to wait, negative of one that no longer does.
     */
    public void onWaiting(final int priority, final int bytes)
    {
        tallies.add(worker, WorkerTallies.WAITING, priority, bytes);
    }

    /**
     * Egress: marks a packet that joins a lossless queue, or does not, by what waits at all workers.
     *
     * @param priority of the frame.
     * @param packet   address of its IP header.
     */
    public void mark(final int priority, final long packet)
    {
        if (marker != null && marker.mark(packet, tallies.sum(WorkerTallies.WAITING, priority)))
        {
            tallies.add(worker, WorkerTallies.MARKED, priority, 1);
        }
    }

    /**
     * Renews pauses and looks for storms.
     *
     * @param nowNs monotonic time.
     * @return bit n where waiting frames of priority n are to be dropped.
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
