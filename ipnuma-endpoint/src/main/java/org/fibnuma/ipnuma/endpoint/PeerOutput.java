package org.fibnuma.ipnuma.endpoint;

import org.fibnuma.core.frame.FramePool;
import org.fibnuma.core.memory.FrameMemory;
import org.fibnuma.core.wire.EthernetHeaderFlyweight;
import org.fibnuma.core.wire.UdpHeaderFlyweight;
import org.fibnuma.ipnuma.session.DatagramOutput;
import org.fibnuma.ipnuma.table.Peer;
import org.fibnuma.ipnuma.wire.IpnumaPorts;
import org.fibnuma.ipnuma.wire.UdpFrameTemplate;

/**
 * Sends datagrams to one peer, written directly into their frames. While the MAC address of the peer is unknown, no
 * datagram can be claimed. Endpoint's thread.
 */
final class PeerOutput implements DatagramOutput
{
    /** Offset of the payload in its chunk: after headroom and headers, at the start of a cache line. */
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
    private int udpPort = IpnumaPorts.IPNUMA;
    private UdpFrameTemplate template;
    private long chunk = FramePool.NONE;

    /**
     * Creates an output that uses UDP port {@link IpnumaPorts#IPNUMA} as source and destination until {@link #udpPort}
     * sets another. The longest IP packet is given in bytes.
     */
    PeerOutput(
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
        onMacChange();
    }

    /** Updates the frame headers after the MAC address of the peer was resolved, changed or removed. */
    void onMacChange()
    {
        template = peer.mac() == Peer.NO_MAC ? null :
            new UdpFrameTemplate(ownMac, peer.mac(), ownIpv4, peer.ipv4(),
                IpnumaPorts.IPNUMA, IpnumaPorts.IPNUMA);
    }

    /** Sets source and destination UDP port of the next datagrams. */
    void udpPort(final int number)
    {
        udpPort = number;
    }

    /** Returns whether the MAC address of the peer is resolved. Then {@link #claim} depends on free memory only. */
    boolean isReachable()
    {
        return template != null;
    }

    int longestPayload()
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
        if (udpPort != IpnumaPorts.IPNUMA)
        {
            FrameMemory.putShortBE(frame + SOURCE_PORT_OFFSET, udpPort);
            FrameMemory.putShortBE(frame + DESTINATION_PORT_OFFSET, udpPort);
        }
        frames.send(chunk, frame, frameLength);
        chunk = FramePool.NONE;
    }

    void flush()
    {
        frames.flush();
    }
}
