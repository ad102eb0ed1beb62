package org.fibnuma.binding.afxdp;

import org.fibnuma.binding.netdevice.NetworkDevice;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.junit.jupiter.api.Assertions.assertEquals;

class ReceiveBufferTest
{
    /** The values of igb and virtio_net were seen with emulated cards; the others follow from the drivers' sources. */
    @ParameterizedTest
    @CsvSource({"igb, 2048, 1024", "igb, 4096, 3072", "igc, 2048, 1024", "ixgbe, 4096, 3072", "i40e, 2048, 1792",
        "ice, 4096, 3840", "mlx5_core, 2048, 1792", "virtio_net, 4096, 3840", "other, 2048, 1024", "other, 4096, 3072"})
    void shouldRoundDownToTheUnitOfTheDriver(final String driver, final int chunkSize, final int longest)
    {
        assertEquals(longest, ReceiveBuffer.longestFrame(driver, chunkSize));
    }

    @Test
    void shouldTakeAPageWhereACopiedPacketDoesNotFitTheSmallChunk()
    {
        assertEquals(2048, ReceiveBuffer.chunkSize(device(1778), false));
        assertEquals(4096, ReceiveBuffer.chunkSize(device(1779), false));
    }

    private static NetworkDevice device(final int mtu)
    {
        return new NetworkDevice("eth0", 1, true, 1, mtu, true, 1, 1, "igb");
    }
}
