package org.fibnuma.fibnic.fate;

import org.agrona.concurrent.status.AtomicCounter;
import org.agrona.concurrent.status.CountersManager;

/** Type ids and keys of the counters of the workers in a counters file. */
final class FateLayout
{
    /** Type id of {@link ForwarderCounter} 0. */
    static final int FORWARDER_TYPE = 1000;
    /** Type id of {@link DropReason} 0. */
    static final int DROP_TYPE = 1100;
    /** Type id of {@link PortTraffic} 0. */
    static final int PORT_TYPE = 1200;

    static final int WORKER_OFFSET = 0;
    static final int PORT_OFFSET = WORKER_OFFSET + Integer.BYTES;

    private static final int NO_PORT = -1;

    private FateLayout()
    {
    }

    static String portLabel(final int worker, final String port, final PortTraffic traffic)
    {
        return "worker " + worker + " port " + port + " " + traffic.label();
    }

    static AtomicCounter create(
        final CountersManager counters, final int type, final int worker, final String label)
    {
        return create(counters, type, worker, NO_PORT, "worker " + worker + " " + label);
    }

    static AtomicCounter create(
        final CountersManager counters, final int type, final int worker, final int port, final String label)
    {
        return counters.newCounter(
            label,
            type,
            key ->
            {
                key.putInt(WORKER_OFFSET, worker);
                key.putInt(PORT_OFFSET, port);
            });
    }
}
