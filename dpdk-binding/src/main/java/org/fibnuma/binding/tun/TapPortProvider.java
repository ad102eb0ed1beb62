package org.fibnuma.binding.tun;

import org.fibnuma.core.port.Port;
import org.fibnuma.core.port.PortProvider;
import org.fibnuma.core.port.PortRequest;

/**
 * Opens {@code tap:INTERFACE}, a {@link org.fibnuma.core.port.KernelPort}: makes that interface for as long as the port
 * is open. One that was made before ({@code ip tuntap add NAME mode tap multi_queue}) is used and stays.
 */
public final class TapPortProvider implements PortProvider
{
    /** Creates the provider, for {@link java.util.ServiceLoader}. */
    public TapPortProvider()
    {
    }

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
