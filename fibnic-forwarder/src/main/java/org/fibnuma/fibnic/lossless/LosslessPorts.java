package org.fibnuma.fibnic.lossless;

import org.agrona.concurrent.status.CountersManager;
import org.fibnuma.pfc.config.PfcConfig;

import java.util.List;

/** The lossless priorities of a router: its ports and their counters, shared by all workers. */
public final class LosslessPorts
{
    private final PfcConfig config;
    private final LosslessPort[] ports;
    private final LosslessCounters counters;

    /** Creates the ports, by their names, and counters; the valid configuration has at least one lossless priority. */
    public LosslessPorts(
        final PfcConfig config, final List<String> names, final int workers, final CountersManager counters)
    {
        this.config = config;
        this.ports = new LosslessPort[names.size()];
        for (int i = 0; i < ports.length; i++)
        {
            ports[i] = new LosslessPort(config, config.linkOf(names.get(i)), i, workers);
        }
        this.counters = new LosslessCounters(counters, ports, names, config.losslessPriorities());
    }

    /** Returns the configuration of all ports. */
    public PfcConfig config()
    {
        return config;
    }

    /** Returns a port by its index in configuration order, from 0. */
    public LosslessPort port(final int index)
    {
        return ports[index];
    }

    /** Returns the publisher of the counters of all ports, for one of the workers. */
    public LosslessCounters counters()
    {
        return counters;
    }
}
