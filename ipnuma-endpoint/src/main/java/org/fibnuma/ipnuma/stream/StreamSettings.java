package org.fibnuma.ipnuma.stream;

import org.fibnuma.core.counter.CountersFile;
import org.fibnuma.ipnuma.client.CompanionEndpoint;
import org.fibnuma.ipnuma.table.PageMap;

import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/**
 * Settings of a {@link StreamAgent}.
 *
 * @param endpointDirectory of the local endpoint, usually {@code /dev/shm/fibnuma-NAME}.
 * @param pcId              PC ID of the local endpoint in the configurations of its peers, 1 to 65,535.
 * @param connections       maximum number of simultaneous connections, 1 to 16,384.
 * @param ringCapacity      bytes of the receive ring of each connection, a power of two from 4 KiB to 1 MiB.
 * @param portRegion        name of the region with the directory of ports in the local endpoint's configuration. This
 *                          region has the same id at each peer.
 * @param portRegionKey     key of that region at the peers, 0 for none.
 * @param allow             prefixes of addresses that may store into the program's region, separated by commas.
 * @param connectTimeoutNs  nanoseconds until a connect without an answer fails, more than 0.
 * @param endpoint          an endpoint that the thread of the streams runs; null if the endpoint has its own thread or
 *                          process. While the thread does not poll, the endpoint does not answer its peers.
 */
public record StreamSettings(
    Path endpointDirectory,
    int pcId,
    int connections,
    int ringCapacity,
    String portRegion,
    long portRegionKey,
    String allow,
    long connectTimeoutNs,
    CompanionEndpoint endpoint)
{
    /** 256 connections have 4 MiB of rings, a sixteenth of the limit for all clients of an endpoint. */
    public static final int DEFAULT_CONNECTIONS = 256;
    /** Default capacity of a receive ring in bytes, about ten full datagrams. */
    public static final int DEFAULT_RING_CAPACITY = 16 * 1024;
    /** Name of the region with the directory of ports. */
    public static final String DEFAULT_PORT_REGION = "streams";
    /** Twice the time in which an endpoint detects that a peer is down. */
    public static final long DEFAULT_CONNECT_TIMEOUT_NS = TimeUnit.SECONDS.toNanos(10);

    private static final String ANY = "0.0.0.0/0";

    /** Throws {@link IllegalArgumentException} if a value is out of range. */
    public StreamSettings
    {
        if (pcId < 1 || pcId > PageMap.MAX_PC_ID)
        {
            throw new IllegalArgumentException("PC ID " + pcId + "; give one from 1 to " + PageMap.MAX_PC_ID);
        }
        if (!StreamLayout.isValid(connections, ringCapacity))
        {
            throw new IllegalArgumentException(connections + " connections with rings of " + ringCapacity +
                " bytes; give 1 to " + StreamLayout.MAX_CONNECTIONS + " with a power of two from " +
                StreamLayout.MIN_RING_CAPACITY + " to " + StreamLayout.MAX_RING_CAPACITY + ", together at most 1 GiB");
        }
        if (connectTimeoutNs <= 0)
        {
            throw new IllegalArgumentException("the timeout of connects must be longer than 0");
        }
    }

    /**
     * Returns settings with all defaults, for the endpoint with a name, and the PC ID that its peers' configurations
     * give it.
     */
    public static StreamSettings of(final String endpoint, final int pcId)
    {
        return new StreamSettings(CountersFile.directoryOf(endpoint), pcId, DEFAULT_CONNECTIONS, DEFAULT_RING_CAPACITY,
            DEFAULT_PORT_REGION, 0, ANY, DEFAULT_CONNECT_TIMEOUT_NS, null);
    }

    /** Returns these settings with another number of connections and another capacity of their rings in bytes. */
    public StreamSettings withRings(final int count, final int capacity)
    {
        return new StreamSettings(
            endpointDirectory, pcId, count, capacity, portRegion, portRegionKey, allow, connectTimeoutNs, endpoint);
    }

    /**
     * Returns these settings for an endpoint of this process that the thread of the streams runs.
     *
     * @param companion {@code Endpoint.companion()} of the endpoint with this directory.
     */
    public StreamSettings withEndpoint(final CompanionEndpoint companion)
    {
        return new StreamSettings(
            endpointDirectory, pcId, connections, ringCapacity, portRegion, portRegionKey, allow, connectTimeoutNs,
            companion);
    }
}
