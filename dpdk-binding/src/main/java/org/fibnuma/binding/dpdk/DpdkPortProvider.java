package org.fibnuma.binding.dpdk;

import org.fibnuma.binding.dpdk.eal.Eal;
import org.fibnuma.core.port.Port;
import org.fibnuma.core.port.PortProvider;
import org.fibnuma.core.port.PortRequest;

import java.util.List;

/**
 * Opens {@code dpdk:VDEV-OR-PCI[,ARGUMENTS]}. Before the first port is opened, neither DPDK's libraries nor other
 * classes of this package are loaded.
 */
public final class DpdkPortProvider implements PortProvider
{
    static final String SCHEME = "dpdk";

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
    public Port open(final PortRequest request)
    {
        return DpdkPort.open(request);
    }
}
