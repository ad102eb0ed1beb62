package org.fibnuma.fibnic.control;

import org.agrona.concurrent.EpochClock;
import org.fibnuma.core.port.ConfigurableDevice;
import org.fibnuma.core.port.FlowControlAnswer;
import org.fibnuma.core.port.Port;
import org.fibnuma.pfc.config.MacFlowControl;
import org.fibnuma.pfc.config.PfcConfig;
import org.fibnuma.pfc.wire.MacControl;

import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Configures flow control in the MACs of the ports and logs the result in one line for each port. A device that refuses
 * for the moment, for example while its link negotiates, is tried again for {@link #PATIENCE_MS}. Control thread,
 * except {@link #start}.
 */
final class FlowControlFacts
{
    /** A link negotiates for a few seconds; some start again when flow control is set. */
    static final long PATIENCE_MS = TimeUnit.SECONDS.toMillis(30);

    /** Interval of attempts while the link of a device does not come up. */
    static final long RETRY_INTERVAL_MS = TimeUnit.SECONDS.toMillis(1);

    private final PfcConfig pfc;
    private final List<Port> ports;
    private final EpochClock clock;
    private final Consumer<String> log;
    private final boolean[] settled;
    private final boolean[] wasUp;
    private final long[] nextMs;
    private long deadlineMs = Long.MAX_VALUE;
    private volatile boolean started;

    /** The configuration is null where no priority is lossless. */
    FlowControlFacts(
        final PfcConfig pfc, final List<Port> ports, final EpochClock clock, final Consumer<String> log)
    {
        this.pfc = pfc;
        this.ports = ports;
        this.clock = clock;
        this.log = log;
        this.settled = new boolean[ports.size()];
        this.wasUp = new boolean[ports.size()];
        this.nextMs = new long[ports.size()];
    }

    /** Enables the attempts; the ports must have started. Any thread. */
    void start()
    {
        started = true;
    }

    /** Makes the attempts that are due; returns the number of log lines. */
    int poll()
    {
        if (pfc == null || !started)
        {
            return 0;
        }
        final long nowMs = clock.time();
        if (deadlineMs == Long.MAX_VALUE)
        {
            deadlineMs = nowMs + PATIENCE_MS;
        }
        int lines = 0;
        for (int port = 0; port < settled.length; port++)
        {
            if (!settled[port] && isDue(port, nowMs))
            {
                nextMs[port] = nowMs + RETRY_INTERVAL_MS;
                lines += configure(port, nowMs >= deadlineMs);
            }
        }
        return lines;
    }

    /** Returns whether the link of a port has just come up or a retry is due. */
    private boolean isDue(final int port, final long nowMs)
    {
        final boolean up = ports.get(port).linkUp();
        final boolean came = up && !wasUp[port];
        wasUp[port] = up;
        return came || nowMs >= nextMs[port];
    }

    private int configure(final int index, final boolean last)
    {
        final Port port = ports.get(index);
        final MacFlowControl wanted = pfc.linkOf(port.name()).mac();
        final String what = wanted == MacFlowControl.PFC ?
            "PFC for " + names(pfc.losslessPriorities()) : "PAUSE for the whole link";
        final String line;
        if (wanted == MacFlowControl.OFF)
        {
            line = "pauses are sent and obeyed by the router";
        }
        else
        {
            final FlowControlAnswer answer = port.capability(ConfigurableDevice.class)
                .map(device -> device.enableFlowControl(wanted == MacFlowControl.PFC ? pfc.losslessPriorities() : 0))
                .orElseGet(() -> FlowControlAnswer.notPossible("the port has no MAC of its own"));
            if (answer.outcome() == FlowControlAnswer.Outcome.NOT_NOW && !last)
            {
                return 0;
            }
            line = answer.outcome() == FlowControlAnswer.Outcome.DONE ?
                what + " is sent and obeyed by the device; the router sends pauses too for what it holds" :
                what + " by the device is not possible (" + answer.reason() + tried(answer) +
                "): pauses are sent and obeyed by the router";
        }
        settled[index] = true;
        log.accept("port " + port.name() + ": " + line);
        return 1;
    }

    private static String tried(final FlowControlAnswer answer)
    {
        return answer.outcome() == FlowControlAnswer.Outcome.NOT_NOW ?
            ", for " + TimeUnit.MILLISECONDS.toSeconds(PATIENCE_MS) + " s" : "";
    }

    /** Such as {@code priority 3, priority 4}. */
    static String names(final int priorities)
    {
        return IntStream.range(0, MacControl.PRIORITIES).filter(i -> (priorities & 1 << i) != 0)
            .mapToObj(i -> "priority " + i).collect(Collectors.joining(", "));
    }
}
