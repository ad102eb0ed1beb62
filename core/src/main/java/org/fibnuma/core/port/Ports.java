package org.fibnuma.core.port;

import org.fibnuma.core.UserException;

import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.TreeMap;

/**
 * Opens ports by device names {@code scheme:rest}, such as {@code xdp:eth1}, with the providers on the class path.
 * Methods throw {@link UserException} with one line for the user if the scheme is unknown or the provider finds a
 * problem.
 */
public final class Ports
{
    private Ports()
    {
    }

    /** Returns whether a provider has the scheme of a device. */
    public static boolean isKnown(final String device)
    {
        return providerOf(device, providers()) != null;
    }

    /**
     * Announces to each provider its devices, before the first is opened, see {@link PortProvider#expect}. Devices of
     * unknown schemes are ignored.
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
     * Returns the chunk size in bytes that a device needs, see {@link PortProvider#chunkSize}; 0 also if the scheme is
     * unknown.
     */
    public static int chunkSize(final String device, final PortSettings settings)
    {
        final PortProvider provider = providerOf(device, providers());
        return provider == null ? 0 : provider.chunkSize(withoutScheme(device, provider), settings);
    }

    /** Checks the text of a device, see {@link PortProvider#requireValid}. */
    public static void requireValid(final String name, final String device)
    {
        final PortProvider provider = known(name, device);
        provider.requireValid(name, withoutScheme(device, provider));
    }

    /** Checks that a device exists on this host, see {@link PortProvider#requirePresent}. */
    public static void requirePresent(final String name, final String device)
    {
        final PortProvider provider = known(name, device);
        provider.requirePresent(name, withoutScheme(device, provider));
    }

    /** Opens a port, see {@link PortProvider#open}. */
    public static Port open(final PortRequest request)
    {
        final PortProvider provider = known(request.name(), request.device());
        return provider.open(withoutScheme(request, provider));
    }

    /** Opens a detached port while the workers run, see {@link PortProvider#openDetached}. */
    public static Port openDetached(final PortRequest request)
    {
        final PortProvider provider = known(request.name(), request.device());
        return provider.openDetached(withoutScheme(request, provider));
    }

    /** Returns why a port stays as long as the router runs, or null; see {@link PortProvider#whyFixed}. */
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
