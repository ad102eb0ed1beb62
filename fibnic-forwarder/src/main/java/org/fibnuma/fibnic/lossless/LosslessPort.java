package org.fibnuma.fibnic.lossless;

import org.fibnuma.core.frame.FramePool;
import org.fibnuma.core.port.TxQueue;
import org.fibnuma.fibnic.adjacency.InterfaceTable;
import org.fibnuma.fibnic.fate.FateCounters;
import org.fibnuma.pfc.config.PfcConfig;
import org.fibnuma.pfc.config.PfcLink;
import org.fibnuma.pfc.ecn.EcnMarker;
import org.fibnuma.pfc.ecn.EcnProfile;
import org.fibnuma.pfc.policy.PausePolicy;
import org.fibnuma.pfc.policy.PauseSettings;
import org.fibnuma.pfc.priority.PausedTime;
import org.fibnuma.pfc.priority.PfcCounter;
import org.fibnuma.pfc.priority.PfcCounters;
import org.fibnuma.pfc.priority.PriorityBacklog;
import org.fibnuma.pfc.quanta.PauseQuanta;
import org.fibnuma.pfc.watchdog.PauseWatchdog;
import org.fibnuma.pfc.watchdog.StormAction;
import org.fibnuma.pfc.watchdog.StormChange;
import org.fibnuma.pfc.wire.MacControl;
import org.fibnuma.pfc.wire.PauseFrameFlyweight;
import org.fibnuma.pfc.wire.PfcFrameFlyweight;

/**
 * One port of a router with lossless priorities. As ingress: what it has brought in and is held, and the pauses that
 * this makes us send. As egress: which priorities the peer has stopped, marking, and the watchdog. Belongs to the
 * worker.
 */
public final class LosslessPort
{
    /** Preamble, start delimiter, FCS and gap: what a frame is on the wire beside its bytes. */
    private static final int WIRE_OVERHEAD = 24;
    private static final int ALL = (1 << MacControl.PRIORITIES) - 1;
    /** The peer stops within its response time; a renewed pause is on its way this much before the old one ends. */
    private static final int REFRESH_MARGIN_QUANTA = 2048;

    private final int lossless;
    private final long limitBytes;
    private final long xoffBytes;
    private final PriorityBacklog backlog = new PriorityBacklog();
    private final PfcCounters counters = new PfcCounters();
    private final PausedTime stoppedByPeer;
    private final PausedTime stoppedByUs;
    private final PausePolicy policy;
    private final EcnMarker marker;
    private final PauseWatchdog[] watchdogs = new PauseWatchdog[MacControl.PRIORITIES];
    private final StormAction action;
    private final long[] sentFrames = new long[MacControl.PRIORITIES];
    private final PauseFrameFlyweight pause = new PauseFrameFlyweight();
    private final PfcFrameFlyweight pfc = new PfcFrameFlyweight();
    private int dropping;
    private int disobeying;

    /**
     * A port.
     *
     * @param config     of the router; at least one priority is lossless, and nothing in it is wrong.
     * @param link       of this port.
     * @param port       its index.
     * @param txQueue    of the worker.
     * @param pool       of the worker.
     * @param interfaces for the port's own address.
     * @param fates      of the worker.
     */
    public LosslessPort(
        final PfcConfig config,
        final PfcLink link,
        final int port,
        final TxQueue txQueue,
        final FramePool pool,
        final InterfaceTable interfaces,
        final FateCounters fates)
    {
        lossless = config.losslessPriorities();
        xoffBytes = link.xoffBytes();
        limitBytes = xoffBytes + link.headroomBytes();
        stoppedByPeer = new PausedTime(link.bitsPerSecond());
        stoppedByUs = new PausedTime(link.bitsPerSecond());
        final long marginNs =
            PauseQuanta.toNanos(REFRESH_MARGIN_QUANTA, link.bitsPerSecond());
        policy = config.policy().create(
            new PauseSettings(lossless, link.marks(), link.bitsPerSecond(), marginNs, config.law()),
            backlog,
            new PauseFrames(port, txQueue, pool, interfaces, fates, counters, stoppedByUs));
        marker = config.ecn() == null ? null : new EcnMarker(
            new EcnProfile(config.ecn().minBytes(), config.ecn().maxBytes(), config.ecn().maxProbability()), port);
        action = config.watchdog() == null ? StormAction.ALERT : config.watchdog().action();
        for (int priority = 0; config.watchdog() != null && priority < MacControl.PRIORITIES; priority++)
        {
            watchdogs[priority] = isLossless(priority) ? new PauseWatchdog(config.watchdog()) : null;
        }
    }

    /**
     * Frames that a priority of a port can have waiting at most, all of them as short as Ethernet's.
     *
     * @param link of the port.
     * @return the number.
     */
    public static int mostFrames(final PfcLink link)
    {
        return (int)Math.min(
            1 << 20, (link.xoffBytes() + link.headroomBytes()) / (MacControl.FRAME_LENGTH + WIRE_OVERHEAD) + 1);
    }

    /**
     * Whether a priority is lossless.
     *
     * @param priority 0 to 7.
     * @return as configured.
     */
    public boolean isLossless(final int priority)
    {
        return (lossless & 1 << priority) != 0;
    }

    /**
     * Ingress: whether a lossless frame that has to wait still finds room; counted where it does not.
     *
     * @param priority lossless.
     * @param length   of the frame.
     * @return false where the headroom is used up.
     */
    public boolean admits(final int priority, final int length)
    {
        if (backlog.heldBytes(priority) + length + WIRE_OVERHEAD <= limitBytes)
        {
            return true;
        }
        counters.add(priority, PfcCounter.DROPPED_BEYOND_HEADROOM, 1);
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
        backlog.onArrival(priority, length + WIRE_OVERHEAD);
        policy.onArrival(priority, nowNs);
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
        backlog.onDeparture(priority, length + WIRE_OVERHEAD);
        policy.onDeparture(priority, nowNs);
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
        if (opcode == MacControl.OPCODE_PFC)
        {
            for (int rest = pfc.classEnable(); rest != 0; rest &= rest - 1)
            {
                final int priority = Integer.numberOfTrailingZeros(rest);
                onPause(priority, pfc.quanta(priority), nowNs);
            }
        }
        else if (opcode == MacControl.OPCODE_PAUSE)
        {
            final int quanta = pause.wrap(frame).quanta();
            for (int rest = ALL; rest != 0; rest &= rest - 1)
            {
                onPause(Integer.numberOfTrailingZeros(rest), quanta, nowNs);
            }
        }
    }

    private void onPause(final int priority, final int quanta, final long nowNs)
    {
        counters.add(priority, quanta == 0 ? PfcCounter.XON_RX : PfcCounter.XOFF_RX, 1);
        stoppedByPeer.onPause(priority, quanta, nowNs);
    }

    /**
     * Egress: which priorities may not be sent.
     *
     * @param nowNs monotonic time.
     * @return bit n for priority n.
     */
    public int stopped(final long nowNs)
    {
        return stoppedByPeer.stopped(nowNs) & ~disobeying;
    }

    /**
     * Egress: whether a storm has the frames of a priority dropped; counts one where it has.
     *
     * @param priority 0 to 7.
     * @return true where the frame is to be dropped.
     */
    public boolean dropsInStorm(final int priority)
    {
        if ((dropping & 1 << priority) == 0)
        {
            return false;
        }
        counters.add(priority, PfcCounter.DROPPED_IN_STORM, 1);
        return true;
    }

    /**
     * Egress: whether a pause for the peer found no room in the port, and goes before all other frames.
     *
     * @return true until {@link #onTime} has sent it.
     */
    public boolean owesPause()
    {
        return policy.owesPause();
    }

    /**
     * Egress: a frame was given to the port.
     *
     * @param priority of the frame.
     */
    public void onSent(final int priority)
    {
        sentFrames[priority]++;
    }

    /**
     * Egress: marks a packet that joins a lossless queue, or does not.
     *
     * @param priority   of the frame.
     * @param packet     address of its IP header.
     * @param queueBytes that wait already.
     */
    public void mark(final int priority, final long packet, final long queueBytes)
    {
        if (marker != null && marker.mark(packet, queueBytes))
        {
            counters.add(priority, PfcCounter.ECN_MARKED, 1);
        }
    }

    /**
     * Renews pauses and looks for storms.
     *
     * @param nowNs   monotonic time.
     * @param waiting bit n where frames of priority n wait to leave by this port.
     * @return bit n where the waiting frames of priority n are to be dropped.
     */
    public int onTime(final long nowNs, final int waiting)
    {
        policy.onTime(nowNs);
        for (int rest = lossless; rest != 0; rest &= rest - 1)
        {
            final int priority = Integer.numberOfTrailingZeros(rest);
            if (watchdogs[priority] != null && watchdogs[priority].isDue(nowNs))
            {
                look(priority, nowNs, (waiting & 1 << priority) != 0);
            }
        }
        return dropping & waiting;
    }

    private void look(final int priority, final long nowNs, final boolean isWaiting)
    {
        final StormChange change = watchdogs[priority].look(
            nowNs,
            isWaiting,
            sentFrames[priority],
            stoppedByPeer.totalNs(priority, nowNs),
            counters.get(priority, PfcCounter.XOFF_RX));
        final int bit = 1 << priority;
        if (change == StormChange.DETECTED)
        {
            counters.add(priority, PfcCounter.STORMS_DETECTED, 1);
            dropping |= action == StormAction.DROP ? bit : 0;
            disobeying |= action == StormAction.FORWARD ? bit : 0;
        }
        else if (change == StormChange.RESTORED)
        {
            counters.add(priority, PfcCounter.STORMS_RESTORED, 1);
            dropping &= ~bit;
            disobeying &= ~bit;
        }
    }

    /**
     * The counters, with those that are measured brought up to date.
     *
     * @param nowNs monotonic time.
     * @return of all priorities.
     */
    PfcCounters counters(final long nowNs)
    {
        for (int rest = lossless; rest != 0; rest &= rest - 1)
        {
            final int priority = Integer.numberOfTrailingZeros(rest);
            counters.set(priority, PfcCounter.PAUSED_TX_NS, stoppedByUs.totalNs(priority, nowNs));
            counters.set(priority, PfcCounter.PAUSED_RX_NS, stoppedByPeer.totalNs(priority, nowNs));
            counters.set(priority, PfcCounter.TRANSITIONS_TX, stoppedByUs.transitions(priority));
            counters.set(priority, PfcCounter.TRANSITIONS_RX, stoppedByPeer.transitions(priority));
            counters.set(priority, PfcCounter.HEADROOM_HIGH_WATER,
                Math.max(0, backlog.highWaterBytes(priority) - xoffBytes));
        }
        return counters;
    }
}
