package org.fibnuma.binding.dpdk;

import org.fibnuma.binding.dpdk.eal.Eal;
import org.fibnuma.core.port.Port;
import org.fibnuma.core.port.PortProvider;
import org.fibnuma.core.port.PortRequest;
import org.fibnuma.core.port.PortSettings;

import java.util.List;

/**
 * Opens {@code dpdk:VDEV-OR-PCI[,ARGUMENTS]}. Before the first port is opened, neither DPDK's libraries nor other
 * classes of this package are loaded.
 */
public final class DpdkPortProvider implements PortProvider
{
    static final String SCHEME = "dpdk";
    /**
     * Of a chunk of 2,048 bytes DPDK leaves a card 1,728 bytes after its headers. Drivers of Intel's cards count in
     * 1,024 bytes (eth_igb_rx_init, DPDK 22.11) or in powers of two (eth_em_rx_init), and divide longer frames.
     */
    private static final int CHUNK_OF_CARDS = 4096;

    /** Creates the provider, for {@link java.util.ServiceLoader}. */
    public DpdkPortProvider()
    {
    }

    @Override
    public String scheme()
    {
        return SCHEME;
    }

    /** DPDK scans the PCI bus only once, when it starts, so this must be known before the first port. */
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
