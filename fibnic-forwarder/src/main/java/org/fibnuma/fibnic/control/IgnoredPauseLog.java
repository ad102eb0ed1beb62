package org.fibnuma.fibnic.control;

import org.agrona.concurrent.status.CountersReader;
import org.fibnuma.fibnic.lossless.LosslessReport;
import org.fibnuma.pfc.config.PfcConfig;
import org.fibnuma.pfc.priority.PfcCounter;
import org.fibnuma.pfc.wire.MacControl;

import java.util.List;
import java.util.function.Consumer;

/** Logs the first PFC pause of a peer for each priority that is not lossless; the router does not obey it. */
final class IgnoredPauseLog
{
    private final PfcConfig config;
    private final List<String> ports;
    private final CountersReader counters;
    private final Consumer<String> log;
    private final int[] logged;

    /** The configuration is null where no priority is lossless. */
    IgnoredPauseLog(
        final PfcConfig config, final List<String> ports, final CountersReader counters, final Consumer<String> log)
    {
        this.config = config;
        this.ports = ports;
        this.counters = counters;
        this.log = log;
        this.logged = new int[ports.size()];
    }

    /** Polls every port; returns the number of log lines, at most one for each port. */
    int poll()
    {
        if (config == null)
        {
            return 0;
        }
        final LosslessReport report = LosslessReport.of(counters);
        int lines = 0;
        for (int port = 0; port < logged.length; port++)
        {
            final int added = ignored(report, port) & ~logged[port];
            if (added != 0)
            {
                logged[port] |= added;
                log.accept("port " + ports.get(port) + ": the peer pauses " + FlowControlFacts.names(added) +
                    ", not lossless here; pauses of these are not obeyed; " +
                    "add them to lossless in [pfc] or disable them at the peer");
                lines++;
            }
        }
        return lines;
    }

    private static int ignored(final LosslessReport report, final int port)
    {
        int priorities = 0;
        for (int priority = 0; priority < MacControl.PRIORITIES; priority++)
        {
            priorities |= report.get(port, priority, PfcCounter.XOFF_IGNORED) > 0 ? 1 << priority : 0;
        }
        return priorities;
    }
}
