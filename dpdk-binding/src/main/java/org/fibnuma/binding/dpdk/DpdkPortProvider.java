package org.fibnuma.binding.dpdk;

import org.fibnuma.binding.dpdk.eal.Eal;
import org.fibnuma.core.port.Port;
import org.fibnuma.core.port.PortProvider;
import org.fibnuma.core.port.PortRequest;
import org.fibnuma.core.port.PortSettings;

import java.util.List;

/**
 * Opens {@code dpdk:VDEV-OR-PCI[,ARGUMENTS]}. DPDK's libraries and the other classes of this package are loaded when
 * the first port is opened.
 */
public final class DpdkPortProvider implements PortProvider
{
    static final String SCHEME = "dpdk";
    /**
     * Chunk size in bytes for network cards. In 2,048 bytes, 1,728 bytes remain after DPDK's headers. Drivers of
     * Intel's cards use multiples of 1,024 bytes (eth_igb_rx_init, DPDK 22.11) or powers of two (eth_em_rx_init), and
     * divide longer frames.
     */
    private static final int CHUNK_OF_CARDS = 4096;

    @Override
    public String scheme()
    {
        return SCHEME;
    }

    /** Makes DPDK scan the PCI bus if a device is on it, before the first port: DPDK scans it only at its start. */
    @Override
    public void expect(final List<String> devices)
    {
        if (devices.stream().anyMatch(device -> DeviceName.parse(device).isPci()))
        {
            Eal.expectPci();
        }
    }

    @Override
    public int chunkSize(final String device, final PortSettings settings)
    {
        return DeviceName.parse(device).isPci() ? CHUNK_OF_CARDS : 0;
    }

    @Override
    public String whyFixed()
    {
        return "DPDK sets up its devices once, when the router starts";
    }

    @Override
    public Port open(final PortRequest request)
    {
        return DpdkPort.open(request);
    }
}
