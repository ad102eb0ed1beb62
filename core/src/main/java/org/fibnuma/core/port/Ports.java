package org.fibnuma.core.port;

import java.util.Map;
import java.util.ServiceLoader;
import java.util.TreeMap;

/** Opens ports by device names such as {@code xdp:eth1}, with whatever providers this process has. */
public final class Ports
{
    private Ports()
    {
    }

    /**
     * Opens a port.
     *
     * @param request whose device is {@code scheme:rest}; the provider gets the rest.
     * @return the port, not yet started.
     * @throws PortException with one line for the user: unknown scheme, or what the provider found.
     */
    public static Port open(final PortRequest request)
    {
        final Map<String, PortProvider> providers = new TreeMap<>();
        for (final PortProvider provider : ServiceLoader.load(PortProvider.class))
        {
            providers.put(provider.scheme(), provider);
        }
        final int colon = request.device().indexOf(':');
        final PortProvider provider = colon < 0 ? null : providers.get(request.device().substring(0, colon));
        if (provider == null)
        {
            throw new PortException("port " + request.name() + ": unknown device \"" + request.device() +
                "\"; known kinds: " + String.join(": ", providers.keySet()) + ":");
        }
        return provider.open(new PortRequest(
            request.name(), request.device().substring(colon + 1), request.index(), request.pools(),
            request.settings()));
    }
}
