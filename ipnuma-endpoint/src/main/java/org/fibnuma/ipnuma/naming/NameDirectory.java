package org.fibnuma.ipnuma.naming;

import org.fibnuma.core.wire.Ipv4Address;
import org.fibnuma.core.wire.Ipv4Prefix;
import org.fibnuma.ipnuma.table.Region;
import org.fibnuma.ipnuma.table.RegionTable;

import java.util.List;

/**
 * The regions that an endpoint announces: a copy of its table, replaced whole on the endpoint's thread and read by any.
 * To whom a region does not admit, its existence is not told either, much less its key. Keys are told where nobody else
 * can read them.
 */
public final class NameDirectory
{
    private final String endpoint;
    private final int epoch;
    private final List<Ipv4Prefix> trusted;
    private volatile List<Region> regions = List.of();
    private int publishedEpoch = -1;

    /**
     * Announces nothing yet.
     *
     * @param endpoint its name.
     * @param epoch    of this start, unsigned.
     * @param trusted  who may ask for every region: an endpoint and the host that asks for it may have different
     *                 addresses.
     */
    public NameDirectory(final String endpoint, final int epoch, final List<Ipv4Prefix> trusted)
    {
        this.endpoint = endpoint;
        this.epoch = epoch;
        this.trusted = List.copyOf(trusted);
    }

    /**
     * Announces what is in the table now; nothing to do where that has not changed. Endpoint's thread, now and then.
     *
     * @param table of the endpoint.
     */
    public void publish(final RegionTable table)
    {
        if (table.epoch() != publishedEpoch)
        {
            publishedEpoch = table.epoch();
            regions = table.regions();
        }
    }

    /**
     * Answers a line.
     *
     * @param line           as it came, anything.
     * @param sourceIpv4     who asks.
     * @param isConfidential whether nobody between the two can read the answer: TLS, or loopback.
     * @return the line to send back, without its end.
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
        return NameProtocol.later(
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
            return NameProtocol.error("endpoint " + endpoint + " does not tell the key of region " + region.name() +
                " to " + Ipv4Address.format(sourceIpv4) + " in clear text: set names-certificate and names-key there " +
                "and ask over TLS (--names-ca), or give the key yourself (--key)");
        }
        return NameProtocol.answer(endpoint, epoch, region);
    }

    private static boolean admits(final List<Ipv4Prefix> prefixes, final int ipv4)
    {
        return prefixes.stream().anyMatch(prefix -> prefix.contains(ipv4));
    }
}
