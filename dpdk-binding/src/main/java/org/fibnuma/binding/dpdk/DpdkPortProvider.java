package org.fibnuma.binding.dpdk;

import org.fibnuma.core.port.Port;
import org.fibnuma.core.port.PortProvider;
import org.fibnuma.core.port.PortRequest;

/**
 * Opens {@code dpdk:VDEV-OR-PCI[,ARGUMENTS]}. Until then nothing of DPDK is loaded: neither its libraries nor a class
 * of ours beside this.
 */
public final class DpdkPortProvider implements PortProvider
{
    static final String SCHEME = "dpdk";

    /** For {@link java.util.ServiceLoader}. */
    public DpdkPortProvider()
    {
    }

    @Override
    public String scheme()
    {
        return SCHEME;
    }

    @Override
    public Port open(final PortRequest request)
    {
        return DpdkPort.open(request);
    }
}
