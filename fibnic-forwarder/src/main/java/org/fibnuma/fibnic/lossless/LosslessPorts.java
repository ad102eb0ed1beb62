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

    /**
     * Those of all ports.
     *
     * @param config   at least one priority is lossless, and nothing in it is wrong.
     * @param names    of the ports, by index.
     * @param workers  number of workers.
     * @param counters to make counters in.
     */
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

    /**
     * How it was configured.
     *
     * @return the table.
     */
    public PfcConfig config()
    {
        return config;
    }

    /**
     * A port.
     *
     * @param index 0 to one less than there are names.
     * @return the port.
     */
    public LosslessPort port(final int index)
    {
        return ports[index];
    }

    /**
     * What shows the counters; for one of the workers.
     *
     * @return of all ports.
     */
    public LosslessCounters counters()
    {
        return counters;
    }
}
