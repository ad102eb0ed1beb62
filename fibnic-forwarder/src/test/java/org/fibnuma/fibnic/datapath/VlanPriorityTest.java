package org.fibnuma.fibnic.datapath;

import org.fibnuma.core.frame.InterfaceNumber;
import org.fibnuma.core.kernel.KernelAddress;
import org.fibnuma.core.wire.IpAddress;
import org.fibnuma.core.wire.VlanTag;
import org.fibnuma.fibnic.adjacency.Adjacency;
import org.fibnuma.fibnic.adjacency.RouterInterface;
import org.fibnuma.fibnic.adjacency.VlanTable;
import org.fibnuma.pfc.priority.PriorityClassifier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import java.util.HexFormat;
import java.util.List;
import java.util.Map;

import static org.junit.jupiter.api.Assertions.assertEquals;

/**
 * The priority of forwarded frames with lossless priority 3: VLAN 100 on port 0, VLAN 20 in service VLAN 10 on port 1.
 * Tags are written as hex.
 */
class VlanPriorityTest
{
    private static final int ADDRESSES = 12;

    private RouterFixture router;

    @AfterEach
    void close()
    {
        router.close();
    }

    private void open(final PriorityClassifier classifier)
    {
        router = RouterFixture.lossless(PriorityTagInputTest.config(classifier, null), 1);
        router.run();
        final int in = InterfaceNumber.ofVlan(0, 1);
        final int out = InterfaceNumber.ofVlan(1, 2);
        final long outTags = 0x88A8_000A_8100_0014L;
        router.interfaces.set(in, interfaceOf(0, "10.100.0.1").withTags(0x8100_0064L));
        router.interfaces.set(out, interfaceOf(1, "10.20.1.1").withTags(VlanTag.withPcp(outTags, 1)));
        router.interfaces.vlans(new VlanTable(Map.of(0, Map.of(0x8100_0064L, in), 1, Map.of(outTags, out))));
        router.adjacencies.set(900, Adjacency.forward(
            out, IpAddress.parse("10.20.1.2"), 1400, RouterFixture.hostMac(1), RouterFixture.routerMac(1)));
        router.adjacencies.set(901, Adjacency.forward(
            in, IpAddress.parse("10.100.0.2"), 1400, RouterFixture.hostMac(0), RouterFixture.routerMac(0)));
        router.route("10.20.1.0", 24, 900);
        router.route("10.100.0.0", 24, 901);
    }

    private static RouterInterface interfaceOf(final int port, final String address)
    {
        return RouterInterface.of(RouterFixture.routerMac(port), 1400,
            List.of(new KernelAddress(0, IpAddress.parse(address), 24)), false);
    }

    @Test
    void shouldKeepThePcpOfTheOutermostTag()
    {
        open(PriorityClassifier.byPcp());
        assertEquals("88a8600a810060140800", forward("81006064", 0, "10.100.0.2", "10.20.1.2", 20));
        assertEquals("88a8e00a8100e0140800", forward("8100f064", 0, "10.100.0.2", "10.20.1.2", 20));
        assertEquals("88a8000a810000140800", forward("", 0, "10.0.0.2", "10.20.1.2", 20));
        assertEquals("88a8600a810060140800", forward("81006000", 0, "10.0.0.2", "10.20.1.2", 20));
        assertEquals("810080640800", forward("88a8800a81006014", 1, "10.20.1.2", "10.100.0.2", 12));
        // Without a VLAN only the priority is left.
        assertEquals("810060000800", forward("81006064", 0, "10.100.0.2", "10.0.1.2", 12));
        assertEquals("810080000800", forward("88a8800a81006014", 1, "10.20.1.2", "10.0.0.2", 12));
        assertEquals("08004500", forward("", 1, "10.0.1.2", "10.0.0.2", 8));
        router.assertBalanced();
    }

    @Test
    void shouldWriteThePriorityOfTheDscp()
    {
        open(PriorityClassifier.byDscp(PriorityClassifier.classSelectors()));
        assertEquals("88a8a00a8100a0140800", forward("81006064", 0, "10.100.0.2", "10.20.1.2", 20, 5 << 5));
        assertEquals("080045a0", forward("81006064", 0, "10.100.0.2", "10.0.1.2", 8, 5 << 5));
        router.assertBalanced();
    }

    @Test
    void shouldTagEveryFragmentWithThePriority()
    {
        open(PriorityClassifier.byPcp());
        router.receive(0, tagged("81006064",
            TestFrame.ipv4().source("10.100.0.2").destination("10.20.1.2").payload(1460).bytes()));
        router.run();
        final List<byte[]> fragments = router.sent(1);
        assertEquals(2, fragments.size());
        fragments.forEach(fragment -> assertEquals("88a8600a810060140800", behindAddresses(fragment, 20)));
        router.assertBalanced();
    }

    private String forward(
        final String tags, final int port, final String source, final String destination, final int digits)
    {
        return forward(tags, port, source, destination, digits, 0);
    }

    private String forward(
        final String tags,
        final int port,
        final String source,
        final String destination,
        final int digits,
        final int trafficClass)
    {
        router.receive(port, tagged(tags, TestFrame.ipv4().to("02:00:00:00:01:0" + port).source(source)
            .destination(destination).trafficClass(trafficClass).payload(60).bytes()));
        router.run();
        final List<byte[]> sent = router.sent(1 - port);
        assertEquals(1, sent.size());
        return behindAddresses(sent.get(0), digits);
    }

    private static String behindAddresses(final byte[] frame, final int digits)
    {
        return HexFormat.of().formatHex(frame, ADDRESSES, ADDRESSES + digits / 2);
    }

    private static byte[] tagged(final String tags, final byte[] frame)
    {
        final String hex = HexFormat.of().formatHex(frame);
        return TestFrame.hex(hex.substring(0, 2 * ADDRESSES) + tags + hex.substring(2 * ADDRESSES));
    }
}
