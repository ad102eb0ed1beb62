package org.fibnuma.ipnuma.naming;

import org.fibnuma.core.wire.Ipv4Address;
import org.fibnuma.core.wire.Ipv4Prefix;
import org.fibnuma.ipnuma.table.Region;
import org.fibnuma.ipnuma.table.RegionTable;

import java.util.List;

/**
 * The regions that an endpoint announces: a copy of its table. The endpoint's thread replaces the copy as a whole, and
 * any thread reads it. A source address that a region does not allow gets the same answer as for an unknown region.
 * Keys are only sent over confidential connections.
 */
public final class NameDirectory
{
    private final String endpoint;
    private final int epoch;
    private volatile List<Ipv4Prefix> trusted;
    private volatile List<Region> regions = List.of();
    private int publishedEpoch = -1;

    /**
     * Creates a directory without regions.
     *
     * @param endpoint name of the endpoint.
     * @param epoch    of this start, unsigned.
     * @param trusted  sources that may look up every region. An endpoint and the host that looks up for it may have
     *                 different addresses.
     */
    public NameDirectory(final String endpoint, final int epoch, final List<Ipv4Prefix> trusted)
    {
        this.endpoint = endpoint;
        this.epoch = epoch;
        this.trusted = List.copyOf(trusted);
    }

    /** Announces the regions of the table. No effect if the table has not changed. Called by the endpoint's thread. */
    public void publish(final RegionTable table)
    {
        if (table.epoch() != publishedEpoch)
        {
            publishedEpoch = table.epoch();
            regions = table.regions();
        }
    }

    /** Replaces the sources that may look up every region; any thread. */
    public void trust(final List<Ipv4Prefix> sources)
    {
        trusted = List.copyOf(sources);
    }

    /** Returns the announced regions; any thread. */
    public List<Region> regions()
    {
        return regions;
    }

    /**
     * Answers a request.
     *
     * @param line           as received, any.
     * @param sourceIpv4     of the request.
     * @param isConfidential whether no third party can read the answer: TLS or loopback.
     * @return the line of the answer, without its end.
     */
    public String answer(final String line, final int sourceIpv4, final boolean isConfidential)
    {
        final String name = NameProtocol.requestedName(line);
        if (name == null)
        {
            return NameProtocol.error("not a request: send {\"lookup\":\"NAME\"} and a line feed");
        }
        for (final Region region : regions)
        {
            if (region.name().equals(name) && (admits(region.allow(), sourceIpv4) || admits(trusted, sourceIpv4)))
            {
                return answer(region, sourceIpv4, isConfidential, NameProtocol.wantsKey(line));
            }
        }
        return NameProtocol.retryLater(
            "endpoint " + endpoint + " has no region of that name for " + Ipv4Address.format(sourceIpv4));
    }

    private String answer(
        final Region region, final int sourceIpv4, final boolean isConfidential, final boolean wantsKey)
    {
        if (!wantsKey)
        {
            return NameProtocol.answerWithoutKey(endpoint, epoch, region);
        }
        if (region.key() != Region.NO_KEY && !isConfidential)
        {
            return NameProtocol.error("endpoint " + endpoint + " does not send the key of region " + region.name() +
                " to " + Ipv4Address.format(sourceIpv4) + " in clear text: set names-certificate and names-key there " +
                "and use TLS here (--names-ca), or give the key with --key");
        }
        return NameProtocol.answer(endpoint, epoch, region);
    }

    private static boolean admits(final List<Ipv4Prefix> prefixes, final int ipv4)
    {
        return prefixes.stream().anyMatch(prefix -> prefix.contains(ipv4));
    }
}
