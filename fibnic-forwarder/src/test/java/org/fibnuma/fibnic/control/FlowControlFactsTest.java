package org.fibnuma.fibnic.control;

import org.fibnuma.core.frame.FramePool;
import org.fibnuma.core.memory.MemoryRegion;
import org.fibnuma.core.port.ConfigurableDevice;
import org.fibnuma.core.port.DelegatingPort;
import org.fibnuma.core.port.FlowControlAnswer;
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

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.function.Consumer;

import static org.junit.jupiter.api.Assertions.assertEquals;

/** What is asked of ports, one of which writes it down and does it, and what is said of it. */
class FlowControlFactsTest
{
    private static final long GBPS = 1_000_000_000L;

    private static final FlowControlAnswer NEGOTIATING =
        FlowControlAnswer.notNow("card cannot do flow control: Input/output error");

    private final List<Integer> asked = new ArrayList<>();
    private final List<String> lines = new ArrayList<>();
    private final Queue<FlowControlAnswer> answers = new ArrayDeque<>();
    private boolean up = true;
    private long nowMs = 1_000_000;

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

    @Test
    void shouldAskAgainWhileTheLinkNegotiatesAndSayTheFinalAnswerOnce()
    {
        answers.add(NEGOTIATING);
        answers.add(NEGOTIATING);
        answers.add(FlowControlAnswer.DONE);
        withPorts(MacFlowControl.PAUSE, facts ->
        {
            assertEquals(1, facts.poll(), "the line of the port that cannot");
            nowMs += FlowControlFacts.RETRY_INTERVAL_MS - 1;
            assertEquals(0, facts.poll());
            assertEquals(1, asked.size(), "asked before it was time");
            nowMs++;
            assertEquals(0, facts.poll());
            nowMs += FlowControlFacts.RETRY_INTERVAL_MS;
            assertEquals(1, facts.poll());
            nowMs += FlowControlFacts.PATIENCE_MS;
            assertEquals(0, facts.poll());
            assertEquals(3, asked.size());
            assertEquals("port able: PAUSE for the whole link is sent and obeyed by the device; the router sends " +
                "pauses too for what it holds", lines.get(1));
        });
    }

    @Test
    void shouldAskAgainAtOnceWhenTheLinkComesUp()
    {
        answers.add(NEGOTIATING);
        answers.add(FlowControlAnswer.DONE);
        up = false;
        withPorts(MacFlowControl.PAUSE, facts ->
        {
            facts.poll();
            nowMs++;
            assertEquals(0, facts.poll());
            up = true;
            assertEquals(1, facts.poll());
            assertEquals(2, asked.size());
        });
    }

    @Test
    void shouldGiveUpWhenTheLinkNegotiatesForever()
    {
        withPorts(MacFlowControl.PAUSE, facts ->
        {
            final long endMs = nowMs + 2 * FlowControlFacts.PATIENCE_MS;
            for (; nowMs < endMs; nowMs += 100)
            {
                answers.clear();
                answers.add(NEGOTIATING);
                facts.poll();
            }
            assertEquals(FlowControlFacts.PATIENCE_MS / FlowControlFacts.RETRY_INTERVAL_MS + 1, asked.size());
            assertEquals(2, lines.size(), lines::toString);
            assertEquals("port able: PAUSE for the whole link by the device is not possible (card cannot do flow " +
                "control: Input/output error, for 30 s): pauses are sent and obeyed by the router", lines.get(1));
        });
    }

    @Test
    void shouldNotAskADeviceAgainThatCannot()
    {
        answers.add(FlowControlAnswer.notPossible("Operation not supported"));
        withPorts(MacFlowControl.PFC, facts ->
        {
            assertEquals(2, facts.poll());
            nowMs += FlowControlFacts.PATIENCE_MS;
            assertEquals(0, facts.poll());
            assertEquals(1, asked.size());
        });
    }

    @Test
    void shouldAskNothingBeforeThePortsHaveStarted()
    {
        final FlowControlFacts facts = new FlowControlFacts(config(MacFlowControl.PFC), List.of(), () -> 0, lines::add);
        assertEquals(0, facts.poll());
        assertEquals(0, new FlowControlFacts(null, List.of(), () -> 0, lines::add).poll());
    }

    private List<String> ask(final MacFlowControl wanted)
    {
        withPorts(wanted, FlowControlFacts::poll);
        return lines;
    }

    private void withPorts(final MacFlowControl wanted, final Consumer<FlowControlFacts> body)
    {
        try (MemoryRegion region = MemoryRegion.ofChunks(16, 2048);
            Port able = new AblePort(port("able", region));
            Port unable = port("unable", region))
        {
            final FlowControlFacts facts =
                new FlowControlFacts(config(wanted), List.of(able, unable), () -> nowMs, lines::add);
            assertEquals(0, facts.poll(), "the ports have not started");
            facts.start();
            body.accept(facts);
        }
    }

    private static PfcConfig config(final MacFlowControl wanted)
    {
        final PfcLink link = new PfcLink(
            "", 1, GBPS, 20_000, 5_000, 10_000, HeadroomModel.OWN.compute(new HeadroomRequest(GBPS)), wanted);
        return new PfcConfig(
            1, 1 << 3 | 1 << 5, PriorityClassifier.byPcp(), PausePolicyKind.POOC, PauseTimeLaw.DEFAULT, 0, 2, link,
            Map.of(), null, null);
    }

    private static Port port(final String name, final MemoryRegion region)
    {
        return Ports.open(new PortRequest(
            name, "mem:flow-control-" + name, 0, List.of(new FramePool(region, 2048, 0, 0)),
            new PortSettings(64, 64, 0, 0, false)));
    }

    private final class AblePort extends DelegatingPort implements ConfigurableDevice
    {
        AblePort(final Port port)
        {
            super(port);
        }

        @Override
        public FlowControlAnswer enableFlowControl(final int priorities)
        {
            asked.add(priorities);
            return answers.isEmpty() ? FlowControlAnswer.DONE : answers.remove();
        }

        @Override
        public boolean isFlowControlEnabled()
        {
            return false;
        }

        @Override
        public void adopt(final long macAddress, final int mtu)
        {
        }

        @Override
        public boolean linkUp()
        {
            return up;
        }
    }
}
