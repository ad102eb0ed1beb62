package org.fibnuma.binding.dpdk;

import org.fibnuma.binding.dpdk.eal.DeviceMemory;
import org.fibnuma.binding.dpdk.eal.Eal;
import org.fibnuma.binding.dpdk.eal.EthDevice;
import org.fibnuma.core.UserException;
import org.fibnuma.core.memory.MemoryRegion;
import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertThrows;

/** Frames as DPDK's memory. That a card gets them without an IOMMU is tested with cards. */
class DeviceMemoryTest
{
    @Test
    void shouldMakeFramesKnownOnceAndForgetThem()
    {
        RequireDpdk.libraries();
        final Eal eal = Eal.start(false);
        try (MemoryRegion region = MemoryRegion.ofChunks(1000, 2368);
            EthDevice device = EthDevice.probe(eal, "net_null7", "net_null7"))
        {
            for (int i = 0; i < 3; i++)
            {
                try (DeviceMemory memory = DeviceMemory.register(eal, region.address(), region.size()))
                {
                    assertThrows(
                        UserException.class, () -> DeviceMemory.register(eal, region.address(), region.size()));
                    // Nothing translates addresses for a device that is none.
                    memory.map(device);
                    memory.unmap(device);
                }
            }
        }
    }
}
