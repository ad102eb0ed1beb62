package org.fibnuma.ipnuma.config;

import org.fibnuma.core.agent.IdleStrategies;
import org.fibnuma.core.port.PortSettings;
import org.fibnuma.core.service.http.HttpConfig;
import org.fibnuma.core.service.log.LogLevel;

import java.nio.file.Path;
import java.util.List;

/**
 * The configuration of an endpoint. Names, ids and addresses are unique, and addresses are reachable.
 *
 * @param file        from which it was read.
 * @param name        by which other processes find the endpoint.
 * @param logLevel    lowest level of the log lines of a process that runs only the endpoint.
 * @param device      port of the endpoint, such as {@code xdp:eth1}.
 * @param network     addresses of the endpoint.
 * @param windowBytes size of the page window in bytes.
 * @param thread      that runs the endpoint.
 * @param rings       ring sizes and further settings of the port.
 * @param peers       with resolved addresses.
 * @param regions     of this machine's memory, none or more.
 * @param services    for clients and for lookups of names.
 * @param http        the HTTP server, null for none.
 * @param directory   of endpoints, null for none.
 */
public record EndpointConfig(
    Path file,
    String name,
    LogLevel logLevel,
    String device,
    NetworkConfig network,
    int windowBytes,
    ThreadConfig thread,
    PortSettings rings,
    List<PeerConfig> peers,
    List<RegionConfig> regions,
    ServiceConfig services,
    HttpConfig http,
    DirectoryConfig directory)
{
    /** Default name of an endpoint. */
    public static final String DEFAULT_NAME = "endpoint";
    /** 64 MiB are 16,384 memory pages and 128 KiB of map, which stays in the second-level cache. */
    static final int DEFAULT_WINDOW_MIB = 64;

    /** Returns this configuration with {@link IdleStrategies#BUSY}, for programs that run the agent themselves. */
    public EndpointConfig spinning()
    {
        return new EndpointConfig(
            file, name, logLevel, device, network, windowBytes,
            new ThreadConfig(thread.core(), IdleStrategies.BUSY), rings, peers, regions, services, http, directory);
    }

    /** Returns the peer with a PC ID, or null. */
    public PeerConfig peer(final int id)
    {
        return peers.stream().filter(peer -> peer.id() == id).findFirst().orElse(null);
    }
}
