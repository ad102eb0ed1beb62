package org.fibnuma.binding.afxdp;

import org.fibnuma.core.port.Port;
import org.fibnuma.core.port.PortProvider;
import org.fibnuma.core.port.PortRequest;

/** Opens {@code xdp:INTERFACE}. */
public final class XdpPortProvider implements PortProvider
{
    static final String SCHEME = "xdp";

    /** Creates the provider, for {@link java.util.ServiceLoader}. */
    public XdpPortProvider()
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
        return XdpPort.open(request);
    }
}
