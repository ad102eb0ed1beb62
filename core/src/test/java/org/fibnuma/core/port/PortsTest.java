package org.fibnuma.core.port;

import org.fibnuma.core.UserException;
import org.junit.jupiter.api.Test;

import java.util.List;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

class PortsTest
{
    @Test
    void shouldNameTheKindsThatAreThere()
    {
        for (final String device : new String[]{"eth1", "", ":x", "dpdkk:eth1", "MEM:a"})
        {
            assertFalse(Ports.isKnown(device));
            final UserException refused = assertThrows(UserException.class, () -> Ports.open(
                new PortRequest("left", device, 0, List.of(), PortSettings.DEFAULT)));
            assertEquals("port left: unknown device \"" + device + "\"; known kinds: fault: mem: pcap: shm:",
                refused.getMessage());
        }
        assertTrue(Ports.isKnown("mem:a") && Ports.isKnown("pcap:a"));
    }
}
