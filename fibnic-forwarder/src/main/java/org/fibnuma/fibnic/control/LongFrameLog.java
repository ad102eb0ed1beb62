package org.fibnuma.fibnic.control;

import org.agrona.concurrent.EpochClock;
import org.fibnuma.core.port.Port;
import org.fibnuma.core.port.PortCounter;

import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** Warns once for each port that receives frames which do not fit its receive buffers. Control thread. */
final class LongFrameLog
{
    private static final long INTERVAL_MS = TimeUnit.SECONDS.toMillis(1);

    private final List<Port> ports;
    private final EpochClock clock;
    private final Consumer<String> log;
    private final Set<Port> warned = Collections.newSetFromMap(new IdentityHashMap<>());
    private long nextMs;

    /** Ports may be added later. */
    LongFrameLog(final List<Port> ports, final EpochClock clock, final Consumer<String> log)
    {
        this.ports = ports;
        this.clock = clock;
        this.log = log;
    }

    /** Reads the counters once a second; returns the number of log lines. */
    int poll()
    {
        int lines = 0;
        if (clock.time() >= nextMs)
        {
            nextMs = clock.time() + INTERVAL_MS;
            for (final Port port : ports)
            {
                if (port.deviceCounter(PortCounter.RX_TRUNCATED) > 0 && warned.add(port))
                {
                    lines++;
                    log.accept("port " + port.name() + ": frames are longer than its receive buffers and are lost " +
                        "(rxTruncated of show ports --json counts them): set frame-size = 4096, or the neighbours' " +
                        "MTUs to this port's " + port.mtu());
                }
            }
        }
        return lines;
    }
}
