package org.fibnuma.fibnic.lossless;

import org.fibnuma.pfc.config.PfcConfig;
import org.fibnuma.pfc.config.PfcLink;
import org.fibnuma.pfc.ecn.EcnMarker;
import org.fibnuma.pfc.ecn.EcnProfile;
import org.fibnuma.pfc.policy.PauseOutput;
import org.fibnuma.pfc.policy.PausePolicy;
import org.fibnuma.pfc.policy.PauseSettings;
import org.fibnuma.pfc.policy.PauseUpkeep;
import org.fibnuma.pfc.priority.PausedTime;
import org.fibnuma.pfc.priority.PfcCounter;
import org.fibnuma.pfc.priority.PfcCounters;
import org.fibnuma.pfc.priority.PriorityBacklog;
import org.fibnuma.pfc.watchdog.PauseWatchdog;
import org.fibnuma.pfc.watchdog.StormAction;
import org.fibnuma.pfc.wire.MacControl;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * One port of a router with lossless priorities, shared by all workers. As ingress it counts the waiting frames that it
 * has received, and sends PFC pauses for them. As egress it records which priorities the peer has paused, and runs the
 * watchdog.
 * <p>
 * Each worker uses a {@link PortShare}. Workers count and read without a lock for every frame. The policy, the pauses
 * of the peer and the watchdog are protected by a lock, {@link #tryEnter} and {@link #leave}. A worker that does not
 * get the lock continues and tries again in its next duty cycle. It waits for the lock only for a pause of the peer,
 * which must not be lost.
 */
public final class LosslessPort
{
    private final PfcConfig config;
    private final int index;
    private final int lossless;
    private final long limitBytes;
    private final long xoffBytes;
    private final WorkerTallies tallies;
    private final AtomicBoolean entered = new AtomicBoolean();
    private final PriorityBacklog backlog = new PriorityBacklog();
    private final PfcCounters counters = new PfcCounters();
    private final PausedTime stoppedByPeer;
    private final PausedTime stoppedByUs;
    private final PausePolicy policy;
    private final PauseWatchdog[] watchdogs = new PauseWatchdog[MacControl.PRIORITIES];
    private final StormAction action;
    private final AtomicLongArray stopEndNs = new AtomicLongArray(MacControl.PRIORITIES);
    private PauseOutput output;
    private volatile boolean owesPause;
    private volatile int stopped;
    private volatile int dropping;
    private volatile int disobeying;

    /**
     * Creates a port by its index in configuration order, from 0. The configuration of the router is valid and has at
     * least one lossless priority.
     */
    public LosslessPort(final PfcConfig config, final PfcLink link, final int index, final int workers)
    {
        this.config = config;
        this.index = index;
        lossless = config.losslessPriorities();
        xoffBytes = link.xoffBytes();
        limitBytes = xoffBytes + link.headroomBytes();
        tallies = new WorkerTallies(workers);
        stoppedByPeer = new PausedTime(link.bitsPerSecond());
        stoppedByUs = new PausedTime(link.bitsPerSecond());
        policy = config.policy().create(
            new PauseSettings(
                lossless, link.marks(), link.headroomBytes(), link.bitsPerSecond(), PauseUpkeep.ROUTER, config.law()),
            backlog,
            this::send);
        action = config.watchdog() == null ? StormAction.ALERT : config.watchdog().action();
        for (int priority = 0; config.watchdog() != null && priority < MacControl.PRIORITIES; priority++)
        {
            watchdogs[priority] = isLossless(priority) ? new PauseWatchdog(config.watchdog()) : null;
        }
    }

    /** Returns the most frames of one priority that can wait at a port with a link: all of the minimum length. */
    public static int mostFrames(final PfcLink link)
    {
        return (int)Math.min(1 << 20,
            (link.xoffBytes() + link.headroomBytes()) / PortShare.wireBytes(MacControl.FRAME_LENGTH) + 1);
    }

    int index()
    {
        return index;
    }

    WorkerTallies tallies()
    {
        return tallies;
    }

    EcnMarker newMarker(final int worker)
    {
        return config.ecn() == null ? null : new EcnMarker(
            new EcnProfile(config.ecn().minBytes(), config.ecn().maxBytes(), config.ecn().maxProbability()),
            worker << Byte.SIZE | index);
    }

    boolean isLossless(final int priority)
    {
        return (lossless & 1 << priority) != 0;
    }

    long limitBytes()
    {
        return limitBytes;
    }

    /** Returns the bytes that wait. The departed bytes are read first, so that the result is not negative. */
    long heldBytes(final int priority)
    {
        final long departed = tallies.sum(WorkerTallies.DEPARTED, priority);
        return tallies.sum(WorkerTallies.ARRIVED, priority) - departed;
    }

    /** Returns the lossless priorities that the peer has paused, bit n for priority n. */
    int stopped(final long nowNs)
    {
        final int candidates = stopped & ~disobeying;
        int still = 0;
        for (int rest = candidates; rest != 0; rest &= rest - 1)
        {
            final int priority = Integer.numberOfTrailingZeros(rest);
            still |= stopEndNs.getAcquire(priority) - nowNs > 0 ? 1 << priority : 0;
        }
        return still;
    }

    /** Returns the priorities whose frames are dropped because of a storm, bit n for priority n. */
    int dropping()
    {
        return dropping;
    }

    /** Takes the lock if it is free. Until {@link #leave} pauses are sent through the output. */
    boolean tryEnter(final PauseOutput newOutput)
    {
        final boolean isFree = !entered.get() && entered.compareAndSet(false, true);
        if (isFree)
        {
            output = newOutput;
        }
        return isFree;
    }

    void enter(final PauseOutput newOutput)
    {
        while (!tryEnter(newOutput))
        {
            Thread.yield();
        }
    }

    void leave()
    {
        final boolean owes = policy.owesPause();
        if (owes != owesPause)
        {
            owesPause = owes;
        }
        entered.setRelease(false);
    }

    /** Returns whether a pause waits for room in the transmit queue; it is sent before all other frames. */
    boolean owesPause()
    {
        return owesPause;
    }

    /** Passes new arrivals and departures to the policy; with the lock. */
    void updatePolicy(final int priority, final long nowNs)
    {
        final long departed = tallies.sum(WorkerTallies.DEPARTED, priority);
        final long came = tallies.sum(WorkerTallies.ARRIVED, priority) - backlog.arrivedBytes(priority);
        if (came > 0)
        {
            backlog.onArrival(priority, came);
            policy.onArrival(priority, nowNs);
        }
        final long left = departed - backlog.departedBytes(priority);
        if (left > 0)
        {
            backlog.onDeparture(priority, left);
            policy.onDeparture(priority, nowNs);
        }
    }

    /** Obeys a pause of the peer for a lossless priority, counts one for another priority; with the lock. */
    void onPause(final int priority, final int quanta, final long nowNs)
    {
        if (!isLossless(priority))
        {
            counters.add(priority, PfcCounter.XOFF_IGNORED, quanta == 0 ? 0 : 1);
            return;
        }
        counters.add(priority, quanta == 0 ? PfcCounter.XON_RX : PfcCounter.XOFF_RX, 1);
        stoppedByPeer.onPause(priority, quanta, nowNs);
        stopEndNs.setRelease(priority, stoppedByPeer.endNs(priority));
        stopped = stoppedByPeer.stopped(nowNs);
    }

    /** Renews pauses, ends expired pauses of the peer, and checks for storms; with the lock. */
    void onTime(final long nowNs)
    {
        if (stopped != 0)
        {
            stopped = stoppedByPeer.stopped(nowNs);
        }
        for (int rest = lossless; rest != 0; rest &= rest - 1)
        {
            final int priority = Integer.numberOfTrailingZeros(rest);
            updatePolicy(priority, nowNs);
            if (watchdogs[priority] != null && watchdogs[priority].isDue(nowNs))
            {
                checkStorm(priority, nowNs);
            }
        }
        policy.onTime(nowNs);
    }

    private void checkStorm(final int priority, final long nowNs)
    {
        final PauseWatchdog.Change change = watchdogs[priority].check(
            nowNs,
            tallies.sum(WorkerTallies.WAITING, priority) > 0,
            tallies.sum(WorkerTallies.SENT, priority),
            stoppedByPeer.totalNs(priority, nowNs),
            counters.get(priority, PfcCounter.XOFF_RX));
        final int bit = 1 << priority;
        if (change == PauseWatchdog.Change.DETECTED)
        {
            counters.add(priority, PfcCounter.STORMS_DETECTED, 1);
            dropping |= action == StormAction.DROP ? bit : 0;
            disobeying |= action == StormAction.FORWARD ? bit : 0;
        }
        else if (change == PauseWatchdog.Change.RESTORED)
        {
            counters.add(priority, PfcCounter.STORMS_RESTORED, 1);
            dropping &= ~bit;
            disobeying &= ~bit;
        }
    }

    private boolean send(final int classEnable, final int[] quanta, final long nowNs)
    {
        final boolean isSent = output.send(classEnable, quanta, nowNs);
        for (int rest = isSent ? classEnable : 0; rest != 0; rest &= rest - 1)
        {
            final int priority = Integer.numberOfTrailingZeros(rest);
            counters.add(priority, quanta[priority] == 0 ? PfcCounter.XON_TX : PfcCounter.XOFF_TX, 1);
            stoppedByUs.onPause(priority, quanta[priority], nowNs);
        }
        return isSent;
    }

    /** Returns the counters after updating those that are measured or counted by workers; with the lock. */
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
            counters.set(priority, PfcCounter.DROPPED_BEYOND_HEADROOM,
                tallies.sum(WorkerTallies.BEYOND_HEADROOM, priority));
            counters.set(priority, PfcCounter.DROPPED_IN_STORM, tallies.sum(WorkerTallies.IN_STORM, priority));
            counters.set(priority, PfcCounter.ECN_MARKED, tallies.sum(WorkerTallies.MARKED, priority));
        }
        return counters;
    }
}
