package org.fibnuma.binding.tun;

import org.fibnuma.core.port.Port;
import org.fibnuma.core.port.PortProvider;
import org.fibnuma.core.port.PortRequest;

/**
 * Opens {@code tun:INTERFACE}: makes that interface, for as long as the port is open. Frames are sent to the kernel;
 * none are ever received.
 */
public final class TunPortProvider implements PortProvider
{
    /** Creates the provider, for {@link java.util.ServiceLoader}. */
    public TunPortProvider()
    {
    }

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
