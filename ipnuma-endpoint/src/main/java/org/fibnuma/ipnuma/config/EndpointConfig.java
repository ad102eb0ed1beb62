package org.fibnuma.ipnuma.config;

import org.fibnuma.core.agent.IdleStrategies;
import org.fibnuma.core.port.PortSettings;

import java.nio.file.Path;
import java.util.List;

/**
 * Everything that an endpoint is told. Checked: names, ids and addresses are unique, addresses lie where they must.
 *
 * @param file        that it was read from.
 * @param name        of the endpoint; other processes find it by this.
 * @param device      that it sends and receives by, such as {@code xdp:eth1}.
 * @param network     addresses of its own.
 * @param windowBytes of its page window.
 * @param thread      that everything runs on.
 * @param rings       of the port.
 * @param peers       1 or more.
 * @param regions     of this machine's memory, none or more.
 * @param services    for clients and for who asks for names.
 */
public record EndpointConfig(
    Path file,
    String name,
    String device,
    NetworkConfig network,
    int windowBytes,
    ThreadConfig thread,
    PortSettings rings,
    List<PeerConfig> peers,
    List<RegionConfig> regions,
    ServiceConfig services)
{
    /** Name of an endpoint that the file does not name. */
    public static final String DEFAULT_NAME = "endpoint";
    /** 64 MiB are 16,384 pages and 128 KiB of map, which stays in the second-level cache. */
    static final int DEFAULT_WINDOW_MIB = 64;

    /**
     * The same endpoint on a thread that never rests, for programs that run its agent themselves.
     *
     * @return a configuration with {@link IdleStrategies#BUSY}.
     */
    public EndpointConfig spinning()
    {
        return new EndpointConfig(
            file, name, device, network, windowBytes, new ThreadConfig(thread.core(), IdleStrategies.BUSY), rings,
            peers, regions, services);
    }

    /**
     * A peer of the file.
     *
     * @param id its PC ID.
     * @return null where there is none.
     */
    public PeerConfig peer(final int id)
    {
        return peers.stream().filter(peer -> peer.id() == id).findFirst().orElse(null);
    }
}
