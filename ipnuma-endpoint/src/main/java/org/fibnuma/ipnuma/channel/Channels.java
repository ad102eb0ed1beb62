package org.fibnuma.ipnuma.channel;

import org.fibnuma.ipnuma.session.SessionSettings;
import org.fibnuma.ipnuma.table.Peer;
import org.fibnuma.ipnuma.table.RegionTable;
import org.fibnuma.ipnuma.wire.DatagramCodec;
import org.fibnuma.ipnuma.wire.Ipnuma10gCodec;
import org.fibnuma.ipnuma.wire.Ipnuma1gCodec;
import org.fibnuma.ipnuma.wire.IpnumaPorts;
import org.fibnuma.ipnuma.wire.NetTlpCodec;

import java.util.function.IntFunction;

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
 */
public record Channels(
    FrameOutput frames,
    long ownMac,
    int ownIpv4,
    int mtu,
    RegionTable regions,
    SessionSettings settings,
    ChannelListener listener)
{
    /**
     * The channel of a peer, in its format.
     *
     * @param peer whose station may be known or not.
     * @return the channel.
     */
    public PeerChannel open(final Peer peer)
    {
        final IntFunction<PeerOutput> byPort = port -> new PeerOutput(frames, peer, ownMac, ownIpv4, port, mtu);
        return switch (peer.format())
        {
            case FIBNUMA -> new FibnumaChannel(peer, byPort.apply(IpnumaPorts.IPNUMA), regions, settings, listener);
            case IPNUMA_10G -> unreliable(peer, new Ipnuma10gCodec(), byPort);
            case IPNUMA_1G -> unreliable(peer, new Ipnuma1gCodec(), byPort);
            case NETTLP -> unreliable(peer, new NetTlpCodec(), byPort);
        };
    }

    private PeerChannel unreliable(final Peer peer, final DatagramCodec codec, final IntFunction<PeerOutput> byPort)
    {
        return new UnreliableChannel(
            peer, codec, PortOutputs.of(peer.format(), byPort), regions, listener, frames);
    }
}
