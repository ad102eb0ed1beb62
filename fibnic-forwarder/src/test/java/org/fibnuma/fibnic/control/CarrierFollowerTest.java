package org.fibnuma.fibnic.control;

import org.fibnuma.core.kernel.KernelLink;
import org.fibnuma.core.port.KernelPort;
import org.fibnuma.core.port.Port;
import org.fibnuma.core.wire.MacAddress;
import org.fibnuma.fibnic.rib.LinkTable;
import org.junit.jupiter.api.Test;

import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

class CarrierFollowerTest
{
    private final List<Object> shown = new ArrayList<>();
    private boolean up;
    private boolean removed;

    private final LinkTable links = new LinkTable(new int[]{7, 8});
    private final List<String> adopted = new ArrayList<>();
    private final Port port = (Port)Proxy.newProxyInstance(
        Port.class.getClassLoader(), new Class<?>[]{Port.class}, (proxy, method, arguments) ->
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
        List.of(port, port), Map.of(1, kernelPort), links, () -> 0);

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
    void shouldTellOfALinkOnceASecond()
    {
        final LinkLog log = new LinkLog(List.of(port));
        assertFalse(log.onLook(0, true, 1000));
        assertTrue(log.onLook(0, false, 1100));
        assertFalse(log.onLook(0, true, 1200));
        assertFalse(log.onLook(0, false, 1300));
        assertTrue(log.onLook(0, false, 2100));
        assertFalse(log.onLook(0, false, 9000));
    }
}
