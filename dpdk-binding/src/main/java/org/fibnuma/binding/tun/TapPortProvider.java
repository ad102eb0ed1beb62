package org.fibnuma.binding.tun;

import org.fibnuma.core.port.Port;
import org.fibnuma.core.port.PortProvider;
import org.fibnuma.core.port.PortRequest;

/**
 * Opens {@code tap:INTERFACE}, a {@link org.fibnuma.core.port.KernelPort}: the interface exists as long as the port is
 * open. An existing one ({@code ip tuntap add NAME mode tap multi_queue}) is used and stays.
 */
public final class TapPortProvider implements PortProvider
{
    @Override
    public String scheme()
    {
        return TapPort.SCHEME;
    }

    @Override
    public String whyFixed()
    {
        return TunDevice.WHY_FIXED;
    }

    @Override
    public Port open(final PortRequest request)
    {
        return TapPort.open(request);
    }
}
