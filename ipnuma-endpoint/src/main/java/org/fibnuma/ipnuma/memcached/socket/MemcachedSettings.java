package org.fibnuma.ipnuma.memcached.socket;

import org.fibnuma.core.agent.IdleStrategies;
import org.fibnuma.ipnuma.client.CompanionEndpoint;
import org.fibnuma.ipnuma.memcached.store.StoreSettings;
import org.fibnuma.ipnuma.stream.IpnumaSocketAddress;

import java.net.InetSocketAddress;

/**
 * Settings of a server.
 *
 * @param tcp            address to listen on, null for no TCP.
 * @param udp            address to receive on, null for no UDP.
 * @param ipnuma         PC ID of the local endpoint and port of its streams, null for no streams.
 * @param endpoint       name of the local endpoint.
 * @param companion      the local endpoint if the thread of streams runs it, else null.
 * @param idle           idle strategy of the thread of streams, a name of {@link IdleStrategies}.
 * @param maxConnections maximum number of simultaneous connections of all transports, 1 to 65,535.
 * @param store          limits of the store.
 */
public record MemcachedSettings(
    InetSocketAddress tcp,
    InetSocketAddress udp,
    IpnumaSocketAddress ipnuma,
    String endpoint,
    CompanionEndpoint companion,
    String idle,
    int maxConnections,
    StoreSettings store)
{
    /** Equals memcached's default. */
    public static final int DEFAULT_MAX_CONNECTIONS = 1024;
    private static final int MOST_CONNECTIONS = 0xFFFF;

    /** Throws {@link IllegalArgumentException} with one line if a value is out of range or there is no transport. */
    public MemcachedSettings
    {
        if (tcp == null && udp == null && ipnuma == null)
        {
            throw new IllegalArgumentException("no transport; give --tcp, --udp or --ipnuma");
        }
        if (maxConnections < 1 || maxConnections > MOST_CONNECTIONS)
        {
            throw new IllegalArgumentException(maxConnections + " connections; give 1 to " + MOST_CONNECTIONS);
        }
        IdleStrategies.of(idle);
    }

    int threads()
    {
        return (tcp != null || udp != null ? 1 : 0) + (ipnuma != null ? 1 : 0);
    }
}
