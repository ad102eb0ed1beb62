package org.fibnuma.ipnuma.stream;

import org.agrona.collections.Int2ObjectHashMap;
import org.fibnuma.ipnuma.client.EndpointClient;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** The links to programs at peers, by number and by peer and region. Unused links are closed after a while. */
final class Links
{
    /** A program that connects again within this time keeps its link. */
    private static final long MAX_IDLE_NS = TimeUnit.SECONDS.toNanos(10);

    /** An endpoint keeps at most 4,096 keys for a client. Some are for directories of ports. */
    private static final int MAX_LINKS = 3072;

    private final EndpointClient client;
    private final Int2ObjectHashMap<Link> byId = new Int2ObjectHashMap<>();
    private final Int2ObjectHashMap<Link> byRegion = new Int2ObjectHashMap<>();
    private long sweptNs = System.nanoTime();
    private int lastId;

    Links(final EndpointClient client)
    {
        this.client = client;
    }

    /**
     * Returns the link to a program, and creates it if there is none. Returns null if another program has the region,
     * or there are too many links.
     */
    Link to(final int peerId, final PortEntry program)
    {
        final Link known = of(peerId, program.regionId());
        if (known == null && byId.size() >= MAX_LINKS)
        {
            return null;
        }
        if (known == null)
        {
            final Link link = new Link(client, ++lastId, peerId, program);
            byId.put(link.id(), link);
            byRegion.put(region(peerId, program.regionId()), link);
            return link;
        }
        if (!known.isTo(program))
        {
            known.probe();
            return null;
        }
        return known;
    }

    Link byId(final int id)
    {
        return byId.get(id);
    }

    Link of(final int peerId, final int regionId)
    {
        return byRegion.get(region(peerId, regionId));
    }

    List<Link> ofPeer(final int peerId)
    {
        return byId.values().stream().filter(link -> link.peerId() == peerId).toList();
    }

    void remove(final Link link)
    {
        byId.remove(link.id());
        byRegion.remove(region(link.peerId(), link.regionId()));
        link.close();
    }

    /** Probes the programs of used links, and closes links that are not used. */
    void tick(final long nowNs)
    {
        final boolean sweep = nowNs - sweptNs > MAX_IDLE_NS;
        sweptNs = sweep ? nowNs : sweptNs;
        for (final Link link : new ArrayList<>(byId.values()))
        {
            if (!link.isUnused())
            {
                link.probe();
            }
            else if (sweep && link.isIdle())
            {
                remove(link);
            }
        }
    }

    private static int region(final int peerId, final int regionId)
    {
        return peerId << Short.SIZE | regionId;
    }
}
