package org.fibnuma.fibnic.control;

import org.fibnuma.core.UserException;
import org.fibnuma.core.kernel.KernelLink;
import org.fibnuma.core.port.ConfigurableDevice;
import org.fibnuma.core.port.KernelPort;
import org.fibnuma.core.port.Port;
import org.fibnuma.core.port.Reattachable;
import org.fibnuma.core.port.SharedInterface;
import org.fibnuma.core.wire.MacAddress;
import org.fibnuma.fibnic.rib.LinkTable;
import org.fibnuma.fibnic.rib.LoggedLines;
import org.junit.jupiter.api.Test;

import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

class CarrierFollowerTest
{
    private final List<Object> shown = new ArrayList<>();
    private boolean up;
    private boolean removed;
    private String interfaceName = "";
    private String refusal;
    private boolean takenUp;
    private boolean detached;
    private boolean changing;
    private int tries;
    private long nowMs;
    private boolean otherAddress;
    private final List<String> devices = new ArrayList<>();

    private final LinkTable links = new LinkTable(new int[]{7, 8});
    private final List<String> adopted = new ArrayList<>();
    private final Port port = (Port)Proxy.newProxyInstance(
        Port.class.getClassLoader(),
        new Class<?>[]{Port.class, Reattachable.class, SharedInterface.class, ConfigurableDevice.class},
        (proxy, method, arguments) ->
        {
            switch (method.getName())
            {
                case "linkUp":
                    return up;
                case "removed":
                    return removed;
                case "adopt":
                    adopted.add(MacAddress.format((long)arguments[0]) + " " + arguments[1]);
                    return null;
                case "capability":
                    return arguments[0] == Reattachable.class && interfaceName.isEmpty() ?
                        Optional.empty() : Optional.of(proxy);
                case "isDetached":
                    return detached;
                case "interfaceName":
                    return interfaceName;
                case "interfaceIndex":
                    return 7;
                case "macAddress":
                    return 0x0200_0000_0001L;
                case "mtu":
                    return 1500;
                case "followAddress":
                    final boolean follows = otherAddress;
                    otherAddress = false;
                    return follows;
                case "reattach":
                    return onTry();
                default:
                    return "p";
            }
        });
    private final KernelPort kernelPort = (KernelPort)Proxy.newProxyInstance(
        Port.class.getClassLoader(),
        new Class<?>[]{KernelPort.class},
        (proxy, method, arguments) ->
        {
            shown.add(arguments[0]);
            return null;
        });
    private final CarrierFollower follower = new CarrierFollower(
        List.of(port, port), Map.of(1, kernelPort), links, (port, index) -> devices.add(port + ":" + index),
        index -> changing, () -> nowMs);

    /** A port that does not run yet has no link: the kernel is not to hear of it going down and up again. */
    @Test
    void shouldShowNothingBeforeThePortsRun()
    {
        assertEquals(0, follower.poll());
        up = true;
        follower.start();
        assertEquals(0, follower.poll());
        assertEquals(List.of(), shown);
    }

    @Test
    void shouldShowEachChangeOnce()
    {
        follower.start();
        assertEquals(2, follower.poll());
        assertEquals(0, follower.poll());
        up = true;
        assertEquals(2, follower.poll());
        assertEquals(0, follower.poll());
        assertEquals(List.of(false, true), shown);
    }

    /** Its steps and log lines are those of the change. */
    @Test
    void shouldLeaveAPortAloneThatIsBeingAdded()
    {
        interfaceName = "p0";
        follower.start();
        changing = true;
        removed = true;
        follower.poll();
        changing = false;
        removed = false;
        up = true;
        follower.poll();
        assertEquals(0, tries);
        assertEquals(List.of(), devices);
    }

    /** The interface of the port's name is that of port 1: attaching would fail with a message about sockets. */
    @Test
    void shouldNotTryToTakeUpAnInterfaceThatIsAnotherPortsNow()
    {
        interfaceName = "p0";
        removed = true;
        links.put(new KernelLink(8, "p0", 0x0200_0000_0001L, 1500, true));
        follower.start();
        follower.poll();
        nowMs += 1000;
        final List<String> log = LoggedLines.of(CarrierFollower.class, follower::poll);
        assertEquals(List.of("port p (p): the interface p0 was renamed and is another port's; rename it, or restart " +
            "the router; tried again every second"), log);
        assertEquals(1, tries, "port 1 alone");
        links.put(new KernelLink(8, "x", 0x0200_0000_0001L, 1500, true));
        nowMs += 1000;
        follower.poll();
        assertEquals(3, tries, "both");
    }

    @Test
    void shouldLogANewNameOfAnInterfaceOnce()
    {
        interfaceName = "p0";
        up = true;
        follower.start();
        links.put(new KernelLink(7, "p0", 0x0200_0000_0001L, 1500, true));
        follower.poll();
        links.put(new KernelLink(7, "x", 0x0200_0000_0001L, 1500, true));
        final List<String> log = LoggedLines.of(CarrierFollower.class, () ->
        {
            follower.poll();
            follower.poll();
            links.put(new KernelLink(7, "p0", 0x0200_0000_0001L, 1500, true));
            follower.poll();
        });
        assertEquals(List.of(
            "port p (p): its interface of index 7 was renamed from p0 to x: the port keeps it. After a restart " +
            "the port is the interface that is named p0 then",
            "port p (p): its interface of index 7 was renamed from x to p0: the port keeps it"), log);
    }

    /** What the interface had when it was first seen is the port's own. */
    @Test
    void shouldGiveThePortWhatItsInterfaceWasGiven()
    {
        up = true;
        follower.start();
        links.put(new KernelLink(8, "tap", 0x0200_0000_0001L, 1500, true));
        follower.poll();
        assertEquals(List.of(), adopted);
        links.put(new KernelLink(8, "tap", 0x0200_0000_0001L, 1400, true));
        follower.poll();
        follower.poll();
        links.put(new KernelLink(8, "tap", 0x0200_0000_0002L, 1400, true));
        follower.poll();
        assertEquals(List.of("02:00:00:00:00:01 1400", "02:00:00:00:00:02 1400"), adopted);
    }

    @Test
    void shouldGiveNothingToAPortThatIsGone()
    {
        up = true;
        follower.start();
        links.put(new KernelLink(8, "tap", 0x0200_0000_0001L, 1500, true));
        follower.poll();
        up = false;
        removed = true;
        assertEquals(2, follower.poll());
        links.put(new KernelLink(8, "tap", 0x0200_0000_0001L, 1400, true));
        follower.poll();
        assertEquals(List.of(), adopted);
    }

    @Test
    void shouldLeaveAPortGoneThatCannotComeBack()
    {
        follower.start();
        removed = true;
        follower.poll();
        follower.poll();
        assertEquals(0, tries);
        assertEquals(List.of(), devices);
    }

    @Test
    void shouldLeaveTheStepsOfARemovalToOthers()
    {
        interfaceName = "r0";
        follower.start();
        removed = true;
        detached = true;
        follower.poll();
        follower.poll();
        assertEquals(0, tries);
        assertEquals(List.of(), devices);
        detached = false;
        follower.poll();
        assertEquals(2, tries);
    }

    @Test
    void shouldTakeUpADeviceThatIsBack()
    {
        interfaceName = "r0";
        follower.start();
        removed = true;
        follower.poll();
        assertEquals(List.of("0:0", "1:0"), devices);
        assertEquals(0, tries);
        follower.poll();
        assertEquals(2, tries);
        takenUp = true;
        follower.poll();
        follower.poll();
        assertEquals(4, tries);
        assertEquals(List.of("0:0", "1:0", "0:7", "1:7"), devices);
    }

    @Test
    void shouldTryOnceASecondWhereADeviceIsRefused()
    {
        interfaceName = "r0";
        refusal = "the interface is down";
        follower.start();
        removed = true;
        follower.poll();
        follower.poll();
        follower.poll();
        assertEquals(2, tries);
        nowMs += 999;
        follower.poll();
        assertEquals(2, tries);
        nowMs += 1;
        follower.poll();
        assertEquals(4, tries);
        refusal = null;
        takenUp = true;
        nowMs += 1000;
        follower.poll();
        assertEquals(List.of("0:0", "1:0", "0:7", "1:7"), devices);
    }

    /** Port 1 has an interface that stands for it, whose address goes to the port. */
    @Test
    void shouldFollowTheAddressOfTheInterfaceThatAPortIs()
    {
        up = true;
        follower.start();
        follower.poll();
        assertEquals(List.of(), devices);
        otherAddress = true;
        follower.poll();
        follower.poll();
        assertEquals(List.of("0:7"), devices);
    }

    private boolean onTry()
    {
        tries++;
        if (refusal != null)
        {
            throw new UserException(refusal);
        }
        removed &= !takenUp;
        return takenUp;
    }

    @Test
    void shouldTellOfALinkOnceASecond()
    {
        assertFalse(follower.logLink(0, true, 1000));
        assertTrue(follower.logLink(0, false, 1100));
        assertFalse(follower.logLink(0, true, 1200));
        assertFalse(follower.logLink(0, false, 1300));
        assertTrue(follower.logLink(0, false, 2100));
        assertFalse(follower.logLink(0, false, 9000));
    }
}
