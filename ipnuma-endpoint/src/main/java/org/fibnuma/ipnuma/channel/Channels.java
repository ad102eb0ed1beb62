package org.fibnuma.ipnuma.channel;

import org.fibnuma.ipnuma.fate.PeerCounterSpace;
import org.fibnuma.ipnuma.fate.PeerCounters;
import org.fibnuma.ipnuma.seal.DatagramSeal;
import org.fibnuma.ipnuma.session.DirectRings;
import org.fibnuma.ipnuma.session.SessionSettings;
import org.fibnuma.ipnuma.table.Peer;
import org.fibnuma.ipnuma.table.RegionTable;
import org.fibnuma.ipnuma.wire.DatagramCodec;
import org.fibnuma.ipnuma.wire.Ipnuma10gCodec;
import org.fibnuma.ipnuma.wire.Ipnuma1gCodec;
import org.fibnuma.ipnuma.wire.NetTlpCodec;

import java.util.List;
import java.util.Map;

/**
 * Creates the channels of peers.
 *
 * @param frames   sends frames to the port.
 * @param ownMac   MAC address of this endpoint.
 * @param ownIpv4  IPv4 address of this endpoint.
 * @param mtu      longest IP packet, in bytes.
 * @param regions  accessed by peers.
 * @param settings of sessions, whose datagrams are limited to the MTU.
 * @param listener notified of events and answers.
 * @param seals    by PC ID, for peers whose datagrams are sealed.
 * @param schedule polls the channels.
 * @param rings    of the port, for writes without datagrams.
 * @param counters in which the counters of peers are published.
 */
public record Channels(
    FrameOutput frames,
    long ownMac,
    int ownIpv4,
    int mtu,
    RegionTable regions,
    SessionSettings settings,
    ChannelListener listener,
    Map<Integer, DatagramSeal> seals,
    PeerSchedule schedule,
    DirectRings rings,
    PeerCounterSpace counters)
{
    /** Creates the channel of a peer in its format. */
    public PeerChannel open(final Peer peer)
    {
        final PeerOutput output = new PeerOutput(frames, peer, ownMac, ownIpv4, mtu);
        return switch (peer.format())
        {
            case FIBNUMA -> fibnuma(peer, output);
            case IPNUMA_10G -> unreliable(peer, new Ipnuma10gCodec(), output);
            case IPNUMA_1G -> unreliable(peer, new Ipnuma1gCodec(), output);
            case NETTLP, NETTLP_PSMEM -> unreliable(peer, new NetTlpCodec(), output);
        };
    }

    private PeerChannel fibnuma(final Peer peer, final PeerOutput output)
    {
        final DatagramSeal seal = seals.get(peer.pcId());
        final int longest = settings.datagramLength();
        // A session reads its settings in its constructor only, so that the length can be changed for that time.
        settings.datagramLength(
            Math.min(longest, output.longestPayload()) - (seal == null ? 0 : DatagramSeal.OVERHEAD));
        final PeerChannel channel = new FibnumaChannel(
            peer, output, new FibnumaChannel.Sealing(seal, frames.counters()), regions, settings, listener,
            schedule, rings, counters);
        settings.datagramLength(longest);
        return channel;
    }

    private PeerChannel unreliable(final Peer peer, final DatagramCodec codec, final PeerOutput output)
    {
        return new UnreliableChannel(
            peer, codec, output, regions, listener, frames, schedule,
            new PeerCounters(counters, peer.pcId(), peer.toString(), List.of()));
    }
}
