package org.fibnuma.fibnic.control;

import org.fibnuma.core.port.Port;
import org.fibnuma.pfc.config.MacFlowControl;
import org.fibnuma.pfc.config.PfcConfig;
import org.fibnuma.pfc.wire.MacControl;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Asks the MACs of the ports for flow control where the configuration wants that, and says what came of it. */
final class FlowControlFacts
{
    private FlowControlFacts()
    {
    }

    /** Asks; yields one line for each port. The ports have started. */
    static List<String> ask(final PfcConfig pfc, final List<Port> ports)
    {
        final List<String> lines = new ArrayList<>();
        for (final Port port : ports)
        {
            final MacFlowControl wanted = pfc.linkOf(port.name()).mac();
            lines.add("port " + port.name() + ": " + ask(port, wanted, pfc.losslessPriorities()));
        }
        return lines;
    }

    private static String ask(final Port port, final MacFlowControl wanted, final int priorities)
    {
        if (wanted == MacFlowControl.OFF)
        {
            return "pauses are sent and obeyed by the router";
        }
        final boolean ofPriorities = wanted == MacFlowControl.PFC;
        final String what = ofPriorities ? "PFC for " + names(priorities) : "PAUSE for the whole link";
        final String refusal = port.macFlowControl(ofPriorities ? priorities : 0);
        return refusal.isEmpty() ?
            what + " is sent and obeyed by the device; the router sends pauses too for what it holds" :
            what + " by the device is not possible (" + refusal + "): pauses are sent and obeyed by the router";
    }

    /** Such as {@code priority 3, priority 4}. */
    static String names(final int priorities)
    {
        return IntStream.range(0, MacControl.PRIORITIES).filter(i -> (priorities & 1 << i) != 0)
            .mapToObj(i -> "priority " + i).collect(Collectors.joining(", "));
    }
}
