package org.fibnuma.ipnuma.metrics;

import org.agrona.collections.Int2ObjectHashMap;
import org.agrona.concurrent.status.CountersReader;
import org.fibnuma.core.service.jvmpause.Safepoints;
import org.fibnuma.ipnuma.fate.DropReason;
import org.fibnuma.ipnuma.fate.EndpointCounter;
import org.fibnuma.ipnuma.fate.EndpointCounters;
import org.fibnuma.ipnuma.fate.PeerCounters;
import org.fibnuma.ipnuma.session.SessionCounter;
import org.fibnuma.ipnuma.table.Region;
import org.fibnuma.ipnuma.table.RegionAccess;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * The state of an endpoint at one moment as plain values; any thread may read it. Each counter is published separately
 * within 20 ms of a change. Sums of several counters can be inexact for that time.
 *
 * @param counters   by {@link EndpointCounter#id()}.
 * @param drops      by {@link DropReason#id()}.
 * @param peers      by PC ID; those beyond {@link #MAX_PEERS} in one sum at the end.
 * @param regions    in the order in which they were added; those beyond {@link #MAX_REGIONS} in one sum at the end.
 * @param safepoints of the JVM.
 */
public record EndpointSample(
    long[] counters, long[] drops, List<PeerSample> peers, List<RegionSample> regions, Safepoints safepoints)
{
    /**
     * Maximum number of peers with separate series. An endpoint can have 65,535, and Prometheus keeps each series in
     * memory.
     */
    static final int MAX_PEERS = 200;
    /** Maximum number of regions with separate series. Clients can add thousands. */
    static final int MAX_REGIONS = 200;
    /** Name of the sum of further peers or regions. */
    static final String OTHER = "other";

    private static final int SESSION_COUNTERS = SessionCounter.values().length;

    /** Values of a peer by their index in {@link PeerCounters}. */
    private static final class PeerValues
    {
        private final long[] values = new long[PeerCounters.SESSION + SESSION_COUNTERS];
        private String label = "";
    }

    /** Reads the current state from the counters of the endpoint; any thread. */
    public static EndpointSample of(
        final CountersReader reader, final List<Region> announced, final Safepoints safepoints)
    {
        final long[] counters = new long[EndpointCounter.values().length];
        final long[] drops = new long[DropReason.values().length];
        final Int2ObjectHashMap<PeerValues> peers = new Int2ObjectHashMap<>();
        reader.forEach((id, typeId, key, label) ->
        {
            final long value = reader.getCounterValue(id);
            final int peerIndex = typeId - PeerCounters.PEER_TYPE;
            if (peerIndex >= 0 && peerIndex < PeerCounters.SESSION + SESSION_COUNTERS)
            {
                final PeerValues peer = peers.computeIfAbsent(key.getInt(0), pcId -> new PeerValues());
                peer.values[peerIndex] = value;
                peer.label = peerIndex == PeerCounters.UP ? label : peer.label;
            }
            else
            {
                put(counters, typeId - EndpointCounters.ENDPOINT_TYPE, value);
                put(drops, typeId - EndpointCounters.DROP_TYPE, value);
            }
        });
        return new EndpointSample(counters, drops, peers(peers), regions(announced), safepoints);
    }

    private static void put(final long[] values, final int index, final long value)
    {
        if (index >= 0 && index < values.length)
        {
            values[index] = value;
        }
    }

    private static List<PeerSample> peers(final Int2ObjectHashMap<PeerValues> values)
    {
        final List<PeerSample> samples = new ArrayList<>();
        PeerSample other = null;
        final List<Integer> ids = values.keySet().stream().sorted(Comparator.naturalOrder()).toList();
        for (final int id : ids)
        {
            final PeerSample sample = peer(id, values.get(id));
            if (samples.size() < MAX_PEERS)
            {
                samples.add(sample);
            }
            else
            {
                other = other == null ? sample : other.plus(sample);
            }
        }
        if (other != null)
        {
            samples.add(new PeerSample(OTHER, "", "", other.up(), other.down(), 0, other.roundTripNs(),
                other.pendingWrites(), other.session()));
        }
        return samples;
    }

    private static PeerSample peer(final int id, final PeerValues peer)
    {
        // The label is "peer ID ADDRESS FORMAT".
        final String[] words = (peer.label + "    ").split(" ", -1);
        final long[] session = new long[SESSION_COUNTERS];
        System.arraycopy(peer.values, PeerCounters.SESSION, session, 0, session.length);
        final int up = peer.values[PeerCounters.UP] == 0 ? 0 : 1;
        return new PeerSample(Integer.toString(id), words[2], words[3], up, 1 - up, peer.values[PeerCounters.MAC],
            peer.values[PeerCounters.ROUND_TRIP], peer.values[PeerCounters.PENDING_WRITES], session);
    }

    private static List<RegionSample> regions(final List<Region> announced)
    {
        final List<RegionSample> samples = new ArrayList<>();
        announced.stream().limit(MAX_REGIONS).forEach(region -> samples.add(
            new RegionSample(region.name(), RegionAccess.format(region.access()), region.length(), 1)));
        final int others = announced.size() - samples.size();
        if (others > 0)
        {
            samples.add(new RegionSample(OTHER, "",
                announced.stream().skip(MAX_REGIONS).mapToLong(Region::length).sum(), others));
        }
        return samples;
    }

    /** Returns the value of a counter. */
    public long get(final EndpointCounter counter)
    {
        return counters[counter.id()];
    }

    /** Returns the number of frames dropped for a reason. */
    public long get(final DropReason reason)
    {
        return drops[reason.id()];
    }

    /** Returns the number of peers to which writes can take effect. */
    public int peersUp()
    {
        return peers.stream().mapToInt(PeerSample::up).sum();
    }

    /** Returns the number of peers to which no write can take effect. */
    public int peersDown()
    {
        return peers.stream().mapToInt(PeerSample::down).sum();
    }
}
