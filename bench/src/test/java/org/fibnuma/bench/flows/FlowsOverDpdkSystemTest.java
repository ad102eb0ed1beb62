package org.fibnuma.bench.flows;

import org.fibnuma.bench.flows.Conversation.Socket;
import org.fibnuma.bench.lab.NamespaceTest;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertEquals;

/** DPDK ports: workers find the flows, and pass all other frames to the kernel by the TAP interface of the port. */
@NamespaceTest("dpdk-testpmd")
class FlowsOverDpdkSystemTest
{
    @Nested
    @Tag("slow")
    class Forwarding extends FlowForwardingSystemTest
    {
        @Override
        FlowLab openLab()
        {
            return FlowLab.openDpdk("r0", "r1", "r2");
        }
    }

    @Nested
    @Tag("slow")
    class Packets extends FlowPacketSystemTest
    {
        @Override
        FlowLab openLab()
        {
            return FlowLab.openDpdk("r0", "r1", "r2");
        }
    }

    @Nested
    @Tag("slow")
    class Closing extends FlowClosingSystemTest
    {
        @Override
        FlowLab openLab()
        {
            return FlowLab.openDpdk("r0", "r1", "r2");
        }
    }

    @Nested
    @Tag("slow")
    class Ruleset extends FlowRulesetSystemTest
    {
        @Override
        FlowLab openLab()
        {
            return FlowLab.openDpdk("r0", "r1", "r2");
        }
    }

    /** Point 19, as far as the kernel keeps the interface: the entries wait until the next router. */
    @Test
    void shouldGoOnWithConnectionsOfAKilledRouter()
    {
        try (FlowLab lab = FlowLab.openDpdk("r0", "r1", "r2"))
        {
            lab.rules(Rules.MASQUERADE);
            lab.start();
            final int port = FlowLab.newPort();
            final Socket own = new Socket(FlowLab.CLIENT, FlowLab.newPort());
            final Socket peer = new Socket(FlowLab.SERVER, port);
            final Conversation conversation = Conversation.tcp(
                lab, lab.client(), own, peer, lab.server(), peer, own.at(FlowLab.TO_SERVER)).learn();
            lab.lab().process().kill();
            assertEquals(1, lab.entries(port).size());
            lab.start();
            conversation.learn().assertForwarded();
            assertEquals(1, lab.entries(port).size());
        }
    }

    /** Between an AF_XDP port and a DPDK port. */
    @Nested
    @Tag("slow")
    class Mixed extends FlowForwardingSystemTest
    {
        @Override
        FlowLab openLab()
        {
            return FlowLab.openDpdk("r1");
        }
    }
}
