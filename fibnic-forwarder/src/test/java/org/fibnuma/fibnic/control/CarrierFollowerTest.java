package org.fibnuma.fibnic.control;

import org.fibnuma.core.port.KernelPort;
import org.fibnuma.core.port.Port;
import org.junit.jupiter.api.Test;

import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import static org.junit.jupiter.api.Assertions.assertEquals;

class CarrierFollowerTest
{
    private final List<Object> shown = new ArrayList<>();
    private boolean up;

    private final Port port = (Port)Proxy.newProxyInstance(
        Port.class.getClassLoader(), new Class<?>[]{Port.class}, (proxy, method, arguments) -> up);
    private final KernelPort kernelPort = (KernelPort)Proxy.newProxyInstance(
        Port.class.getClassLoader(),
        new Class<?>[]{KernelPort.class},
        (proxy, method, arguments) ->
        {
            shown.add(arguments[0]);
            return null;
        });
    private final CarrierFollower follower = new CarrierFollower(List.of(port, port), Map.of(1, kernelPort));

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
        assertEquals(1, follower.poll());
        assertEquals(0, follower.poll());
        up = true;
        assertEquals(1, follower.poll());
        assertEquals(0, follower.poll());
        assertEquals(List.of(false, true), shown);
    }
}
