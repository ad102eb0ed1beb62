package org.fibnuma.ipnuma.channel;

import org.fibnuma.core.frame.FramePool;
import org.fibnuma.core.memory.FrameMemory;
import org.fibnuma.core.wire.EthernetHeaderFlyweight;
import org.fibnuma.core.wire.UdpHeaderFlyweight;
import org.fibnuma.ipnuma.session.DatagramOutput;
import org.fibnuma.ipnuma.table.Peer;
import org.fibnuma.ipnuma.wire.IpnumaPorts;
import org.fibnuma.ipnuma.wire.UdpFrameTemplate;

/**
 * Datagrams to one peer: they are written where their frames will be sent from. While the station of the peer is not
 * known there is no room for any. Endpoint's thread.
 */
public final class PeerOutput implements DatagramOutput
{
    /** Where payloads begin in their chunk: behind headroom and headers, at the start of a cache line. */
    private static final int PAYLOAD_OFFSET = FramePool.HEADROOM + 64;
    private static final int UDP_OFFSET = UdpFrameTemplate.HEADER_LENGTH - UdpHeaderFlyweight.LENGTH;
    private static final int SOURCE_PORT_OFFSET = UDP_OFFSET + UdpHeaderFlyweight.SOURCE_PORT_OFFSET;
    private static final int DESTINATION_PORT_OFFSET = UDP_OFFSET + UdpHeaderFlyweight.DESTINATION_PORT_OFFSET;
    private static final int FRAME_OFFSET = PAYLOAD_OFFSET - UdpFrameTemplate.HEADER_LENGTH;

    private final FrameOutput frames;
    private final Peer peer;
    private final long ownMac;
    private final int ownIpv4;
    private final int longestPayload;
    private int port = IpnumaPorts.IPNUMA;
    private UdpFrameTemplate template;
    private long chunk = FramePool.NONE;

    /**
     * Datagrams from and to the same port number, {@link IpnumaPorts#IPNUMA} until {@link #port} names another.
     *
     * @param frames  way to the port.
     * @param peer    they go to.
     * @param ownMac  of this endpoint.
     * @param ownIpv4 of this endpoint.
     * @param longest IP packet that the port carries, in bytes.
     */
    public PeerOutput(
        final FrameOutput frames,
        final Peer peer,
        final long ownMac,
        final int ownIpv4,
        final int longest)
    {
        this.frames = frames;
        this.peer = peer;
        this.ownMac = ownMac;
        this.ownIpv4 = ownIpv4;
        this.longestPayload = longest - UdpFrameTemplate.HEADER_LENGTH + EthernetHeaderFlyweight.LENGTH;
        onStation();
    }

    /** The station of the peer has become known, another one, or unknown. */
    public void onStation()
    {
        template = peer.mac() == Peer.NO_MAC ? null :
            new UdpFrameTemplate(ownMac, peer.mac(), ownIpv4, peer.ipv4(),
                IpnumaPorts.IPNUMA, IpnumaPorts.IPNUMA);
    }

    /**
     * Names the port number of the next datagrams.
     *
     * @param number 0 to 65,535.
     */
    void port(final int number)
    {
        port = number;
    }

    /**
     * Longest datagram.
     *
     * @return bytes of payload.
     */
    public int longestPayload()
    {
        return longestPayload;
    }

    @Override
    public long claim(final int length)
    {
        if (template == null)
        {
            return 0;
        }
        if (chunk == FramePool.NONE)
        {
            chunk = frames.allocate();
        }
        return chunk == FramePool.NONE ? 0 : chunk + PAYLOAD_OFFSET;
    }

    @Override
    public void commit(final int length, final boolean ecnCapable)
    {
        final long frame = chunk + FRAME_OFFSET;
        final int frameLength = template.write(
            frame, length, ecnCapable ? UdpFrameTemplate.ECN_CAPABLE : UdpFrameTemplate.NOT_ECN_CAPABLE);
        if (port != IpnumaPorts.IPNUMA)
        {
            FrameMemory.putShortBE(frame + SOURCE_PORT_OFFSET, port);
            FrameMemory.putShortBE(frame + DESTINATION_PORT_OFFSET, port);
        }
        frames.send(chunk, frame, frameLength);
        chunk = FramePool.NONE;
    }

    /** Lets everything leave now. */
    public void flush()
    {
        frames.flush();
    }
}
