package org.fibnuma.ipnuma.metrics;

import org.fibnuma.ipnuma.session.SessionCounter;

/**
 * A peer at one moment, or the sum of several peers.
 *
 * @param id            its PC ID as text, or {@link EndpointSample#OTHER}.
 * @param address       IPv4 address; empty for a sum.
 * @param format        wire format of its datagrams; empty for a sum.
 * @param up            peers to which writes can take effect: 1 or 0, more for a sum.
 * @param down          peers to which no write can take effect.
 * @param mac           MAC address of the next hop, 0 if it is not resolved.
 * @param roundTripNs   smoothed round-trip time in ns, 0 before the first sample.
 * @param pendingWrites writes that are not acknowledged.
 * @param session       by ordinal of {@link SessionCounter}; zeros for a peer without a session.
 */
public record PeerSample(
    String id,
    String address,
    String format,
    int up,
    int down,
    long mac,
    long roundTripNs,
    long pendingWrites,
    long[] session)
{
    /** Returns the value of a counter. */
    public long get(final SessionCounter counter)
    {
        return session[counter.ordinal()];
    }

    /** Returns the sum of this and another peer with the id {@link EndpointSample#OTHER}. */
    PeerSample plus(final PeerSample other)
    {
        final long[] sum = session.clone();
        for (int i = 0; i < sum.length; i++)
        {
            sum[i] += other.session[i];
        }
        return new PeerSample(EndpointSample.OTHER, "", "", up + other.up, down + other.down, 0,
            Math.max(roundTripNs, other.roundTripNs), pendingWrites + other.pendingWrites, sum);
    }
}
