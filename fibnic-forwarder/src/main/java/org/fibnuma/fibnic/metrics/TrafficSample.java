package org.fibnuma.fibnic.metrics;

import org.fibnuma.fibnic.fate.DropReason;
import org.fibnuma.fibnic.fate.PortTraffic;

import java.util.List;

/**
 * The counters of a router for its history, at one moment, taken by {@link RouterSampler}.
 *
 * @param ports   names of the ports, without removed ones.
 * @param traffic values of {@link #COUNTERS} of the first port, then those of the second, and so on.
 * @param drops   dropped frames by {@link DropReason#id()}.
 */
public record TrafficSample(List<String> ports, long[] traffic, long[] drops)
{
    /** The counters of each port, in the order of {@link #traffic()}. */
    public static final List<PortTraffic> COUNTERS = List.of(
        PortTraffic.RX_FRAMES, PortTraffic.RX_BYTES, PortTraffic.TX_FRAMES, PortTraffic.TX_BYTES);

    /**
     * Returns a counter of a port.
     *
     * @param port    position in {@link #ports()}.
     * @param counter position in {@link #COUNTERS}.
     */
    public long traffic(final int port, final int counter)
    {
        return traffic[port * COUNTERS.size() + counter];
    }
}
