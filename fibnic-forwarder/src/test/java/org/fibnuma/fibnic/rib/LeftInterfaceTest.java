package org.fibnuma.fibnic.rib;

import org.fibnuma.core.kernel.KernelLink;
import org.fibnuma.core.wire.MacAddress;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.util.Map;
import java.util.Set;

import static org.fibnuma.fibnic.rib.TestKernel.LEFT;
import static org.fibnuma.fibnic.rib.TestKernel.RIGHT;
import static org.junit.jupiter.api.Assertions.assertEquals;

/** Frames that would leave by an interface which a restriction of the host concerns are the kernel's. */
class LeftInterfaceTest
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
        assertEquals(Map.of(RIGHT, 1), kernel.tables().links().carriedPorts());
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
}
