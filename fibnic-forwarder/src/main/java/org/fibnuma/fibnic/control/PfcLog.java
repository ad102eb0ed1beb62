package org.fibnuma.fibnic.control;

import org.agrona.concurrent.status.CountersReader;
import org.fibnuma.fibnic.lossless.LosslessReport;
import org.fibnuma.pfc.config.PfcConfig;
import org.fibnuma.pfc.priority.PfcCounter;
import org.fibnuma.pfc.watchdog.StormAction;
import org.fibnuma.pfc.watchdog.WatchdogSettings;
import org.fibnuma.pfc.wire.MacControl;

import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;

/**
 * Logs start and end of each storm of PFC pauses. Logs the first PFC pause of a peer for each priority that is not
 * lossless: the router does not obey it. Reads the counters of the workers.
 */
final class PfcLog
{
    private final PfcConfig config;
    private final List<String> ports;
    private final CountersReader counters;
    private final Consumer<String> log;
    private final long[] detected;
    private final long[] restored;
    private final long[] droppedBefore;
    /** By port, one bit for each priority. */
    private final int[] ignored;

    /** The configuration is null where no priority is lossless. */
    PfcLog(
        final PfcConfig config, final List<String> ports, final CountersReader counters, final Consumer<String> log)
    {
        this.config = config;
        this.ports = ports;
        this.counters = counters;
        this.log = log;
        final int queues = ports.size() * MacControl.PRIORITIES;
        this.detected = new long[queues];
        this.restored = new long[queues];
        this.droppedBefore = new long[queues];
        this.ignored = new int[ports.size()];
    }

    /** Polls every priority of every port; returns the number of log lines. */
    int poll()
    {
        if (config == null)
        {
            return 0;
        }
        final LosslessReport report = LosslessReport.of(counters);
        int lines = 0;
        for (int port = 0; port < ports.size(); port++)
        {
            lines += pollIgnored(report, port);
            for (int rest = config.watchdog() == null ? 0 : config.losslessPriorities(); rest != 0; rest &= rest - 1)
            {
                lines += pollStorms(report, port, Integer.numberOfTrailingZeros(rest));
            }
        }
        return lines;
    }

    private int pollIgnored(final LosslessReport report, final int port)
    {
        int added = 0;
        for (int priority = 0; priority < MacControl.PRIORITIES; priority++)
        {
            added |= report.get(port, priority, PfcCounter.XOFF_IGNORED) > 0 ? 1 << priority & ~ignored[port] : 0;
        }
        if (added == 0)
        {
            return 0;
        }
        ignored[port] |= added;
        log.accept("port " + ports.get(port) + ": the peer pauses " + FlowControlFacts.names(added) +
            ", not lossless here; pauses of these are not obeyed; " +
            "add them to lossless in [pfc] or disable them at the peer");
        return 1;
    }

    private int pollStorms(final LosslessReport report, final int port, final int priority)
    {
        final int queue = port * MacControl.PRIORITIES + priority;
        final long nowDetected = report.get(port, priority, PfcCounter.STORMS_DETECTED);
        final long nowRestored = report.get(port, priority, PfcCounter.STORMS_RESTORED);
        final long dropped = report.get(port, priority, PfcCounter.DROPPED_IN_STORM);
        int lines = 0;
        // Start and end in turn, because a storm may begin and end between two polls.
        while (detected[queue] < nowDetected || restored[queue] < nowRestored)
        {
            if (detected[queue] == restored[queue])
            {
                detected[queue]++;
                log.accept(began(port, priority));
            }
            else
            {
                restored[queue]++;
                log.accept(String.format(Locale.ROOT,
                    "port %s: the storm of pauses for priority %d is over; frames dropped during it: %d",
                    ports.get(port), priority, dropped - droppedBefore[queue]));
                droppedBefore[queue] = dropped;
            }
            lines++;
        }
        return lines;
    }

    private String began(final int port, final int priority)
    {
        final WatchdogSettings watchdog = config.watchdog();
        return String.format(Locale.ROOT,
            "port %s: storm of pauses: the peer has stopped priority %d for %d ms; " +
            "until no pause arrives for %d ms, %s",
            ports.get(port), priority, watchdog.detectionMs(), watchdog.restoreMs(), consequence(watchdog.action()));
    }

    private static String consequence(final StormAction action)
    {
        return switch (action)
        {
            case DROP -> "its frames are dropped";
            case FORWARD -> "its frames are sent despite the pauses";
            case ALERT -> "its frames stay queued";
        };
    }
}
