package org.fibnuma.core.port;

import org.fibnuma.core.UserException;

import java.util.List;
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
     * Returns whether this process can open a kind of device.
     *
     * @param device {@code scheme:rest}.
     * @return false where no provider knows the scheme.
     */
    public static boolean isKnown(final String device)
    {
        return providerOf(device, providers()) != null;
    }

    /**
     * Tells each provider what it will have to open, where it has to know all of it before it opens the first.
     *
     * @param devices {@code scheme:rest}; those of unknown schemes are passed over.
     */
    public static void expect(final List<String> devices)
    {
        for (final PortProvider provider : providers().values())
        {
            final String prefix = provider.scheme() + ":";
            final List<String> own = devices.stream().filter(device -> device.startsWith(prefix))
                .map(device -> device.substring(prefix.length())).toList();
            if (!own.isEmpty())
            {
                provider.expect(own);
            }
        }
    }

    /**
     * Returns the chunk size that a device needs to receive every packet of its MTU.
     *
     * @param device   {@code scheme:rest}.
     * @param settings that the port will have.
     * @return bytes, or 0 if the device has no need of its own, does not exist, or nobody knows the scheme.
     */
    public static int chunkSize(final String device, final PortSettings settings)
    {
        final PortProvider provider = providerOf(device, providers());
        return provider == null ? 0 : provider.chunkSize(withoutScheme(device, provider), settings);
    }

    /**
     * Checks the text of a device, see {@link PortProvider#requireValid}.
     *
     * @param name   of the port.
     * @param device {@code scheme:rest}.
     * @throws UserException with one line for the user: unknown scheme, or what the provider found.
     */
    public static void requireValid(final String name, final String device)
    {
        final PortProvider provider = known(name, device);
        provider.requireValid(name, withoutScheme(device, provider));
    }

    /**
     * Checks that a device exists on this host, see {@link PortProvider#requirePresent}.
     *
     * @param name   of the port.
     * @param device {@code scheme:rest}.
     * @throws UserException with one line for the user: unknown scheme, or what the provider found.
     */
    public static void requirePresent(final String name, final String device)
    {
        final PortProvider provider = known(name, device);
        provider.requirePresent(name, withoutScheme(device, provider));
    }

    /**
     * Opens a port.
     *
     * @param request whose device is {@code scheme:rest}; the provider gets the rest.
     * @return the port, not yet started.
     * @throws UserException with one line for the user: unknown scheme, or what the provider found.
     */
    public static Port open(final PortRequest request)
    {
        final PortProvider provider = known(request.name(), request.device());
        return provider.open(withoutScheme(request, provider));
    }

    /**
     * Opens a detached port while the workers run, see {@link PortProvider#openDetached}.
     *
     * @param request as for {@link #open}.
     * @return the port.
     * @throws UserException with one line for the user: unknown scheme, a kind that cannot be added, or what the
     *                       provider found.
     */
    public static Port openDetached(final PortRequest request)
    {
        final PortProvider provider = known(request.name(), request.device());
        return provider.openDetached(withoutScheme(request, provider));
    }

    /**
     * Returns why a port stays as long as the router runs, see {@link PortProvider#whyFixed}.
     *
     * @param name   of the port.
     * @param device {@code scheme:rest}.
     * @return a clause that can follow "because", or null if the port can be added and removed.
     * @throws UserException with one line for the user if no provider knows the scheme.
     */
    public static String whyFixed(final String name, final String device)
    {
        return known(name, device).whyFixed();
    }

    private static PortRequest withoutScheme(final PortRequest request, final PortProvider provider)
    {
        return request.withDevice(withoutScheme(request.device(), provider));
    }

    private static String withoutScheme(final String device, final PortProvider provider)
    {
        return device.substring(provider.scheme().length() + 1);
    }

    private static PortProvider known(final String name, final String device)
    {
        final Map<String, PortProvider> providers = providers();
        final PortProvider provider = providerOf(device, providers);
        if (provider == null)
        {
            throw new UserException("port " + name + ": unknown device \"" + device +
                "\"; known kinds: " + String.join(": ", providers.keySet()) + ":");
        }
        return provider;
    }

    private static Map<String, PortProvider> providers()
    {
        final Map<String, PortProvider> providers = new TreeMap<>();
        for (final PortProvider provider : ServiceLoader.load(PortProvider.class))
        {
            providers.put(provider.scheme(), provider);
        }
        return providers;
    }

    private static PortProvider providerOf(final String device, final Map<String, PortProvider> providers)
    {
        final int colon = device.indexOf(':');
        return colon < 0 ? null : providers.get(device.substring(0, colon));
    }
}
