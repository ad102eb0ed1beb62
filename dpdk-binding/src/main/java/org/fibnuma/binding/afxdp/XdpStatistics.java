package org.fibnuma.binding.afxdp;

import org.fibnuma.binding.libc.StructMemory;
import org.fibnuma.core.port.PortCounter;

/** Maps {@code struct xdp_statistics} to the counters of a port. */
final class XdpStatistics
{
    private XdpStatistics()
    {
    }

    static long read(final StructMemory statistics, final PortCounter counter)
    {
        final long noBuffer = statistics.getLong(XdpLayout.STATISTICS_RX_FILL_EMPTY_OFFSET);
        switch (counter)
        {
            case RX_RING_FULL:
                return statistics.getLong(XdpLayout.STATISTICS_RX_RING_FULL_OFFSET);
            case RX_NO_BUFFER:
                return noBuffer;
            case RX_DROPPED:
                // rx_dropped includes frames for which there was no chunk.
                return Math.max(0, statistics.getLong(XdpLayout.STATISTICS_RX_DROPPED_OFFSET) - noBuffer) +
                    statistics.getLong(XdpLayout.STATISTICS_RX_INVALID_OFFSET);
            case TX_INVALID:
                return statistics.getLong(XdpLayout.STATISTICS_TX_INVALID_OFFSET);
            default:
                return 0;
        }
    }
}
