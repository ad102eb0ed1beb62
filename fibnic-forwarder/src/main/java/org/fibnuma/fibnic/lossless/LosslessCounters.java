package org.fibnuma.fibnic.lossless;

import org.agrona.concurrent.status.AtomicCounter;
import org.agrona.concurrent.status.CountersManager;
import org.fibnuma.pfc.priority.PfcCounter;
import org.fibnuma.pfc.priority.PfcCounters;
import org.fibnuma.pfc.wire.MacControl;

import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Publishes the counters of all ports and priorities to the counters file, a thousand times per second: those of
 * lossless priorities, and the ignored PFC pauses of the others.
 */
public final class LosslessCounters
{
    /** Type id of {@link PfcCounter} 0. */
    static final int TYPE = 1300;
    static final int PORT_OFFSET = 0;
    static final int PRIORITY_OFFSET = PORT_OFFSET + Integer.BYTES;

    private static final long PUBLISH_INTERVAL_NS = TimeUnit.MILLISECONDS.toNanos(1);

    private final LosslessPort[] ports;
    private final int losslessPriorities;
    private final AtomicCounter[] published;
    private long nextNs;
    private boolean isStarted;

    LosslessCounters(
        final CountersManager counters,
        final LosslessPort[] ports,
        final List<String> names,
        final int losslessPriorities)
    {
        this.ports = ports;
        this.losslessPriorities = losslessPriorities;
        published = new AtomicCounter[count(ports.length, losslessPriorities)];
        int i = 0;
        for (int port = 0; port < ports.length; port++)
        {
            for (int priority = 0; priority < MacControl.PRIORITIES; priority++)
            {
                for (int id = 0; id < PfcCounter.count(); id++)
                {
                    if (isPublished(priority, id))
                    {
                        published[i++] = create(counters, port, names.get(port), priority, PfcCounter.of(id));
                    }
                }
            }
        }
    }

    /** Returns the number of counters for some ports; bit n of the priorities is set if priority n is lossless. */
    public static int count(final int ports, final int losslessPriorities)
    {
        final int lossless = Integer.bitCount(losslessPriorities);
        return ports * (lossless * (PfcCounter.count() - 1) + MacControl.PRIORITIES - lossless);
    }

    private boolean isPublished(final int priority, final int id)
    {
        return PfcCounter.of(id).isOf((losslessPriorities & 1 << priority) != 0);
    }

    private static AtomicCounter create(
        final CountersManager counters,
        final int port,
        final String name,
        final int priority,
        final PfcCounter counter)
    {
        return counters.newCounter(
            "port " + name + " priority " + priority + " " + counter.label(),
            TYPE + counter.id(),
            key ->
            {
                key.putInt(PORT_OFFSET, port);
                key.putInt(PRIORITY_OFFSET, priority);
            });
    }

    /**
     * Publishes the counters if 1 ms has passed since the last time; called by one worker with its monotonic time. The
     * counters of a port that another worker has locked are published the next time.
     */
    public void publish(final long nowNs)
    {
        if (isStarted && nextNs - nowNs > 0)
        {
            return;
        }
        isStarted = true;
        nextNs = nowNs + PUBLISH_INTERVAL_NS;
        int i = 0;
        for (final LosslessPort port : ports)
        {
            if (port.tryEnter(null))
            {
                publish(port.counters(nowNs), i);
                port.leave();
            }
            i += count(1, losslessPriorities);
        }
    }

    private void publish(final PfcCounters counters, final int first)
    {
        int i = first;
        for (int priority = 0; priority < MacControl.PRIORITIES; priority++)
        {
            for (int id = 0; id < PfcCounter.count(); id++)
            {
                if (isPublished(priority, id))
                {
                    published[i++].setRelease(counters.get(priority, PfcCounter.of(id)));
                }
            }
        }
    }
}
