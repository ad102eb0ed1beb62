package org.fibnuma.ipnuma.channel;

import org.agrona.concurrent.status.CountersManager;
import org.fibnuma.ipnuma.fate.PeerCounters;
import org.fibnuma.ipnuma.seal.DatagramSeal;
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
 * Makes the channel of a peer.
 *
 * @param frames   way to the port.
 * @param ownMac   of this endpoint.
 * @param ownIpv4  of this endpoint.
 * @param mtu      longest IP packet, in bytes.
 * @param regions  that peers reach.
 * @param settings of sessions, whose datagrams are made no longer than the MTU.
 * @param listener told what happens.
 * @param seals    of the peers, by PC ID, whose datagrams are sealed.
 * @param counters where others see how peers are doing.
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
    CountersManager counters)
{
    /**
     * The channel of a peer, in its format.
     *
     * @param peer whose station may be known or not.
     * @return the channel.
     */
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
        // A session reads its settings once, when it is made: they are lent to it with its own length.
        settings.datagramLength(
            Math.min(longest, output.longestPayload()) - (seal == null ? 0 : DatagramSeal.OVERHEAD));
        final PeerChannel channel = new FibnumaChannel(
            peer, output, new FibnumaChannel.Sealing(seal, frames.counters()), regions, settings, listener, counters);
        settings.datagramLength(longest);
        return channel;
    }

    private PeerChannel unreliable(final Peer peer, final DatagramCodec codec, final PeerOutput output)
    {
        return new UnreliableChannel(
            peer, codec, output, regions, listener, frames,
            new PeerCounters(counters, peer.pcId(), peer.toString(), List.of()));
    }
}
