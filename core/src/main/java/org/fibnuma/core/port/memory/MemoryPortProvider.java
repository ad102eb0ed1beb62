package org.fibnuma.core.port.memory;

import org.fibnuma.core.port.Port;
import org.fibnuma.core.port.PortProvider;
import org.fibnuma.core.port.PortRequest;

/** Opens {@code mem:NAME} and {@code mem:NAME@far}. */
public final class MemoryPortProvider implements PortProvider
{
    static final String SCHEME = "mem";

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
        return MemoryLink.open(request);
    }
}
