package org.fibnuma.fibnic.control;

import org.fibnuma.core.frame.FramePool;
import org.fibnuma.core.memory.MemoryRegion;
import org.fibnuma.core.port.DelegatingPort;
import org.fibnuma.core.port.Port;
import org.fibnuma.core.port.PortRequest;
import org.fibnuma.core.port.PortSettings;
import org.fibnuma.core.port.Ports;
import org.fibnuma.pfc.config.MacFlowControl;
import org.fibnuma.pfc.config.PfcConfig;
import org.fibnuma.pfc.config.PfcLink;
import org.fibnuma.pfc.headroom.HeadroomModel;
import org.fibnuma.pfc.headroom.HeadroomRequest;
import org.fibnuma.pfc.policy.PausePolicyKind;
import org.fibnuma.pfc.policy.PauseTimeLaw;
import org.fibnuma.pfc.priority.PriorityClassifier;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import static org.junit.jupiter.api.Assertions.assertEquals;

/** What is asked of ports, one of which writes it down and does it, and what is said of it. */
class FlowControlFactsTest
{
    private static final long GBPS = 1_000_000_000L;

    private final List<Integer> asked = new ArrayList<>();

    @Test
    void shouldAskOnlyWhereThatIsWanted()
    {
        assertEquals(
            List.of(
                "port able: pauses are sent and obeyed by the router",
                "port unable: pauses are sent and obeyed by the router"),
            ask(MacFlowControl.OFF));
        assertEquals(List.of(), asked);
    }

    @Test
    void shouldAskForTheLosslessPrioritiesAndSayWhoDoesIt()
    {
        assertEquals(
            List.of(
                "port able: PFC for priority 3, priority 5 is sent and obeyed by the device; the router sends pauses " +
                    "too for what it holds",
                "port unable: PFC for priority 3, priority 5 by the device is not possible (the port has no MAC of " +
                    "its own): pauses are sent and obeyed by the router"),
            ask(MacFlowControl.PFC));
        assertEquals(List.of(1 << 3 | 1 << 5), asked);
    }

    @Test
    void shouldAskForTheWholeLink()
    {
        assertEquals(
            "port able: PAUSE for the whole link is sent and obeyed by the device; the router sends pauses too for " +
                "what it holds",
            ask(MacFlowControl.PAUSE).get(0));
        assertEquals(List.of(0), asked);
    }

    private List<String> ask(final MacFlowControl wanted)
    {
        final PfcLink link = new PfcLink(
            "", 1, GBPS, 20_000, 5_000, 10_000, HeadroomModel.OWN.compute(new HeadroomRequest(GBPS)), wanted);
        final PfcConfig config = new PfcConfig(
            1, 1 << 3 | 1 << 5, PriorityClassifier.byPcp(), PausePolicyKind.POOC, PauseTimeLaw.DEFAULT, 0, 2, link,
            Map.of(), null, null);
        try (MemoryRegion region = MemoryRegion.ofChunks(16, 2048);
            Port able = new AblePort(port("able", region));
            Port unable = port("unable", region))
        {
            return FlowControlFacts.ask(config, List.of(able, unable));
        }
    }

    private static Port port(final String name, final MemoryRegion region)
    {
        return Ports.open(new PortRequest(
            name, "mem:flow-control-" + name, 0, List.of(new FramePool(region, 2048, 0, 0)),
            new PortSettings(64, 64, 0, 0, false)));
    }

    private final class AblePort extends DelegatingPort
    {
        AblePort(final Port port)
        {
            super(port);
        }

        @Override
        public String macFlowControl(final int priorities)
        {
            asked.add(priorities);
            return "";
        }
    }
}
