package org.fibnuma.fibnic.rib;

import org.fibnuma.core.kernel.KernelLink;
import org.fibnuma.core.wire.IpPrefix;
import org.fibnuma.core.wire.MacAddress;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import static org.fibnuma.fibnic.rib.TestKernel.LEFT;
import static org.fibnuma.fibnic.rib.TestKernel.RIGHT;
import static org.junit.jupiter.api.Assertions.assertEquals;

/** Frames that a restriction of the host concerns by their egress or their addresses are the kernel's. */
class LeftToKernelTest
{
    private static final int VLAN = 20;
    private static final String HOST_MAC = "02:00:00:00:00:77";
    private static final String BY_PORT =
        "port 0 via 10.0.0.2 " + HOST_MAC + " from " + TestKernel.LEFT_MAC + " mtu 1500";
    private static final String BY_VLAN =
        "port 0 via 10.100.0.2 " + HOST_MAC + " from " + TestKernel.LEFT_MAC + " mtu 1400";

    private final TestKernel kernel = TestKernel.started();

    @BeforeEach
    void addRoutes()
    {
        kernel.tables().onLink(new KernelLink(VLAN, "left.100", MacAddress.parse(TestKernel.LEFT_MAC), 1400, true,
            new KernelLink.Vlan(LEFT, 0x8100, 100, false)), true);
        kernel.address(VLAN, "10.100.0.1/24");
        kernel.neighbor(VLAN, "10.100.0.2", HOST_MAC);
        kernel.neighbor(LEFT, "10.0.0.2", HOST_MAC);
        kernel.route("via", "192.0.2.0/24", "10.0.0.2", LEFT);
        assertDecisions(BY_PORT, BY_VLAN);
    }

    @AfterEach
    void close()
    {
        kernel.close();
    }

    private void assertDecisions(final String byPort, final String byVlan)
    {
        assertEquals(byPort, kernel.lookup("192.0.2.1"));
        assertEquals(byPort, kernel.lookup("10.0.0.2"));
        assertEquals(byVlan, kernel.lookup("10.100.0.2"));
        assertEquals("port 1 glean mtu 1400", kernel.lookup("10.0.1.9"), "another port");
    }

    @Test
    void shouldLeaveAPortWithItsVlansAndComeBack()
    {
        final int index = kernel.adjacencyIndex("192.0.2.1");
        kernel.tables().leaveToKernel(Set.of(LEFT));
        assertDecisions("KERNEL", "KERNEL");
        assertEquals("KERNEL", kernel.lookup("10.0.0.9"), "not resolved");
        assertEquals(Map.of(RIGHT, 1), kernel.tables().links().carriedNumbers());
        assertEquals("up", kernel.tables().links().stateOf(0));

        kernel.tables().leaveToKernel(Set.of());
        assertDecisions(BY_PORT, BY_VLAN);
        assertEquals(index, kernel.adjacencyIndex("192.0.2.1"), "changed in place");
    }

    @Test
    void shouldLeaveAVlanAlone()
    {
        kernel.tables().leaveToKernel(Set.of(VLAN));
        assertDecisions(BY_PORT, "KERNEL");
    }

    @Test
    void shouldLeaveWhatIsAddedMeanwhile()
    {
        kernel.tables().leaveToKernel(Set.of(LEFT));
        kernel.neighbor(LEFT, "10.0.0.3", HOST_MAC);
        kernel.route("via", "198.51.100.0/24", "10.0.0.3", LEFT);
        assertEquals("KERNEL", kernel.lookup("198.51.100.1"));
    }

    @Test
    void shouldLeavePrefixesWithAllThatIsInside()
    {
        kernel.route("via", "192.0.2.64/26", "10.0.0.2", LEFT);
        leavePrefixes("192.0.0.0/8", "10.0.0.2/32", "203.0.113.0/24");
        for (final String address : List.of("192.0.2.1", "192.0.2.65", "192.99.0.1", "10.0.0.2", "203.0.113.9"))
        {
            assertEquals("PUNT", kernel.lookup(address), address);
        }
        assertEquals("port 0 glean mtu 1500", kernel.lookup("10.0.0.9"), "beside the prefixes");
        assertEquals("NO_ROUTE", kernel.lookup("193.0.0.1"), "beside the prefixes");

        kernel.route("via", "192.0.2.128/25", "10.0.0.2", LEFT);
        assertEquals("PUNT", kernel.lookup("192.0.2.129"), "added meanwhile");
        leavePrefixes("192.0.2.128/25");
        assertDecisions(BY_PORT, BY_VLAN);
        assertEquals(BY_PORT, kernel.lookup("192.0.2.65"));
        assertEquals("PUNT", kernel.lookup("192.0.2.129"), "of both");
        assertEquals("NO_ROUTE", kernel.lookup("203.0.113.9"));
        leavePrefixes();
        assertEquals(BY_PORT, kernel.lookup("192.0.2.129"));
    }

    @Test
    void shouldKeepWhatIsForThisHostInsideOfSuchAPrefix()
    {
        leavePrefixes("10.0.0.0/8");
        assertEquals("LOCAL", kernel.lookup("10.0.0.1"));
        assertEquals("BROADCAST", kernel.lookup("10.0.0.255"));
        assertEquals("PUNT", kernel.lookup("10.0.0.2"));
    }

    private void leavePrefixes(final String... prefixes)
    {
        kernel.tables().leavePrefixesToKernel(
            Stream.of(prefixes).map(IpPrefix::parse).collect(Collectors.toSet()));
    }
}
