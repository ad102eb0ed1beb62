package org.fibnuma.core.port.shm;

import org.fibnuma.core.port.Port;
import org.fibnuma.core.port.PortProvider;
import org.fibnuma.core.port.PortRequest;

/** Opens {@code shm:NAME} and {@code shm:NAME@far}. */
public final class ShmPortProvider implements PortProvider
{
    static final String SCHEME = "shm";

    @Override
    public String scheme()
    {
        return SCHEME;
    }

    @Override
    public String whyFixed()
    {
        return NO_INTERFACE;
    }

    @Override
    public Port open(final PortRequest request)
    {
        return new ShmPort(request, ShmLink.open(request));
    }
}
