package org.fibnuma.fibnic.datapath;

import org.agrona.BitUtil;
import org.agrona.concurrent.NanoClock;
import org.fibnuma.core.frame.FrameBatch;
import org.fibnuma.core.port.TxQueue;
import org.fibnuma.core.ring.DescriptorRing;
import org.fibnuma.core.wire.EthernetHeaderFlyweight;
import org.fibnuma.core.wire.VlanTag;
import org.fibnuma.fibnic.fate.DropReason;
import org.fibnuma.fibnic.fate.FateCounters;
import org.fibnuma.fibnic.lossless.LosslessCounters;
import org.fibnuma.fibnic.lossless.LosslessPort;
import org.fibnuma.fibnic.lossless.PortShare;
import org.fibnuma.pfc.config.PfcConfig;
import org.fibnuma.pfc.priority.PriorityClassifier;
import org.fibnuma.pfc.wire.MacControl;

/**
 * Sends rewritten frames of a router with lossless priorities; it has one FIFO for each ingress port, egress port and
 * priority. A frame goes straight to the transmit queue if the queue has room and no frame of its priority waits. The
 * peer must not have paused the priority, and the port must owe the peer no PFC pause. Otherwise the frame goes to its
 * FIFO. It is counted as forwarded when it is accepted. It is dropped if its FIFO is full, if the headroom of its
 * ingress port is used up, or in a storm of PFC pauses. A storm also drops frames from FIFOs, which are counted as
 * dropped from a queue too.
 * <p>
 * Waiting frames of a lossless priority are counted against their ingress port, whose sender is paused before the
 * headroom is used up.
 * <p>
 * If priorities are read from VLAN tags, a frame that was received with a tag leaves with a tag of the same priority.
 * By a VLAN interface it has the tags of the VLAN, by a port a priority tag.
 */
final class LosslessEgressQueues extends EgressQueues
{
    private static final int PRIORITIES = MacControl.PRIORITIES;
    /** Result of {@link #place} for a frame that was sent or queued. */
    private static final int TAKEN = -1;

    private final PortShare[] ports;
    private final LosslessCounters losslessCounters;
    private final PriorityClassifier classifier;
    private final boolean keepsTags;
    private final NanoClock clock;
    private final int ingressPorts;
    private final int[] waitingFrames;
    private final int[] waitingPriorities;
    private final int[] nextPriority;
    private final int[] nextIngress;
    private long nowNs;

    private LosslessEgressQueues(
        final TxQueue[] txQueues,
        final ForwarderContext context,
        final PortShare[] ports,
        final DropOutput drops,
        final FateCounters counters)
    {
        super(txQueues, fifos(txQueues.length, context), drops, context.newVlanOutput(counters), counters);
        this.ports = ports;
        this.losslessCounters = context.worker == 0 ? context.lossless.counters() : null;
        this.classifier = context.lossless.config().classifier();
        this.keepsTags = classifier.isByPcp();
        this.clock = context.clock;
        this.ingressPorts = txQueues.length + 1;
        this.waitingFrames = new int[txQueues.length * PRIORITIES];
        this.waitingPriorities = new int[txQueues.length];
        this.nextPriority = new int[txQueues.length];
        this.nextIngress = new int[txQueues.length * PRIORITIES];
    }

    /** Creates the queues of the worker that a context describes, with its counters and its share of every port. */
    static LosslessEgressQueues of(final ForwarderContext context)
    {
        final FateCounters counters = context.newFateCounters();
        final TxQueue[] txQueues = context.txQueues();
        final PortShare[] shares = new PortShare[txQueues.length];
        for (int port = 0; port < shares.length; port++)
        {
            shares[port] = new PortShare(
                context.lossless.port(port), context.worker, txQueues[port], context.framePool,
                context.interfaces, counters);
        }
        return new LosslessEgressQueues(
            txQueues, context, shares, new DropOutput(context.framePool, counters, context.capturePoint),
            counters);
    }

    private static DescriptorRing[][] fifos(final int portCount, final ForwarderContext context)
    {
        final PfcConfig pfc = context.lossless.config();
        final DescriptorRing[][] fifos = new DescriptorRing[portCount][(portCount + 1) * PRIORITIES];
        for (final DescriptorRing[] ofEgress : fifos)
        {
            for (int i = 0; i < ofEgress.length; i++)
            {
                final int ingress = i / PRIORITIES;
                final boolean isLossless =
                    ingress < portCount && (pfc.losslessPriorities() & 1 << i % PRIORITIES) != 0;
                ofEgress[i] = new DescriptorRing(isLossless ?
                    BitUtil.findNextPositivePowerOfTwo(
                        LosslessPort.mostFrames(pfc.linkOf(context.ports.get(ingress).name()))) :
                    context.egressFifoDepth);
            }
        }
        return fifos;
    }

    PortShare[] ports()
    {
        return ports;
    }

    @Override
    void process(final FrameBatch batch, final int from, final int to)
    {
        nowNs = clock.nanoTime();
        for (int i = from; i < to; i++)
        {
            if (batch.isForward(i))
            {
                final int ingress = batch.ingressPort(i);
                final int fate = place(
                    batch.egressPort(i), ingress, batch.handle(i), batch.address(i), batch.length(i));
                if (fate == TAKEN)
                {
                    counters().forwarded(ingress, 1);
                }
                else
                {
                    drops().dropUnsent(batch, i, fate);
                }
            }
        }
    }

    @Override
    boolean send(final int egress, final int ingress, final long handle, final long address, final int length)
    {
        nowNs = clock.nanoTime();
        return place(egress, ingress, handle, address, length) == TAKEN;
    }

    /** Sends or queues a frame, or returns the id of the reason to drop it; then the caller still owns the chunk. */
    private int place(final int egress, final int ingress, final long handle, final long address, final int length)
    {
        return keepsTags && ingress < ports.length && tagLength(address, length) == 0 &&
            WaitingTag.isBefore(address, length) ?
            placeWhole(egress, ingress, handle, WaitingTag.putBack(address, length), length + VlanTag.LENGTH) :
            placeWhole(egress, ingress, handle, address, length);
    }

    private int placeWhole(
        final int egress, final int ingress, final long handle, final long address, final int length)
    {
        if (drops().capturePoint().isOn())
        {
            final int claim = drops().capturePoint().claimSent(egress, address, length);
            final int fate = placeOrRefuse(egress, ingress, handle, address, length);
            drops().capturePoint().settle(claim, fate == TAKEN);
            return fate;
        }
        return placeOrRefuse(egress, ingress, handle, address, length);
    }

    private int placeOrRefuse(
        final int egress, final int ingress, final long handle, final long address, final int length)
    {
        final int priority = classifier.priority(address, length);
        final PortShare port = ports[egress];
        if (port.isInStorm(priority))
        {
            port.onDroppedInStorm(priority);
            return DropReason.PFC_STORM.id();
        }
        if (waitingFrames[egress * PRIORITIES + priority] == 0 && (port.stopped(nowNs) & 1 << priority) == 0 &&
            !port.owesPause() && txQueue(egress).offer(handle, address, length))
        {
            port.onSent(priority);
            countSent(egress, length);
            return TAKEN;
        }
        final boolean isLossless = ingress < ports.length && port.isLossless(priority);
        if (isLossless && !ports[ingress].admits(priority, length))
        {
            return DropReason.PFC_BEYOND_HEADROOM.id();
        }
        final DescriptorRing fifo = fifo(egress, ingress * PRIORITIES + priority);
        if (!fifo.offer(handle, address, length))
        {
            return DropReason.EGRESS_FULL.id();
        }
        fifo.publish();
        enqueued(egress, priority, address, length);
        if (isLossless)
        {
            ports[ingress].onQueued(priority, length, nowNs);
        }
        return TAKEN;
    }

    private void enqueued(final int egress, final int priority, final long address, final int length)
    {
        final int queue = egress * PRIORITIES + priority;
        ports[egress].onWaiting(priority, PortShare.wireBytes(length));
        if (ports[egress].isLossless(priority))
        {
            ports[egress].mark(priority, address + VlanTag.headerOffset(address, length));
        }
        waitingFrames[queue]++;
        waitingPriorities[egress] |= 1 << priority;
    }

    @Override
    int flush()
    {
        nowNs = clock.nanoTime();
        int drained = 0;
        for (int egress = 0; egress < ports.length; egress++)
        {
            final int dropped = ports[egress].onTime(nowNs) & waitingPriorities[egress];
            for (int rest = dropped; rest != 0; rest &= rest - 1)
            {
                final int priority = Integer.numberOfTrailingZeros(rest);
                while (waitingFrames[egress * PRIORITIES + priority] > 0)
                {
                    ports[egress].onDroppedInStorm(priority);
                    dropNext(egress, priority, DropReason.PFC_STORM);
                }
            }
            drained += drain(egress);
        }
        for (int egress = 0; egress < ports.length; egress++)
        {
            transmit(egress);
        }
        if (losslessCounters != null)
        {
            losslessCounters.publish(nowNs);
        }
        return drained;
    }

    @Override
    int waiting(final int egress)
    {
        int frames = 0;
        for (int priority = 0; priority < PRIORITIES; priority++)
        {
            frames += waitingFrames[egress * PRIORITIES + priority];
        }
        return frames;
    }

    private int drain(final int egress)
    {
        int drained = 0;
        int eligible = waitingPriorities[egress] & ~ports[egress].stopped(nowNs);
        while (eligible != 0)
        {
            final int turn = nextPriority[egress];
            final int later = eligible & -(1 << turn);
            final int priority = Integer.numberOfTrailingZeros(later == 0 ? eligible : later);
            if (!sendNext(egress, priority))
            {
                return drained;
            }
            drained++;
            nextPriority[egress] = (priority + 1) % PRIORITIES;
            eligible &= ~(1 << priority) | waitingPriorities[egress];
        }
        return drained;
    }

    /** Sends the first frame of the next ingress port; returns false if the transmit queue has no room. */
    private boolean sendNext(final int egress, final int priority)
    {
        final int ingress = nextWaiting(egress, priority);
        final DescriptorRing fifo = fifo(egress, ingress * PRIORITIES + priority);
        final int length = fifo.length(0);
        if (!txQueue(egress).offer(fifo.handle(0), fifo.address(0), length))
        {
            return false;
        }
        ports[egress].onSent(priority);
        countSent(egress, length);
        nextIngress[egress * PRIORITIES + priority] = (ingress + 1) % ingressPorts;
        left(egress, ingress, priority, length);
        return true;
    }

    private int nextWaiting(final int egress, final int priority)
    {
        int ingress = nextIngress[egress * PRIORITIES + priority];
        while (fifo(egress, ingress * PRIORITIES + priority).readable(1) == 0)
        {
            ingress = (ingress + 1) % ingressPorts;
        }
        return ingress;
    }

    private void left(final int egress, final int ingress, final int priority, final int length)
    {
        final int queue = egress * PRIORITIES + priority;
        fifo(egress, ingress * PRIORITIES + priority).consume(1);
        ports[egress].onWaiting(priority, -PortShare.wireBytes(length));
        if (--waitingFrames[queue] == 0)
        {
            waitingPriorities[egress] &= ~(1 << priority);
        }
        if (ingress < ports.length && ports[ingress].isLossless(priority))
        {
            ports[ingress].onLeft(priority, length, nowNs);
        }
    }

    private static int tagLength(final long frame, final int length)
    {
        return VlanTag.headerOffset(frame, length) - EthernetHeaderFlyweight.LENGTH;
    }

    @Override
    void dropWaiting(final int egress)
    {
        nowNs = clock.nanoTime();
        while (waitingPriorities[egress] != 0)
        {
            dropNext(egress, Integer.numberOfTrailingZeros(waitingPriorities[egress]), DropReason.EGRESS_FULL);
        }
    }

    private void dropNext(final int egress, final int priority, final DropReason reason)
    {
        final int ingress = nextWaiting(egress, priority);
        final DescriptorRing fifo = fifo(egress, ingress * PRIORITIES + priority);
        final int length = fifo.length(0);
        drops().dropQueued(ingress, fifo.handle(0), fifo.address(0), length, reason.id());
        left(egress, ingress, priority, length);
    }
}
