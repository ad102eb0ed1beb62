package org.fibnuma.fibnic.datapath;

import org.fibnuma.core.frame.FrameBatch;
import org.fibnuma.core.frame.FramePool;
import org.fibnuma.core.frame.InterfaceNumber;
import org.fibnuma.core.port.TxQueue;
import org.fibnuma.core.ring.DescriptorRing;
import org.fibnuma.fibnic.capture.CapturePoint;
import org.fibnuma.fibnic.fate.DropReason;
import org.fibnuma.fibnic.fate.FateCounters;
import org.fibnuma.fibnic.ports.PortQueues;

import java.util.Objects;
import java.util.stream.Stream;

/**
 * Sends rewritten frames with disposition FORWARD. FIBNIC has one small FIFO for each pair of ingress and egress port
 * and no other buffer. A frame goes to the {@link TxQueue} of its egress port if that has room and no frame waits for
 * the port. Otherwise it goes to the FIFO of its pair. In both cases it is counted as forwarded. If the FIFO is full,
 * the frame is counted as dropped and becomes SETTLED. The FIFOs of an egress port are drained round-robin, one frame
 * each, so that no ingress port starves another.
 * <p>
 * The last FIFO of each egress port is for the router's own messages.
 */
public class EgressQueues
{
    /** Preamble, start delimiter, FCS and the gap between frames (IEEE 802.3 clause 3 and 4.4.2). */
    private static final int WIRE_OVERHEAD = 7 + 1 + 4 + 12;
    private static final double NANOS_PER_SECOND = 1e9;

    private final TxQueue[] txQueues;
    private final DropOutput drops;
    private final CapturePoint capturePoint;
    private final FateCounters counters;
    private final VlanOutput vlanOutput;
    private final DescriptorRing[][] fifos;
    private final int[] waiting;
    private final int[] nextIngress;
    private final int[] sentFrames;
    private final long[] sentBytes;
    /** Number of ports; higher indexes have no transmit queue yet. */
    private int portCount;

    /** Creates the queues of the worker that a context describes, lossless ones if it has them, with its counters. */
    static EgressQueues of(final ForwarderContext context)
    {
        if (context.lossless != null)
        {
            return LosslessEgressQueues.of(context);
        }
        final FateCounters counters = context.newFateCounters();
        return new EgressQueues(
            context.txQueues(), context.egressFifoDepth,
            new DropOutput(context.framePool, counters, context.capturePoint),
            context.newVlanOutput(counters), counters);
    }

    EgressQueues(
        final TxQueue[] txQueues,
        final int fifoDepth,
        final DropOutput drops,
        final VlanOutput vlanOutput,
        final FateCounters counters)
    {
        this(txQueues, new DescriptorRing[txQueues.length][txQueues.length + 1], drops, vlanOutput, counters);
        for (final DescriptorRing[] ofEgress : fifos)
        {
            for (int i = 0; i < ofEgress.length; i++)
            {
                ofEgress[i] = new DescriptorRing(fifoDepth);
            }
        }
    }

    /** Creates queues with other FIFOs, by egress port. */
    EgressQueues(
        final TxQueue[] txQueues,
        final DescriptorRing[][] fifos,
        final DropOutput drops,
        final VlanOutput vlanOutput,
        final FateCounters counters)
    {
        this.vlanOutput = vlanOutput;
        this.txQueues = txQueues;
        this.portCount = (int)Stream.of(txQueues).filter(Objects::nonNull).count();
        this.drops = drops;
        this.capturePoint = drops.capturePoint();
        this.counters = counters;
        this.fifos = fifos;
        this.waiting = new int[txQueues.length];
        this.nextIngress = new int[txQueues.length];
        this.sentFrames = new int[txQueues.length];
        this.sentBytes = new long[txQueues.length];
    }

    /**
     * Returns the longest time that FIFOs delay a frame: all FIFOs of its egress port are full when it arrives.
     *
     * @param portCount     number of ports of the router.
     * @param fifoDepth     frames in each FIFO.
     * @param frameLength   length of every frame in bytes, without FCS.
     * @param bitsPerSecond rate of the egress link.
     * @return delay in nanoseconds.
     */
    public static long addedLatencyNs(
        final int portCount, final int fifoDepth, final int frameLength, final long bitsPerSecond)
    {
        final double frames = (portCount + 1.0) * fifoDepth;
        return Math.round(frames * (frameLength + WIRE_OVERHEAD) * Byte.SIZE * NANOS_PER_SECOND / bitsPerSecond);
    }

    /**
     * Sends the rewritten frames from one index to before another whose disposition is FORWARD, in their order.
     * Positions of the others may be overwritten.
     */
    void process(final FrameBatch batch, final int from, final int to)
    {
        if (batch.isFromOneInterface() && Long.bitCount(batch.egressPorts()) == 1)
        {
            final int end = batch.isAllForward() ? to : closeGaps(batch, from, to);
            sendRun(
                batch, from, end, batch.ingressPort(0), Long.numberOfTrailingZeros(batch.egressPorts()),
                end - from == batch.size() ? batch.bytes() : batch.bytes(from, end));
            return;
        }
        int i = from;
        while (i < to)
        {
            i = batch.isForward(i) ? processRun(batch, i, to) : i + 1;
        }
    }

    private static int closeGaps(final FrameBatch batch, final int from, final int to)
    {
        int end = FrameBatch.index(from);
        for (int i = end; i < to; i++)
        {
            if (batch.isForward(i))
            {
                if (i != end)
                {
                    batch.move(i, end);
                }
                end++;
            }
        }
        return end;
    }

    /** Sends, with one call of the port, the frames up to the next one with another ingress or egress port. */
    private int processRun(final FrameBatch batch, final int from, final int to)
    {
        final int ingress = batch.ingressPort(from);
        final int egress = batch.egressPort(from);
        long bytes = 0;
        int end = FrameBatch.index(from);
        int i = end;
        for (; i < to; i++)
        {
            if (batch.isForward(i))
            {
                if (batch.egressPort(i) != egress || batch.ingressPort(i) != ingress)
                {
                    break;
                }
                bytes += batch.length(i);
                if (i != end)
                {
                    batch.move(i, end);
                }
                end++;
            }
        }
        sendRun(batch, from, end, ingress, egress, bytes);
        return i;
    }

    private void sendRun(
        final FrameBatch batch, final int from, final int end, final int ingress, final int egress, final long bytes)
    {
        final boolean isCaptured = capturePoint.isOn();
        if (isCaptured)
        {
            capturePoint.claimSent(batch, from, end, egress);
        }
        final int sent = waiting[egress] == 0 ? txQueues[egress].offer(batch, from, end) : 0;
        sentFrames[egress] += sent;
        sentBytes[egress] += sent == end - from ? bytes : batch.bytes(from, from + sent);
        int forwarded = sent;
        for (int i = from + sent; i < end; i++)
        {
            if (place(egress, ingress, batch.handle(i), batch.address(i), batch.length(i)))
            {
                forwarded++;
            }
            else
            {
                if (isCaptured)
                {
                    capturePoint.abortSent(i);
                }
                drops.dropUnsent(batch, i, DropReason.EGRESS_FULL.id());
            }
        }
        if (isCaptured)
        {
            capturePoint.commitSent(from, end);
        }
        counters.forwarded(ingress, forwarded);
    }

    /**
     * Sends a complete message of this router by an interface without a lookup, because its destination is on the link.
     * If the port has no room, the message is dropped.
     *
     * @param number of the interface, whose VLAN tags are inserted.
     * @param chunk  of the worker's pool; the frame begins after the headroom.
     * @param length of the frame in bytes.
     */
    final void sendOwn(final int number, final long chunk, final int length)
    {
        final int own = counters.ownIngress();
        final long frame = vlanOutput.insert(chunk + FramePool.HEADROOM, length, number, own);
        if (send(InterfaceNumber.portOf(number), own, chunk, frame, length + vlanOutput.tagLength(number)))
        {
            counters.forwarded(own, 1);
        }
        else
        {
            drops.dropOwn(chunk, DropReason.EGRESS_FULL.id());
        }
    }

    /**
     * Sends one frame.
     *
     * @return false if there was no room; the caller still owns the chunk.
     */
    boolean send(final int egress, final int ingress, final long handle, final long address, final int length)
    {
        if (capturePoint.isOn())
        {
            final int claim = capturePoint.claimSent(egress, address, length);
            final boolean taken = place(egress, ingress, handle, address, length);
            capturePoint.settle(claim, taken);
            return taken;
        }
        return place(egress, ingress, handle, address, length);
    }

    private boolean place(
        final int egress, final int ingress, final long handle, final long address, final int length)
    {
        final boolean taken = waiting[egress] == 0 && txQueues[egress].offer(handle, address, length) ||
            enqueue(egress, fifos[egress][ingress], handle, address, length);
        if (taken)
        {
            countSent(egress, length);
        }
        return taken;
    }

    private boolean enqueue(
        final int egress, final DescriptorRing fifo, final long handle, final long address, final int length)
    {
        if (!fifo.offer(handle, address, length))
        {
            return false;
        }
        fifo.publish();
        waiting[egress]++;
        return true;
    }

    /**
     * Drains the FIFOs into the transmit queues and flushes these, at the end of a duty cycle.
     *
     * @return number of frames that left a FIFO.
     */
    int flush()
    {
        int drained = 0;
        for (int egress = 0; egress < portCount; egress++)
        {
            if (waiting[egress] > 0)
            {
                drained += drain(egress);
            }
            transmit(egress);
        }
        return drained;
    }

    /** Uses these ports from now on. */
    final void take(final PortQueues ports)
    {
        portCount = ports.size();
        for (int port = 0; port < portCount; port++)
        {
            txQueues[port] = ports.txQueue(port);
        }
    }

    void dropWaiting(final int egress)
    {
        for (int ingress = 0; waiting[egress] > 0 && ingress < fifos[egress].length; ingress++)
        {
            final DescriptorRing fifo = fifos[egress][ingress];
            while (fifo.readable(1) > 0)
            {
                drops.dropQueued(ingress, fifo.handle(0), fifo.address(0), fifo.length(0), DropReason.EGRESS_FULL.id());
                fifo.consume(1);
                waiting[egress]--;
            }
        }
    }

    /** Flushes the transmit queue of a port and counts the frames. */
    final void transmit(final int egress)
    {
        txQueues[egress].flush();
        if (sentFrames[egress] > 0)
        {
            counters.sent(egress, sentFrames[egress], sentBytes[egress]);
            sentFrames[egress] = 0;
            sentBytes[egress] = 0;
        }
    }

    final void countSent(final int egress, final int length)
    {
        sentFrames[egress]++;
        sentBytes[egress] += length;
    }

    /** Returns the number of frames that wait in the FIFOs of an egress port. */
    int waiting(final int egress)
    {
        return waiting[egress];
    }

    final TxQueue txQueue(final int egress)
    {
        return txQueues[egress];
    }

    final DescriptorRing fifo(final int egress, final int index)
    {
        return fifos[egress][index];
    }

    final DropOutput drops()
    {
        return drops;
    }

    final VlanOutput vlanOutput()
    {
        return vlanOutput;
    }

    final FateCounters counters()
    {
        return counters;
    }

    private int drain(final int egress)
    {
        final TxQueue txQueue = txQueues[egress];
        final DescriptorRing[] ofEgress = fifos[egress];
        final int before = waiting[egress];
        boolean room = true;
        while (waiting[egress] > 0 && room)
        {
            final DescriptorRing fifo = ofEgress[nextIngress[egress]];
            if (fifo.readable(1) > 0)
            {
                room = txQueue.offer(fifo.handle(0), fifo.address(0), fifo.length(0));
                if (!room)
                {
                    break;
                }
                fifo.consume(1);
                waiting[egress]--;
            }
            nextIngress[egress] = (nextIngress[egress] + 1) % ofEgress.length;
        }
        return before - waiting[egress];
    }
}
