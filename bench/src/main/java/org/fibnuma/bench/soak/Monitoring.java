package org.fibnuma.bench.soak;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.Lock;

/** Reads the state of the router as a monitoring system does, each time by new connections. */
final class Monitoring extends RepeatedLoad
{
    private static final Duration INTERVAL = Duration.ofSeconds(1);
    private static final List<String> REQUESTS =
        List.of("ports", "drops", "flows", "stages", "neighbors", "acl", "host");

    private final SoakRig rig;

    Monitoring(final SoakRig rig, final Lock turn)
    {
        super("show", turn, INTERVAL);
        this.rig = rig;
    }

    @Override
    void step() throws IOException
    {
        for (final String request : REQUESTS)
        {
            rig.ask(request);
        }
    }
}
