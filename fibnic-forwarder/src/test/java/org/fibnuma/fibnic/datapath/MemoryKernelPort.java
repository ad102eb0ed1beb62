package org.fibnuma.fibnic.datapath;

import org.fibnuma.core.port.DelegatingPort;
import org.fibnuma.core.port.KernelPort;
import org.fibnuma.core.port.Port;
import org.fibnuma.core.wire.IpAddress;

/** A port in memory in the place of an interface of the kernel. */
class MemoryKernelPort extends DelegatingPort implements KernelPort
{
    MemoryKernelPort(final Port port)
    {
        super(port);
    }

    @Override
    public void represent(final long macAddress, final int mtu)
    {
    }

    @Override
    public void address(final IpAddress address, final int prefixLength)
    {
    }

    @Override
    public void carrier(final boolean up)
    {
    }
}
