package org.fibnuma.fibnic.adjacency;

import org.fibnuma.core.memory.FrameMemory;
import org.fibnuma.core.memory.MemoryRegion;
import org.fibnuma.core.wire.MacAddress;
import org.junit.jupiter.api.Test;

import java.util.List;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

class InterfaceTableTest
{
    private static final long MAC = 0x0203_0405_0607L;

    @Test
    void shouldReadItsMacWordFromAFrame()
    {
        try (MemoryRegion memory = MemoryRegion.ofBytes(64))
        {
            MacAddress.write(memory.address(), MAC);
            FrameMemory.putShort(memory.address() + MacAddress.LENGTH, 0x1234);
            final RouterInterface routerInterface = new RouterInterface(MAC, 1500, List.of());
            assertEquals(
                routerInterface.macWord(), FrameMemory.getLong(memory.address()) & RouterInterface.MAC_WORD_MASK);
        }
    }

    @Test
    void shouldPreferTheInterfacesOwnAddress()
    {
        final InterfaceTable table = new InterfaceTable(3);
        assertEquals(RouterInterface.NO_ADDRESS, table.addressFor(0));
        table.set(2, new RouterInterface(MAC, 1500, List.of(33, 44)));
        assertEquals(33, table.addressFor(0));
        table.set(0, new RouterInterface(MAC, 1500, List.of(11)));
        assertEquals(11, table.addressFor(0));
        assertEquals(11, table.addressFor(1));
        assertEquals(33, table.addressFor(2));
    }

    @Test
    void shouldRefuseALinkThatIpv4DoesNotAllow()
    {
        assertThrows(IllegalArgumentException.class, () -> new RouterInterface(MAC, 67, List.of()));
    }
}
