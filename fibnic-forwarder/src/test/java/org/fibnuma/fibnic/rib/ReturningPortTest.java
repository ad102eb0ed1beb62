package org.fibnuma.fibnic.rib;

import org.fibnuma.core.wire.MacAddress;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import java.util.Map;

import static org.fibnuma.fibnic.rib.TestKernel.LEFT;
import static org.fibnuma.fibnic.rib.TestKernel.RIGHT;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

/** A port whose interface was deleted and made again with another index, or whose name another interface gets. */
class ReturningPortTest
{
    private static final int NEW = 20;
    private static final String NEW_MAC = "02:00:00:00:00:20";
    private static final String HOST_MAC = "02:00:00:00:00:77";
    private static final String FORWARDED = "port 0 via 10.0.0.2 " + HOST_MAC + " from " + NEW_MAC + " mtu 1300";

    private final TestKernel kernel = TestKernel.started();

    @AfterEach
    void close()
    {
        kernel.close();
    }

    @Test
    void shouldLeaveItToTheKernelUntilThePortHasTakenItUp()
    {
        deleteLeft();
        kernel.link(NEW, "left", NEW_MAC, 1300, true);
        kernel.address(NEW, "10.0.0.1/24");
        kernel.neighbor(NEW, "10.0.0.2", HOST_MAC);
        kernel.route("via", "192.0.2.0/24", "10.0.0.2", NEW);
        assertEquals("KERNEL", kernel.lookup("192.0.2.1"));
        assertEquals("KERNEL", kernel.lookup("10.0.0.2"));
        assertEquals(Map.of(RIGHT, 1), kernel.tables().links().carriedPorts());

        final int index = kernel.adjacencyIndex("192.0.2.1");
        kernel.tables().onPort(0, NEW);
        assertEquals(FORWARDED, kernel.lookup("192.0.2.1"));
        assertEquals(FORWARDED, kernel.lookup("10.0.0.2"));
        assertEquals("port 0 glean mtu 1300", kernel.lookup("10.0.0.3"));
        assertEquals(index, kernel.adjacencyIndex("192.0.2.1"), "changed in place");
        assertEquals(Map.of(NEW, 0, RIGHT, 1), kernel.tables().links().carriedPorts());
        assertEquals(NEW_MAC, MacAddress.format(kernel.interfaces().get(0).mac()));
        assertEquals(1, kernel.tables().addressesOf(0).size());
    }

    /** The port may have taken it up before the kernel's message is read. */
    @Test
    void shouldKnowThePortOfAnInterfaceThatIsToldOfLater()
    {
        deleteLeft();
        kernel.tables().onPort(0, NEW);
        kernel.link(NEW, "left", NEW_MAC, 1300, true);
        kernel.address(NEW, "10.0.0.1/24");
        kernel.neighbor(NEW, "10.0.0.2", HOST_MAC);
        assertEquals(FORWARDED, kernel.lookup("10.0.0.2"));
    }

    /** The interface that the port had before is the kernel's. */
    @Test
    void shouldTakeAnInterfaceThatIsNoPortAndLeaveIt()
    {
        kernel.link(NEW, "eth7", NEW_MAC, 1300, true);
        kernel.address(NEW, "10.0.9.1/24");
        kernel.neighbor(NEW, "10.0.9.2", HOST_MAC);
        kernel.neighbor(LEFT, "10.0.0.2", HOST_MAC);
        kernel.tables().takeInterface(0, NEW, "eth7");
        assertEquals("KERNEL", kernel.lookup("10.0.9.2"));
        assertEquals("KERNEL", kernel.lookup("10.0.0.2"));
        assertEquals(Map.of(RIGHT, 1), kernel.tables().links().carriedPorts());
        assertEquals(NEW_MAC, MacAddress.format(kernel.interfaces().get(0).mac()));

        kernel.tables().onPort(0, NEW);
        assertEquals(FORWARDED.replace("10.0.0.2", "10.0.9.2"), kernel.lookup("10.0.9.2"));
        assertEquals("port 0 glean mtu 1300", kernel.lookup("10.0.9.3"));
        assertEquals("KERNEL", kernel.lookup("10.0.0.2"));

        kernel.tables().leaveInterface(0);
        assertEquals("KERNEL", kernel.lookup("10.0.9.2"));
        assertEquals("KERNEL", kernel.lookup("10.0.9.3"));
        assertEquals(Map.of(RIGHT, 1), kernel.tables().links().carriedPorts());
        kernel.link(NEW, "eth7", NEW_MAC, 1200, true);
        assertEquals("KERNEL", kernel.lookup("10.0.9.2"), "its name is not followed any more");
    }

    @Test
    void shouldTakeOverRoutesAndNeighborsOfAnInterfaceThatGetsTheName()
    {
        kernel.link(NEW, "eth7", NEW_MAC, 1300, true);
        kernel.address(NEW, "10.0.9.1/24");
        kernel.neighbor(NEW, "10.0.9.2", HOST_MAC);
        kernel.route("via", "192.0.2.0/24", "10.0.9.2", NEW);
        assertEquals("KERNEL", kernel.lookup("10.0.9.2"));
        deleteLeft();
        kernel.link(NEW, "left", NEW_MAC, 1300, true);
        assertEquals("KERNEL", kernel.lookup("10.0.9.2"));
        kernel.tables().onPort(0, NEW);
        assertEquals(FORWARDED.replace("10.0.0.2", "10.0.9.2"), kernel.lookup("10.0.9.2"));
        assertEquals(FORWARDED.replace("10.0.0.2", "10.0.9.2"), kernel.lookup("192.0.2.1"));
        assertEquals("port 0 glean mtu 1300", kernel.lookup("10.0.9.3"));
    }

    @Test
    void shouldLeaveWhatIsBehindARenamedInterfaceToTheKernel()
    {
        kernel.neighbor(LEFT, "10.0.0.2", HOST_MAC);
        assertNotEquals("KERNEL", kernel.lookup("10.0.0.2"));
        kernel.link(LEFT, "other", TestKernel.LEFT_MAC, 1500, true);
        kernel.tables().onPort(0, 0);
        assertEquals("KERNEL", kernel.lookup("10.0.0.2"));
        kernel.link(NEW, "left", NEW_MAC, 1300, true);
        kernel.tables().onPort(0, NEW);
        assertEquals("KERNEL", kernel.lookup("10.0.0.2"));
        assertEquals("KERNEL", kernel.lookup("10.0.0.3"));
    }

    private void deleteLeft()
    {
        kernel.addressGone(LEFT, "10.0.0.1/24");
        kernel.linkGone(LEFT, "left");
        kernel.tables().onPort(0, 0);
    }
}
