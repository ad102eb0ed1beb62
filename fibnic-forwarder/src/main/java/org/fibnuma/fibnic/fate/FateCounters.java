package org.fibnuma.fibnic.fate;

import org.agrona.concurrent.status.AtomicCounter;
import org.agrona.concurrent.status.CountersManager;

import java.util.List;

/**
 * What one worker counts. Counting is an addition to a plain number of the worker's thread;
 * {@link #publish()} shows the numbers that changed to whoever reads the counters file.
 */
public final class FateCounters
{
    /** As many ports as a mask of changed ones has bits. */
    public static final int MAX_PORTS = Long.SIZE;

    private static final int COUNTERS = ForwarderCounter.values().length;
    private static final int PORT_COUNTERS = PortTraffic.values().length;

    private final long[] values = new long[COUNTERS + DropReason.count()];
    private final AtomicCounter[] published = new AtomicCounter[values.length];
    private final long[] portValues;
    private final AtomicCounter[] portPublished;
    private final int ownIngress;
    private long changed;
    private long changedPorts;

    /**
     * Makes a worker's counters, all 0.
     *
     * @param counters  to make them in.
     * @param worker    number of the worker.
     * @param portNames by port index, at most {@link #MAX_PORTS}.
     */
    public FateCounters(final CountersManager counters, final int worker, final List<String> portNames)
    {
        for (final ForwarderCounter counter : ForwarderCounter.values())
        {
            published[counter.id()] = FateLayout.create(
                counters, FateLayout.FORWARDER_TYPE + counter.id(), worker, counter.label());
        }
        for (final DropReason reason : DropReason.values())
        {
            published[COUNTERS + reason.id()] = FateLayout.create(
                counters, FateLayout.DROP_TYPE + reason.id(), worker, "drop " + reason.label());
        }
        ownIngress = portNames.size();
        portValues = new long[portNames.size() * PORT_COUNTERS];
        portPublished = new AtomicCounter[portValues.length];
        for (int port = 0; port < portNames.size(); port++)
        {
            for (final PortTraffic traffic : PortTraffic.values())
            {
                portPublished[port * PORT_COUNTERS + traffic.id()] = FateLayout.create(
                    counters, FateLayout.PORT_TYPE + traffic.id(), worker, port,
                    "worker " + worker + " port " + portNames.get(port) + " " + traffic.label());
            }
        }
    }

    /**
     * The ingress port of frames that this worker made itself. They are counted as
     * {@link ForwarderCounter#ORIGINATED} or {@link ForwarderCounter#ORIGINATED_LOST}, outside the balance of received
     * frames.
     *
     * @return one more than the highest port index.
     */
    public int ownIngress()
    {
        return ownIngress;
    }

    /**
     * Counts frames; worker.
     *
     * @param counter which.
     * @param frames  how many, below 0 only for {@link ForwarderCounter#HELD}.
     */
    public void add(final ForwarderCounter counter, final int frames)
    {
        values[counter.id()] += frames;
        changed |= 1L << counter.id();
    }

    /**
     * Counts frames that were sent; worker.
     *
     * @param ingressPort where they came from, or {@link #ownIngress()}.
     * @param frames      how many.
     */
    public void forwarded(final int ingressPort, final int frames)
    {
        add(ingressPort == ownIngress ? ForwarderCounter.ORIGINATED : ForwarderCounter.FORWARDED, frames);
    }

    /**
     * Counts a frame that begins or ceases to wait; worker.
     *
     * @param ingressPort where it came from, or {@link #ownIngress()}.
     * @param change      1 or -1.
     */
    public void held(final int ingressPort, final int change)
    {
        if (ingressPort != ownIngress)
        {
            add(ForwarderCounter.HELD, change);
        }
    }

    /**
     * Counts a dropped frame; worker.
     *
     * @param ingressPort where it came from, or {@link #ownIngress()}.
     * @param reasonId    see {@link DropReason#id()}.
     */
    public void dropped(final int ingressPort, final int reasonId)
    {
        if (ingressPort == ownIngress)
        {
            add(ForwarderCounter.ORIGINATED_LOST, 1);
            return;
        }
        values[COUNTERS + reasonId]++;
        changed |= 1L << COUNTERS + reasonId;
    }

    /**
     * Counts what a port received; worker.
     *
     * @param port   its index.
     * @param frames how many.
     * @param bytes  in them.
     */
    public void received(final int port, final int frames, final long bytes)
    {
        add(ForwarderCounter.RECEIVED, frames);
        addPort(port, PortTraffic.RX_FRAMES.id(), frames, bytes);
    }

    /**
     * Counts what was handed to a port; worker.
     *
     * @param port   its index.
     * @param frames how many.
     * @param bytes  in them.
     */
    public void sent(final int port, final int frames, final long bytes)
    {
        addPort(port, PortTraffic.TX_FRAMES.id(), frames, bytes);
    }

    /**
     * Counts received frames whose partial checksum was completed; worker.
     *
     * @param port   its index.
     * @param frames how many.
     */
    public void checksumsCompleted(final int port, final int frames)
    {
        portValues[port * PORT_COUNTERS + PortTraffic.CHECKSUMS_COMPLETED.id()] += frames;
        changedPorts |= 1L << port;
    }

    /**
     * Counts a duty cycle; worker.
     *
     * @param work what it did, 0 for nothing.
     */
    public void polled(final int work)
    {
        add(ForwarderCounter.POLLS, 1);
        if (work == 0)
        {
            add(ForwarderCounter.IDLE_POLLS, 1);
        }
    }

    private void addPort(final int port, final int framesId, final int frames, final long bytes)
    {
        final int index = port * PORT_COUNTERS + framesId;
        portValues[index] += frames;
        portValues[index + 1] += bytes;
        changedPorts |= 1L << port;
    }

    /** Shows what changed since the last time; worker. Release: a reader sees counts no older than this. */
    public void publish()
    {
        while (changed != 0)
        {
            final int i = Long.numberOfTrailingZeros(changed);
            published[i].setRelease(values[i]);
            changed &= changed - 1;
        }
        while (changedPorts != 0)
        {
            final int first = Long.numberOfTrailingZeros(changedPorts) * PORT_COUNTERS;
            for (int i = first; i < first + PORT_COUNTERS; i++)
            {
                portPublished[i].setRelease(portValues[i]);
            }
            changedPorts &= changedPorts - 1;
        }
    }

    /**
     * A count; worker.
     *
     * @param counter which.
     * @return its value.
     */
    public long get(final ForwarderCounter counter)
    {
        return values[counter.id()];
    }

    /**
     * Frames dropped for a reason; worker.
     *
     * @param reason which.
     * @return how many.
     */
    public long get(final DropReason reason)
    {
        return values[COUNTERS + reason.id()];
    }

    /**
     * What went through a port; worker.
     *
     * @param port    its index.
     * @param traffic which way and unit.
     * @return how much.
     */
    public long get(final int port, final PortTraffic traffic)
    {
        return portValues[port * PORT_COUNTERS + traffic.id()];
    }
}
