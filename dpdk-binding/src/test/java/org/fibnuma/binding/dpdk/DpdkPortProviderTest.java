package org.fibnuma.binding.dpdk;

import org.fibnuma.core.port.PortSettings;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.junit.jupiter.api.Assertions.assertEquals;

class DpdkPortProviderTest
{
    @ParameterizedTest
    @CsvSource({"0000:00:04.0, 4096", "00:04.0, 4096", "'0000:00:04.0,arg=1', 4096", "net_memif0, 0"})
    void shouldAskForChunksInWhichACardReceivesFramesWhole(final String device, final int expected)
    {
        assertEquals(expected, new DpdkPortProvider().chunkSize(device, new PortSettings(64, 64, 0, 64, true)));
    }
}
