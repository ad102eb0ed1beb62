package org.fibnuma.fibnic.rib;

import org.fibnuma.core.wire.MacAddress;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import java.util.Map;

import static org.fibnuma.fibnic.rib.TestKernel.LEFT;
import static org.fibnuma.fibnic.rib.TestKernel.RIGHT;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** A port whose interface was deleted and made again with another index, or was renamed. */
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
        assertEquals(Map.of(RIGHT, 1), kernel.tables().links().carriedNumbers());

        final int index = kernel.adjacencyIndex("192.0.2.1");
        kernel.tables().onPort(0, NEW);
        assertEquals(FORWARDED, kernel.lookup("192.0.2.1"));
        assertEquals(FORWARDED, kernel.lookup("10.0.0.2"));
        assertEquals("port 0 glean mtu 1300", kernel.lookup("10.0.0.3"));
        assertEquals(index, kernel.adjacencyIndex("192.0.2.1"), "changed in place");
        assertEquals(Map.of(NEW, 0, RIGHT, 1), kernel.tables().links().carriedNumbers());
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
        assertEquals(Map.of(RIGHT, 1), kernel.tables().links().carriedNumbers());
        assertEquals(NEW_MAC, MacAddress.format(kernel.interfaces().get(0).mac()));

        kernel.tables().onPort(0, NEW);
        assertEquals(FORWARDED.replace("10.0.0.2", "10.0.9.2"), kernel.lookup("10.0.9.2"));
        assertEquals("port 0 glean mtu 1300", kernel.lookup("10.0.9.3"));
        assertEquals("KERNEL", kernel.lookup("10.0.0.2"));

        kernel.tables().leaveInterface(0);
        assertEquals("KERNEL", kernel.lookup("10.0.9.2"));
        assertEquals("KERNEL", kernel.lookup("10.0.9.3"));
        assertEquals(Map.of(RIGHT, 1), kernel.tables().links().carriedNumbers());
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

    /** As in {@code ip link set left name x; ip link set right name left; ip link set x name right}. */
    @Test
    void shouldKeepInterfacesThatSwapTheirNames()
    {
        kernel.neighbor(LEFT, "10.0.0.2", HOST_MAC);
        kernel.neighbor(RIGHT, "10.0.1.2", HOST_MAC);
        final String left = kernel.lookup("10.0.0.2");
        final String right = kernel.lookup("10.0.1.2");
        kernel.link(LEFT, "x", TestKernel.LEFT_MAC, 1500, true);
        kernel.link(RIGHT, "left", TestKernel.RIGHT_MAC, 1400, true);
        kernel.link(LEFT, "right", TestKernel.LEFT_MAC, 1500, true);
        assertEquals(left, kernel.lookup("10.0.0.2"));
        assertEquals(right, kernel.lookup("10.0.1.2"));
        assertEquals(Map.of(LEFT, 0, RIGHT, 1), kernel.tables().links().carriedNumbers());
        assertTrue(kernel.tables().links().isOtherPort(0, "left"));
        assertFalse(kernel.tables().links().isOtherPort(1, "left"));
    }

    /** The name of the deleted interface is that of another port. */
    @Test
    void shouldNotTakeAnInterfaceFromAnotherPort()
    {
        kernel.link(LEFT, "x", TestKernel.LEFT_MAC, 1500, true);
        kernel.link(RIGHT, "left", TestKernel.RIGHT_MAC, 1400, true);
        kernel.linkGone(LEFT, "x");
        kernel.tables().onPort(0, 0);
        kernel.link(RIGHT, "left", TestKernel.RIGHT_MAC, 1300, true);
        assertEquals(Map.of(RIGHT, 1), kernel.tables().links().carriedNumbers());
    }

    /** The next interface has the name before the one that the port has is deleted. */
    @Test
    void shouldTakeTheInterfaceOfItsNameWhenTheRenamedOneIsDeleted()
    {
        kernel.link(LEFT, "old", TestKernel.LEFT_MAC, 1500, true);
        kernel.link(NEW, "left", NEW_MAC, 1300, true);
        kernel.address(NEW, "10.0.9.1/24");
        kernel.neighbor(NEW, "10.0.9.2", HOST_MAC);
        assertEquals("KERNEL", kernel.lookup("10.0.9.2"));
        assertEquals(Map.of(LEFT, 0, RIGHT, 1), kernel.tables().links().carriedNumbers());
        kernel.linkGone(LEFT, "old");
        kernel.tables().onPort(0, NEW);
        assertEquals(FORWARDED.replace("10.0.0.2", "10.0.9.2"), kernel.lookup("10.0.9.2"));
        assertEquals(Map.of(NEW, 0, RIGHT, 1), kernel.tables().links().carriedNumbers());
    }

    /** udev renames a new interface before a port has taken it up: it is that of its last name. */
    @Test
    void shouldGiveAnInterfaceThatIsRenamedInTimeToThePortOfItsLastName()
    {
        deleteLeft();
        kernel.linkGone(RIGHT, "right");
        kernel.tables().onPort(1, 0);
        kernel.link(NEW, "right", NEW_MAC, 1300, false);
        kernel.link(NEW, "left", NEW_MAC, 1300, false);
        kernel.link(NEW, "left", NEW_MAC, 1300, true);
        kernel.address(NEW, "10.0.0.1/24");
        kernel.neighbor(NEW, "10.0.0.2", HOST_MAC);
        kernel.tables().onPort(0, NEW);
        assertEquals(FORWARDED, kernel.lookup("10.0.0.2"));
        assertEquals(Map.of(NEW, 0), kernel.tables().links().carriedNumbers());
    }

    private void deleteLeft()
    {
        kernel.addressGone(LEFT, "10.0.0.1/24");
        kernel.linkGone(LEFT, "left");
        kernel.tables().onPort(0, 0);
    }
}
