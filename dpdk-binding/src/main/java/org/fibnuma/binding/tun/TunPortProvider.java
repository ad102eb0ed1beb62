package org.fibnuma.binding.tun;

import org.fibnuma.core.port.Port;
import org.fibnuma.core.port.PortProvider;
import org.fibnuma.core.port.PortRequest;

/**
 * Opens {@code tun:INTERFACE}: the interface exists as long as the port is open. The port sends frames to the kernel
 * and receives none.
 */
public final class TunPortProvider implements PortProvider
{
    @Override
    public String scheme()
    {
        return TunPort.SCHEME;
    }

    @Override
    public String whyFixed()
    {
        return TunDevice.WHY_FIXED;
    }

    @Override
    public Port open(final PortRequest request)
    {
        return TunPort.open(request);
    }
}
