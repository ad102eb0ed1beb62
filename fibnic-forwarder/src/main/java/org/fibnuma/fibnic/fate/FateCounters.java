package org.fibnuma.fibnic.fate;

import org.agrona.concurrent.status.AtomicCounter;
import org.agrona.concurrent.status.CountersManager;
import org.fibnuma.core.frame.InterfaceNumber;

import java.util.List;

/**
 * The counters of one worker. All methods but {@link #rename} are for the thread of that worker. Counting is an
 * addition to a plain number; {@link #publish()} copies the changed numbers to the counters file.
 * <p>
 * A port is its index in configuration order, from 0. An ingress port may also be {@link #ownIngress()}.
 */
public final class FateCounters
{
    /** Most ports: together with {@link #ownIngress()}, the bits of the mask of changed ports. */
    public static final int MAX_PORTS = InterfaceNumber.MAX_PORTS;

    /** Name of an index that no port has yet. */
    public static final String NO_NAME = "none";

    private static final int COUNTERS = ForwarderCounter.values().length;
    private static final int PORT_COUNTERS = PortTraffic.values().length;

    /** The bits of the counters that {@link #receivedByFamily} changes. */
    private static final long FAMILIES = 1L << ForwarderCounter.IPV4.id() | 1L << ForwarderCounter.IPV6.id();
    /** The bits of the counters from which {@link ForwarderCounter#IPV4_FORWARDED} is computed. */
    private static final long FORWARDED =
        1L << ForwarderCounter.FORWARDED.id() | 1L << ForwarderCounter.IPV6_FORWARDED.id();

    private final long[] values = new long[COUNTERS + DropReason.count()];
    private final AtomicCounter[] published = new AtomicCounter[values.length];
    private final long[] portValues;
    private final AtomicCounter[] portPublished;
    private final PortDrops.Counts portDrops;
    private final int ownIngress;
    /** Bits of the {@link ForwarderCounter}s that changed since they were published. */
    private long changed;
    /** Bits of the {@link DropReason}s whose counters changed since they were published. */
    private long changedDrops;
    private long changedPorts;

    /**
     * Creates the counters of a worker, all 0.
     *
     * @param worker    number of the worker, from 0.
     * @param portNames names of the ports by index, at most {@link #MAX_PORTS}; {@link #NO_NAME} where there is none.
     * @param portDrops counts of the worker, to which dropped frames are added by port.
     */
    public FateCounters(
        final CountersManager counters,
        final int worker,
        final List<String> portNames,
        final PortDrops.Counts portDrops)
    {
        this.portDrops = portDrops;
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
                    FateLayout.portLabel(worker, portNames.get(port), traffic));
            }
        }
    }

    /** Renames the counters of an index to the port that has the index from now on; control thread. */
    public static void rename(final CountersManager counters, final int port, final String name)
    {
        counters.forEach((id, type, key, label) ->
        {
            if (type >= FateLayout.PORT_TYPE && type < FateLayout.PORT_TYPE + PORT_COUNTERS &&
                key.getInt(FateLayout.PORT_OFFSET) == port)
            {
                counters.setCounterLabel(id, FateLayout.portLabel(
                    key.getInt(FateLayout.WORKER_OFFSET), name, PortTraffic.values()[type - FateLayout.PORT_TYPE]));
            }
        });
    }

    /** Sets the counters of an index to 0, because another port has it from now on. */
    public void beginPort(final int port)
    {
        for (int i = port * PORT_COUNTERS; i < (port + 1) * PORT_COUNTERS; i++)
        {
            portValues[i] = 0;
            portPublished[i].setRelease(0);
        }
        portDrops.begin(port);
    }

    /**
     * Returns the ingress port of frames that this worker has made, one more than the highest port index. They are
     * counted as {@link ForwarderCounter#ORIGINATED} or {@link ForwarderCounter#ORIGINATED_LOST}, not as received
     * frames.
     */
    public int ownIngress()
    {
        return ownIngress;
    }

    /** Counts frames; their number is below 0 only where a count is taken back. */
    public void add(final ForwarderCounter counter, final int frames)
    {
        values[counter.id()] += frames;
        changed |= 1L << counter.id();
    }

    /** Counts frames that were sent or queued for sending. */
    public void forwarded(final int ingressPort, final int frames)
    {
        add(ingressPort == ownIngress ? ForwarderCounter.ORIGINATED : ForwarderCounter.FORWARDED, frames);
    }

    /**
     * Counts IPv6 frames among those that {@link #forwarded} counts, except frames of this worker.
     *
     * @param frames number of frames, below 0 for frames of the same batch that could not be sent.
     */
    public void ipv6Forwarded(final int ingressPort, final int frames)
    {
        if (ingressPort != ownIngress)
        {
            add(ForwarderCounter.IPV6_FORWARDED, frames);
        }
    }

    /** Counts a frame that {@link #forwarded} has counted and that is dropped from its queue. */
    public void queueDropped(final int ingressPort)
    {
        if (ingressPort != ownIngress)
        {
            add(ForwarderCounter.QUEUE_DROPPED, 1);
        }
    }

    /** Counts a frame that is held, with a change of 1, or no longer held, with -1. */
    public void held(final int ingressPort, final int change)
    {
        if (ingressPort != ownIngress)
        {
            add(ForwarderCounter.HELD, change);
        }
    }

    /** Counts a dropped frame by the id of its {@link DropReason}. */
    public void dropped(final int ingressPort, final int reasonId)
    {
        if (ingressPort == ownIngress)
        {
            add(ForwarderCounter.ORIGINATED_LOST, 1);
            return;
        }
        values[COUNTERS + reasonId]++;
        changedDrops |= 1L << reasonId;
        portDrops.dropped(ingressPort, reasonId);
    }

    /** Counts frames that a port received, and their bytes without FCS. */
    public void received(final int port, final int frames, final long bytes)
    {
        add(ForwarderCounter.RECEIVED, frames);
        addPort(port, PortTraffic.RX_FRAMES.id(), frames, bytes);
    }

    /** Counts received frames by family, except those left to the kernel or dropped for their Ethernet header. */
    public void receivedByFamily(final int port, final int ipv4, final int ipv6)
    {
        values[ForwarderCounter.IPV4.id()] += ipv4;
        values[ForwarderCounter.IPV6.id()] += ipv6;
        changed |= FAMILIES;
        portValues[port * PORT_COUNTERS + PortTraffic.RX_IPV4.id()] += ipv4;
        portValues[port * PORT_COUNTERS + PortTraffic.RX_IPV6.id()] += ipv6;
        changedPorts |= 1L << port;
    }

    /** Counts frames that were passed to a port, and their bytes without FCS. */
    public void sent(final int port, final int frames, final long bytes)
    {
        addPort(port, PortTraffic.TX_FRAMES.id(), frames, bytes);
    }

    /** Counts received frames whose partial checksum was completed. */
    public void checksumsCompleted(final int port, final int frames)
    {
        portValues[port * PORT_COUNTERS + PortTraffic.CHECKSUMS_COMPLETED.id()] += frames;
        changedPorts |= 1L << port;
    }

    /** Counts a duty cycle, whose work is 0 if it was idle. */
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

    /** Publishes the counters that changed since the last call, with release ordering. */
    public void publish()
    {
        if ((changed & FORWARDED) != 0)
        {
            values[ForwarderCounter.IPV4_FORWARDED.id()] = get(ForwarderCounter.IPV4_FORWARDED);
            changed |= 1L << ForwarderCounter.IPV4_FORWARDED.id();
        }
        publish(0, changed);
        publish(COUNTERS, changedDrops);
        portDrops.publish(changedDrops);
        changed = 0;
        changedDrops = 0;
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

    private void publish(final int first, final long mask)
    {
        for (long rest = mask; rest != 0; rest &= rest - 1)
        {
            final int i = first + Long.numberOfTrailingZeros(rest);
            published[i].setRelease(values[i]);
        }
    }

    /** Returns the value of a counter. */
    public long get(final ForwarderCounter counter)
    {
        return counter == ForwarderCounter.IPV4_FORWARDED ?
            values[ForwarderCounter.FORWARDED.id()] - values[ForwarderCounter.IPV6_FORWARDED.id()] :
            values[counter.id()];
    }

    /** Returns the number of frames dropped for a reason. */
    public long get(final DropReason reason)
    {
        return values[COUNTERS + reason.id()];
    }

    /** Returns the value of a counter of a port. */
    public long get(final int port, final PortTraffic traffic)
    {
        return portValues[port * PORT_COUNTERS + traffic.id()];
    }
}
