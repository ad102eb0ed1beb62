package org.fibnuma.ipnuma.http;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import org.fibnuma.core.service.log.RecentLines;
import org.fibnuma.core.wire.MacAddress;
import org.fibnuma.ipnuma.fate.DropReason;
import org.fibnuma.ipnuma.fate.EndpointCounter;
import org.fibnuma.ipnuma.metrics.EndpointSample;
import org.fibnuma.ipnuma.metrics.PeerSample;
import org.fibnuma.ipnuma.metrics.RegionSample;
import org.fibnuma.ipnuma.session.SessionCounter;
import org.fibnuma.ipnuma.table.Peer;

import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Writes samples as JSON for the web page. Counters are totals since the start of the endpoint, so that a web page
 * computes rates from any two events. {@code timeMs} is the time of the sample.
 */
final class StateFormat
{
    private final String endpoint;
    private final String version;
    private final LongSupplier uptimeMs;
    private final RecentLines log;

    StateFormat(final String endpoint, final String version, final LongSupplier uptimeMs, final RecentLines log)
    {
        this.endpoint = endpoint;
        this.version = version;
        this.uptimeMs = uptimeMs;
        this.log = log;
    }

    /** Returns a newly taken sample as one line. */
    String format(final EndpointSample sample)
    {
        final ObjectNode state = JsonNodeFactory.instance.objectNode()
            .put("endpoint", endpoint)
            .put("version", version)
            .put("timeMs", uptimeMs.getAsLong())
            .put("longestSafepointUs", TimeUnit.NANOSECONDS.toMicros(sample.safepoints().longestNs()));
        final ObjectNode frames = state.putObject("frames");
        for (final EndpointCounter counter : EndpointCounter.values())
        {
            frames.put(counter.label(), sample.get(counter));
        }
        state.putArray("peers");
        sample.peers().forEach(peer -> putPeer(state.withArray("peers").addObject(), peer));
        state.putArray("regions");
        for (final RegionSample region : sample.regions())
        {
            state.withArray("regions").addObject().put("name", region.name()).put("access", region.access())
                .put("bytes", region.bytes()).put("count", region.count());
        }
        state.putArray("drops");
        for (final DropReason reason : DropReason.values())
        {
            if (sample.get(reason) > 0)
            {
                state.withArray("drops").addObject()
                    .put("reason", reason.label()).put("frames", sample.get(reason))
                    .put("meaning", reason.meaning()).put("remedy", reason.remedy());
            }
        }
        log.format(state.putArray("log"));
        return state.toString();
    }

    private static void putPeer(final ObjectNode row, final PeerSample peer)
    {
        row.put("id", peer.id()).put("address", peer.address()).put("format", peer.format())
            .put("up", peer.up()).put("down", peer.down())
            .put("mac", peer.mac() == Peer.NO_MAC ? "" : MacAddress.format(peer.mac()))
            .put("roundTripUs", peer.roundTripNs() / 1000.0).put("pendingWrites", peer.pendingWrites());
        for (final SessionCounter counter : SessionCounter.values())
        {
            row.put(counter.label(), peer.get(counter));
        }
    }
}
