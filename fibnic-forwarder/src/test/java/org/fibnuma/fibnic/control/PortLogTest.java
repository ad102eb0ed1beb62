package org.fibnuma.fibnic.control;

import org.fibnuma.core.port.Port;
import org.fibnuma.core.port.PortCounter;
import org.junit.jupiter.api.Test;

import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

class PortLogTest
{
    private final List<String> lines = new ArrayList<>();
    private long truncated;
    private long nowMs;
    private final Port port = (Port)Proxy.newProxyInstance(
        Port.class.getClassLoader(), new Class<?>[]{Port.class}, (proxy, method, arguments) ->
            switch (method.getName())
            {
                case "mtu" -> 1500;
                case "capability" -> Optional.empty();
                case "deviceCounter" -> arguments[0] == PortCounter.RX_TRUNCATED ? truncated : 0L;
                default -> "p";
            });
    private final PortLog log = new PortLog(List.of(port), () -> nowMs, lines::add);

    @Test
    void shouldWarnOnceOfFramesThatDoNotFit()
    {
        assertEquals(0, log.poll());
        truncated = 1;
        assertEquals(0, log.poll(), "read again within a second");
        nowMs = 1000;
        assertEquals(1, log.poll());
        truncated = 2;
        nowMs = 2000;
        assertEquals(0, log.poll());
        assertEquals(1, lines.size(), lines::toString);
        assertTrue(lines.get(0).contains("port p: frames are longer than its receive buffers"), lines.get(0));
        assertTrue(lines.get(0).contains("set frame-size = 4096, or the neighbours' MTUs to this port's 1500"),
            lines.get(0));
    }
}
