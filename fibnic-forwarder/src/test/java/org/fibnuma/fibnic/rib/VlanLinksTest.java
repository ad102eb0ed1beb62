package org.fibnuma.fibnic.rib;

import org.fibnuma.core.frame.InterfaceNumber;
import org.fibnuma.core.kernel.InterfacePolicy;
import org.fibnuma.core.kernel.KernelLink;
import org.fibnuma.core.kernel.ReversePath;
import org.fibnuma.core.kernel.Transit;
import org.fibnuma.core.wire.MacAddress;
import org.fibnuma.fibnic.adjacency.VlanTable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.Map;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** VLAN interfaces of the kernel become interfaces of the router: left is port 0, right port 1. */
class VlanLinksTest
{
    private static final String MAC = TestKernel.LEFT_MAC;
    private static final long VIRTUAL = 0x0000_5E00_0101L;
    private static final long TAG_100 = 0x8100_0064L;
    private static final long QINQ = 0x88A8_000A_8100_0014L;

    private final TestKernel kernel = TestKernel.started();

    @AfterEach
    void close()
    {
        kernel.close();
    }

    private void vlan(final int index, final int lower, final int etherType, final int vid)
    {
        kernel.tables().onLink(link(index, lower, etherType, vid, false), true);
    }

    private static KernelLink link(
        final int index, final int lower, final int etherType, final int vid, final boolean enslaved)
    {
        return new KernelLink(index, "vlan" + index, MacAddress.parse(MAC), 1400, true,
            new KernelLink.Vlan(lower, etherType, vid, enslaved));
    }

    private int number(final int port, final long tags)
    {
        return kernel.interfaces().vlans().number(port, tags);
    }

    @Test
    void shouldRouteByAVlanInterface()
    {
        vlan(20, TestKernel.LEFT, 0x8100, 100);
        kernel.address(20, "10.100.0.1/24");
        kernel.neighbor(20, "10.100.0.2", "02:00:00:00:00:22");
        kernel.route("via", "192.0.2.0/24", "10.100.0.2", 20);
        final int number = number(0, TAG_100 | 0xE000);
        assertEquals(0, InterfaceNumber.portOf(number));
        assertNotEquals(0, InterfaceNumber.vlanOf(number));
        assertEquals("port 0 via 10.100.0.2 02:00:00:00:00:22 from " + MAC + " mtu 1400", kernel.lookup("192.0.2.1"));
        assertEquals("port 0 via 10.100.0.2 02:00:00:00:00:22 from " + MAC + " mtu 1400", kernel.lookup("10.100.0.2"));
        assertEquals(TAG_100, kernel.interfaces().get(number).tags());
        assertEquals(List.of(0x0A640001), kernel.interfaces().get(number).addresses());
        assertEquals(1400, kernel.interfaces().get(number).mtu());
        assertEquals("LOCAL", kernel.lookup("10.100.0.1"));
        assertEquals(List.of(MacAddress.parse(MAC), Transit.ALL, Transit.ALL), kernel.left().vlans().get(TAG_100));
        assertEquals(Map.of(), kernel.right().vlans());
        assertEquals(VlanTable.UNKNOWN, number(1, TAG_100));
        assertFalse(kernel.interfaces().vlans().has(1));
    }

    /** Routes and neighbours may be reported before the link. */
    @Test
    void shouldTakeAnInterfaceThatAppearsWithItsRoutes()
    {
        kernel.address(20, "10.100.0.1/24");
        kernel.neighbor(20, "10.100.0.2", "02:00:00:00:00:22");
        kernel.route("via", "192.0.2.0/24", "10.100.0.2", 20);
        assertEquals("KERNEL", kernel.lookup("192.0.2.1"));
        vlan(20, TestKernel.LEFT, 0x8100, 100);
        assertEquals("port 0 via 10.100.0.2 02:00:00:00:00:22 from " + MAC + " mtu 1400", kernel.lookup("192.0.2.1"));
        assertEquals("port 0 via 10.100.0.2 02:00:00:00:00:22 from " + MAC + " mtu 1400", kernel.lookup("10.100.0.2"));
        assertEquals("port 0 glean mtu 1400", kernel.lookup("10.100.0.9"));
    }

    @Test
    void shouldLeaveAnInterfaceThatIsRemoved()
    {
        shouldTakeAnInterfaceThatAppearsWithItsRoutes();
        final int number = number(0, TAG_100);
        kernel.linkGone(20, "vlan20");
        assertEquals("KERNEL", kernel.lookup("192.0.2.1"));
        assertEquals(VlanTable.UNKNOWN, number(0, TAG_100));
        assertEquals(Map.of(), kernel.left().vlans());
        assertEquals(TAG_100, kernel.interfaces().get(number).tags(), "frames on their way keep their tags");
        vlan(21, TestKernel.LEFT, 0x8100, 200);
        assertNotEquals(number, number(0, 0x8100_00C8L), "the number is not used again at once");
    }

    @Test
    void shouldStackTwoTagsAndNoMore()
    {
        // The inner interface is reported first.
        vlan(21, 20, 0x8100, 20);
        assertFalse(kernel.interfaces().vlans().has(0));
        vlan(20, TestKernel.LEFT, 0x88A8, 10);
        vlan(22, 21, 0x8100, 30);
        assertTrue(number(0, QINQ) > 0);
        assertTrue(number(0, 0x88A8_000AL) > 0);
        assertNotEquals(number(0, QINQ), number(0, 0x88A8_000AL));
        assertEquals(List.of(20, 21), kernel.tables().links().vlans().interfaces());
        assertEquals(QINQ, kernel.tables().links().vlans().tagsOf(21));
        // Without the outer interface nothing is left of the inner one.
        kernel.linkGone(20, "vlan20");
        assertEquals(List.of(), kernel.tables().links().vlans().interfaces());
        assertEquals(Map.of(), kernel.left().vlans());
    }

    @Test
    void shouldLeaveEnslavedInterfacesToTheKernel()
    {
        vlan(20, TestKernel.LEFT, 0x8100, 100);
        kernel.tables().onLink(link(20, TestKernel.LEFT, 0x8100, 100, true), true);
        assertEquals(VlanTable.KERNEL, number(0, TAG_100));
        assertEquals(Map.of(), kernel.left().vlans());
        assertEquals(List.of(), kernel.tables().links().vlans().interfaces());
        vlan(20, TestKernel.LEFT, 0x8100, 100);
        assertTrue(number(0, TAG_100) > 0);
        assertEquals(1, kernel.left().vlans().size());
    }

    private void macvlan(final int index, final int lower, final boolean up, final KernelLink.Macvlan mode)
    {
        kernel.tables().onLink(new KernelLink(index, "macvlan" + index, VIRTUAL, 1400, up,
            KernelLink.Vlan.macvlan(lower, false, mode)), true);
    }

    private int macvlanNumber(final int lower)
    {
        return kernel.interfaces().vlans().macvlan(lower, VIRTUAL);
    }

    @Test
    void shouldTakeTheFramesToAMacvlan()
    {
        macvlan(30, TestKernel.LEFT, true, KernelLink.Macvlan.OUT);
        kernel.address(30, "10.100.0.1/24");
        kernel.neighbor(30, "10.100.0.2", "02:00:00:00:00:22");
        assertTrue(kernel.interfaces().vlans().hasMacvlans(0));
        assertFalse(kernel.interfaces().vlans().hasMacvlans(1));
        assertTrue(macvlanNumber(0) > 0);
        assertEquals("port 0 via 10.100.0.2 02:00:00:00:00:22 from 00:00:5e:00:01:01 mtu 1400",
            kernel.lookup("10.100.0.2"));
        final long identity = InterfaceNumber.macvlanIdentity(0, VIRTUAL);
        assertEquals(Map.of(identity, List.of(VIRTUAL, Transit.ALL, Transit.ALL)), kernel.left().vlans());

        macvlan(30, TestKernel.LEFT, false, KernelLink.Macvlan.OUT);
        assertEquals(Map.of(identity, List.of(VIRTUAL, Transit.KERNEL, Transit.KERNEL)), kernel.left().vlans(),
            "the kernel decides about frames to an interface that is down");
        kernel.linkGone(30, "macvlan30");
        assertEquals(Map.of(), kernel.left().vlans());
        assertEquals(VlanTable.UNKNOWN, kernel.interfaces().vlans().macvlan(0, VIRTUAL));
    }

    @Test
    void shouldLeaveFramesByABridgingMacvlanToTheKernel()
    {
        macvlan(30, TestKernel.LEFT, true, KernelLink.Macvlan.BRIDGE);
        kernel.address(30, "10.100.0.1/24");
        kernel.neighbor(30, "10.100.0.2", "02:00:00:00:00:22");
        assertTrue(macvlanNumber(0) > 0, "received");
        assertEquals("KERNEL", kernel.lookup("10.100.0.2"));
    }

    @Test
    void shouldTakeAMacvlanOnAVlanAndFollowTheVlan()
    {
        // The upper one is reported first.
        macvlan(30, 40, true, KernelLink.Macvlan.OUT);
        assertEquals(List.of(), kernel.tables().links().vlans().interfaces());
        vlan(40, TestKernel.LEFT, 0x8100, 100);
        final int lower = number(0, TAG_100);
        final int number = macvlanNumber(lower);
        assertTrue(number > 0 && number != lower);
        assertEquals(TAG_100, kernel.interfaces().get(number).tags(), "by which its frames leave");
        assertEquals(VlanTable.UNKNOWN, macvlanNumber(0), "not to frames without the tag");

        vlan(40, TestKernel.LEFT, 0x8100, 200);
        final int changed = number(0, 0x8100_00C8L);
        assertTrue(macvlanNumber(changed) > 0);
        assertEquals(2, kernel.left().vlans().size());
        // An interface above a macvlan interface is the kernel's.
        vlan(50, 30, 0x8100, 300);
        macvlan(51, 30, true, KernelLink.Macvlan.OUT);
        assertEquals(List.of(30, 40), kernel.tables().links().vlans().interfaces());
        kernel.linkGone(40, "vlan40");
        assertEquals(Map.of(), kernel.left().vlans());
    }

    @Test
    void shouldNotTakeVlansOfOtherInterfacesOrWithoutIdentifier()
    {
        vlan(20, TestKernel.MANAGEMENT, 0x8100, 100);
        vlan(21, TestKernel.LEFT, 0x8100, 0);
        vlan(22, TestKernel.LEFT, 0, 100);
        vlan(23, 99, 0x8100, 100);
        vlan(24, 24, 0x8100, 100);
        assertEquals(List.of(), kernel.tables().links().vlans().interfaces());
        assertFalse(kernel.interfaces().vlans().has(0));
    }

    @Test
    void shouldFollowMtuMacAndState()
    {
        shouldRouteByAVlanInterface();
        final KernelLink link = link(20, TestKernel.LEFT, 0x8100, 100, false);
        kernel.tables().onLink(new KernelLink(20, "vlan20", 7, 1300, true, link.vlan()), true);
        assertEquals(
            "port 0 via 10.100.0.2 02:00:00:00:00:22 from 00:00:00:00:00:07 mtu 1300", kernel.lookup("192.0.2.1"));
        assertEquals(List.of(7L, Transit.ALL, Transit.ALL), kernel.left().vlans().get(TAG_100));
        kernel.tables().onLink(new KernelLink(20, "vlan20", 7, 1300, false, link.vlan()), true);
        assertEquals("UNREACHABLE", kernel.lookup("192.0.2.1"));
        kernel.tables().onPort(0, 0);
        assertEquals("KERNEL", kernel.lookup("192.0.2.1"));
    }

    @Test
    void shouldApplyPcpAndPolicy()
    {
        kernel.tables().vlanSettings(new VlanSettings(
            (port, vlan) -> port + 5, new InterfacePolicy(false, ReversePath.OFF, false), number -> {}));
        vlan(20, TestKernel.LEFT, 0x8100, 100);
        final int number = number(0, TAG_100);
        assertEquals(TAG_100 | 5 << 13, kernel.interfaces().get(number).tags());
        assertEquals(
            List.of(MacAddress.parse(MAC), Transit.KERNEL, Transit.KERNEL), kernel.left().vlans().get(TAG_100));
        kernel.tables().vlanPolicy(number, new InterfacePolicy(true, ReversePath.STRICT, false));
        assertEquals(List.of(MacAddress.parse(MAC), Transit.ALL, Transit.KERNEL), kernel.left().vlans().get(TAG_100));
        kernel.address(20, "10.100.0.1/24");
        assertEquals(ReversePath.STRICT, kernel.interfaces().get(number).policy().reversePath());
    }

    @Test
    void shouldForgetWhatADumpDoesNotReport()
    {
        vlan(20, TestKernel.LEFT, 0x8100, 100);
        kernel.tables().onDumpStart();
        kernel.dumpLinksAndConnected();
        vlan(21, TestKernel.LEFT, 0x8100, 200);
        assertTrue(number(0, TAG_100) > 0);
        kernel.tables().onDumpEnd();
        assertEquals(VlanTable.UNKNOWN, number(0, TAG_100));
        assertTrue(number(0, 0x8100_00C8L) > 0);
    }

    @Test
    void shouldLeaveFurtherInterfacesToTheKernel()
    {
        kernel.tables().onDumpStart();
        for (int i = 0; i < InterfaceNumber.MAX_VLANS + 1; i++)
        {
            vlan(100 + i, i < 4094 ? TestKernel.LEFT : TestKernel.RIGHT, 0x8100, i % 4094 + 1);
        }
        assertEquals(InterfaceNumber.MAX_VLANS, kernel.tables().links().vlans().interfaces().size());
        assertEquals(VlanTable.KERNEL, kernel.tables().links().vlans().table().number(1, 0x8100_0001L));
    }
}
