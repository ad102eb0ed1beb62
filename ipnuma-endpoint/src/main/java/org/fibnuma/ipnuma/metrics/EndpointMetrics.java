package org.fibnuma.ipnuma.metrics;

import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.Unit;
import org.fibnuma.core.service.metrics.MetricFamilies;
import org.fibnuma.core.service.metrics.MetricsWriter;
import org.fibnuma.ipnuma.fate.DropReason;
import org.fibnuma.ipnuma.fate.EndpointCounter;
import org.fibnuma.ipnuma.session.SessionCounter;

import java.util.function.LongSupplier;

/**
 * The metrics of samples of an endpoint. For one thread.
 * <p>
 * An endpoint has at most about 7,000 series: 32 for each of {@link EndpointSample#MAX_PEERS} peers, 2 for each of
 * {@link EndpointSample#MAX_REGIONS} regions, and 150 others.
 */
public final class EndpointMetrics
{
    private static final String PREFIX = "endpoint_";
    private static final String PEER = "peer";
    private static final String REASON = "reason";
    private static final String REFUSED_DATAGRAMS =
        "Received datagrams of known peers that had no effect, beside those of sessions.";
    private static final String DROPPED_BY_SESSION = "Received datagrams that the session of a peer dropped.";

    private final MetricsWriter<EndpointSample> writer = new MetricsWriter<>(this::collect);
    private final LongSupplier uptimeMs;
    private final String version;

    /** Creates the metrics of an endpoint. The supplier returns the milliseconds since its start. */
    public EndpointMetrics(final String version, final LongSupplier uptimeMs)
    {
        this.version = version;
        this.uptimeMs = uptimeMs;
    }

    /** Returns the writer of samples. */
    public MetricsWriter<EndpointSample> writer()
    {
        return writer;
    }

    private void collect(final EndpointSample sample, final MetricFamilies families)
    {
        for (final EndpointCounter counter : EndpointCounter.values())
        {
            add(families, counter, sample.get(counter));
        }
        for (final DropReason reason : DropReason.values())
        {
            families.counter(PREFIX + "dropped_packets", "Received frames that were dropped.",
                sample.get(reason), REASON, reason.label());
        }
        final String states = "Peers by whether writes to them can take effect.";
        families.gauge(PREFIX + "peers", states, sample.peersUp(), "state", "up");
        families.gauge(PREFIX + "peers", states, sample.peersDown(), "state", "down");
        sample.peers().forEach(peer -> addPeer(families, peer));
        for (final RegionSample region : sample.regions())
        {
            families.gauge(PREFIX + "region_bytes", "Size of a region that peers can access.",
                region.bytes(), "region", region.name());
        }
        families.gauge(PREFIX + "regions", "Regions that peers can access.",
            sample.regions().stream().mapToInt(RegionSample::count).sum());
        families.info(PREFIX + PEER, "Address and wire format of each peer.", sample.peers().stream().map(peer ->
            Labels.of(PEER, peer.id(), "address", peer.address(), "format", peer.format())).toList());
        families.program(version, uptimeMs.getAsLong(), sample.safepoints());
    }

    private static void add(final MetricFamilies families, final EndpointCounter counter, final long value)
    {
        switch (counter)
        {
            case RECEIVED -> count(families, "received_packets", "Frames received from the port.", value);
            case RECEIVED_BYTES -> count(families, "received_bytes", "Bytes of received frames, without FCS.", value);
            case DELIVERED -> count(families, "delivered_datagrams",
                "Received datagrams passed to the channel of their peer.", value);
            case ARP -> count(families, "received_arp_packets", "Valid ARP packets received.", value);
            case SENT -> count(families, "sent_packets", "Frames given to the port.", value);
            case SENT_BYTES -> count(families, "sent_bytes", "Bytes of sent frames, without FCS.", value);
            case SENT_LOST -> count(families, "sent_lost_packets", "Frames lost because the port was full.", value);
            case NO_MEMORY -> count(families, "no_memory",
                "Datagrams not sent because all chunks of memory were in use.", value);
            case UNRESOLVED -> count(families, "unresolved_requests",
                "ARP requests for an unknown MAC address of a peer or gateway.", value);
            case ARP_REQUESTS -> count(families, "arp_requests", "ARP requests sent.", value);
            case ARP_REPLIES -> count(families, "arp_replies", "ARP replies sent.", value);
            case ADDRESS_CONFLICTS -> count(families, "address_conflicts",
                "ARP packets of another host that claims the address of the endpoint.", value);
            case CLIENTS_GIVEN_UP -> count(families, "clients_given_up",
                "Clients that were disconnected: dead, silent, or with invalid data in their ring.", value);
            case PARTIAL_CHECKSUMS -> count(families, "partial_checksums",
                "Received datagrams with a partial checksum, accepted without verification.", value);
            case FILES_RESTORED -> count(families, "files_restored",
                "Restorations of shared-memory files that another process had truncated.", value);
            case MALFORMED, CROSSES_BOUNDARY, TRAILING_BYTES, NO_END_CODE, REFUSED, SEAL_REFUSED ->
                families.counter(PREFIX + "refused_datagrams", REFUSED_DATAGRAMS, value, REASON, counter.label());
            default -> throw new IllegalArgumentException(counter + " has no metric");
        }
    }

    private static void count(
        final MetricFamilies families, final String name, final String help, final long value, final String... labels)
    {
        families.counter(PREFIX + name, help, value, labels);
    }

    private static void addPeer(final MetricFamilies families, final PeerSample peer)
    {
        families.gauge(PREFIX + "peer_up", "1 if writes to a peer can take effect, else 0; the number of such peers " +
            "for other.", peer.up(), PEER, peer.id());
        families.gauge(PREFIX + "peer_round_trip_seconds", "Smoothed round trip to a peer, 0 while unknown; the " +
            "longest for other.", Unit.nanosToSeconds(peer.roundTripNs()), PEER, peer.id());
        families.gauge(PREFIX + "peer_pending_writes", "Writes to a peer that are not acknowledged.",
            peer.pendingWrites(), PEER, peer.id());
        for (final SessionCounter counter : SessionCounter.values())
        {
            addSession(families, counter, peer.get(counter), peer.id());
        }
    }

    private static void addSession(
        final MetricFamilies families, final SessionCounter counter, final long value, final String peer)
    {
        switch (counter)
        {
            case SENT -> ofPeer(families, "sent_datagrams", "Datagrams sent, of every kind.", value, peer);
            case DATA_SENT -> ofPeer(families, "sent_data_datagrams",
                "Datagrams of data sent for the first time.", value, peer);
            case REPAIRED -> ofPeer(families, "retransmitted_datagrams",
                "Datagrams of data sent again because the peer did not receive them.", value, peer);
            case TIMEOUTS -> ofPeer(families, "retransmission_timeouts", "Retransmission timeouts.", value, peer);
            case TAIL_PROBES -> ofPeer(families, "tail_probes",
                "Last datagrams sent again to find out whether they arrived.", value, peer);
            case ACKS_SENT -> ofPeer(families, "sent_acknowledgements",
                "Acknowledgements sent without data.", value, peer);
            case NAKS_SENT -> ofPeer(families, "sent_gap_reports", "Acknowledgements sent at a gap.", value, peer);
            case RECEIVED -> ofPeer(families, "received_datagrams",
                "Datagrams received for the connection.", value, peer);
            case OUT_OF_ORDER -> ofPeer(families, "out_of_order_datagrams",
                "Datagrams of data that arrived out of order.", value, peer);
            case OTHER_VERSION -> ofPeer(families, "other_version_datagrams",
                "Damaged datagrams that are of another version of the format.", value, peer);
            case RESETS_SENT -> ofPeer(families, "sent_resets", "Sessions refused.", value, peer);
            case HELLOS_ANSWERED -> ofPeer(families, "answered_hellos", "Hellos answered.", value, peer);
            case REFUSED -> ofPeer(families, "refused_writes", "Writes that the regions refused.", value, peer);
            case DIRECT_SENT -> ofPeer(families, "sent_direct_writes",
                "Writes sent without a datagram, in memory that both ends share.", value, peer);
            case DIRECT_RECEIVED -> ofPeer(families, "received_direct_writes",
                "Writes received without a datagram.", value, peer);
            case CE_RECEIVED -> ofPeer(families, "congestion_marks",
                "Datagrams received with congestion experienced.", value, peer);
            case CE_ECHOES_SENT -> ofPeer(families, "sent_congestion_echoes", "Congestion echoes sent.", value, peer);
            case CE_ECHOES_RECEIVED -> ofPeer(families, "received_congestion_echoes",
                "Congestion echoes that slowed this sender down.", value, peer);
            case CONNECTIONS -> ofPeer(families, "connections", "Connections established.", value, peer);
            case WRITES_LOST -> ofPeer(families, "lost_writes",
                "Writes that were pending when a connection was lost.", value, peer);
            case DUPLICATES, BEYOND_CREDITS, DAMAGED, STRAY, MALFORMED, WRONG_TLP_COUNT, CROSSES_BOUNDARY,
                OTHER_REGION, NO_ROOM -> families.counter(PREFIX + "peer_dropped_datagrams", DROPPED_BY_SESSION,
                value, PEER, peer, REASON, counter.label());
            default -> throw new IllegalArgumentException(counter + " has no metric");
        }
    }

    private static void ofPeer(
        final MetricFamilies families, final String name, final String help, final long value, final String peer)
    {
        families.counter(PREFIX + "peer_" + name, help, value, PEER, peer);
    }
}
