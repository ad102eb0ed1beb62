package org.fibnuma.fibnic.report;

import com.fasterxml.jackson.databind.JsonNode;
import org.agrona.concurrent.UnsafeBuffer;
import org.agrona.concurrent.status.CountersReader;
import org.fibnuma.core.port.Port;
import org.fibnuma.core.port.PortCounter;
import org.fibnuma.fibnic.fate.PortDrops;
import org.junit.jupiter.api.Test;

import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Frames that a socket or a device has lost, of which the workers know nothing. */
class DeviceLossesTest
{
    @Test
    void shouldSayFirstWhatTheDevicesHaveLostAndWhereAndWhy()
    {
        final RouterReport report = new RouterReport(
            List.of(port("left", PortCounter.RX_RING_FULL, 30, PortCounter.RX_NO_BUFFER, 4),
                port("right", PortCounter.TX_INVALID, 2, PortCounter.RX_DROPPED, 1)),
            Map.of(), null, null,
            new CountersReader(new UnsafeBuffer(new byte[1024]), new UnsafeBuffer(new byte[1024])), new PortDrops(1),
            null, null, null, null, null);
        final JsonNode drops = report.drops();
        assertEquals("lostByDevices", drops.fieldNames().next());
        assertEquals(37, drops.get("lostByDevices").asLong());
        assertEquals(0, drops.get("dropped").asLong());
        assertTrue(drops.get("balanced").asBoolean(), "what was never received is no part of the sum");
        assertEquals("[{\"port\":\"left\",\"lost\":\"rx-ring-full\",\"frames\":30}," +
            "{\"port\":\"left\",\"lost\":\"rx-no-buffer\",\"frames\":4}," +
            "{\"port\":\"right\",\"lost\":\"rx-dropped\",\"frames\":1}," +
            "{\"port\":\"right\",\"lost\":\"tx-invalid\",\"frames\":2}]", drops.get("deviceLosses").toString());
    }

    private static Port port(final String name, final PortCounter one, final long ofOne, final PortCounter other,
        final long ofOther)
    {
        return (Port)Proxy.newProxyInstance(
            Port.class.getClassLoader(), new Class<?>[]{ Port.class }, (proxy, method, arguments) ->
                switch (method.getName())
                {
                    case "name" -> name;
                    case "capability" -> Optional.empty();
                    case "deviceCounter" -> arguments[0] == one ? ofOne : arguments[0] == other ? ofOther : 0L;
                    default -> throw new UnsupportedOperationException(method.getName());
                });
    }
}
