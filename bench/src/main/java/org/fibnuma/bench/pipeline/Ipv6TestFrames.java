package org.fibnuma.bench.pipeline;

import org.fibnuma.core.frame.FramePool;
import org.fibnuma.core.memory.FrameMemory;
import org.fibnuma.core.wire.EtherType;
import org.fibnuma.core.wire.EthernetHeaderFlyweight;
import org.fibnuma.core.wire.Icmpv6HeaderFlyweight;
import org.fibnuma.core.wire.IpProtocol;
import org.fibnuma.core.wire.Ipv6Address;
import org.fibnuma.core.wire.Ipv6HeaderFlyweight;
import org.fibnuma.core.wire.MacAddress;
import org.fibnuma.core.wire.UdpHeaderFlyweight;

/**
 * Writes the IPv6 frames of {@link TestTraffic}, copied from templates. The UDP checksum is 0: no router reads it. Used
 * by one thread.
 */
final class Ipv6TestFrames
{
    /** Length of the shortest frame of UDP over IPv6 in bytes, without FCS. */
    static final int SHORTEST =
        EthernetHeaderFlyweight.LENGTH + Ipv6HeaderFlyweight.LENGTH + UdpHeaderFlyweight.LENGTH;

    private static final int IP = EthernetHeaderFlyweight.LENGTH;
    private static final int PAYLOAD = IP + Ipv6HeaderFlyweight.LENGTH;
    private static final int HOP_LIMIT = 64;
    private static final int LAST_HOP_LIMIT = 1;
    private static final int PORT = 9;

    /** RFC 4861 section 4.3: type, hop limit, and the option of section 4.6.1 with the sender's MAC address. */
    private static final int NEIGHBOR_SOLICITATION = 135;
    private static final int NEIGHBOR_HOP_LIMIT = 255;
    private static final int TARGET = PAYLOAD + Icmpv6HeaderFlyweight.LENGTH;
    private static final int OPTION = TARGET + Ipv6Address.LENGTH;
    private static final int OPTION_LENGTH = 8;
    private static final int SOURCE_MAC_OPTION = 0x0101;
    private static final int SOLICITATION_LENGTH = OPTION + OPTION_LENGTH;
    private static final Ipv6Address LINK_LOCAL = Ipv6Address.parse("fe80::2");
    private static final Ipv6Address SOLICITED = Ipv6Address.parse("fe80::1");
    private static final Ipv6Address SOLICITED_NODE = Ipv6Address.parse("ff02::1:ff00:1");
    private static final long SOLICITED_NODE_MAC = MacAddress.parse("33:33:ff:00:00:01");

    private final Ipv6Address[] destinations;
    private final int frameLength;
    private final long[] udp;
    private final long[] solicitation;
    private final Ipv6HeaderFlyweight ip = new Ipv6HeaderFlyweight();
    private int next;

    /**
     * Creates the templates.
     *
     * @param pool           of chunks.
     * @param destinations   IPv6 addresses, at least one.
     * @param frameLength    length of UDP frames in bytes, without FCS, {@link #SHORTEST} or more.
     * @param sourceMac      of the frames.
     * @param destinationMac of the UDP frames: the router's.
     * @param source         IPv6 address of the UDP frames.
     */
    Ipv6TestFrames(
        final FramePool pool,
        final Ipv6Address[] destinations,
        final int frameLength,
        final long sourceMac,
        final long destinationMac,
        final Ipv6Address source)
    {
        this.destinations = destinations;
        this.frameLength = frameLength;
        final long chunk = pool.allocate();
        final long frame = chunk + FramePool.HEADROOM;
        writeUdp(frame, sourceMac, destinationMac, source);
        udp = wordsOf(frame, SHORTEST);
        writeSolicitation(frame, sourceMac);
        solicitation = wordsOf(frame, SOLICITATION_LENGTH);
        pool.release(chunk);
    }

    private void writeUdp(
        final long frame, final long sourceMac, final long destinationMac, final Ipv6Address source)
    {
        new EthernetHeaderFlyweight().wrap(frame)
            .destination(destinationMac).source(sourceMac).etherType(EtherType.IPV6);
        ip.wrap(frame + IP)
            .versionClassFlow(0, 0)
            .payloadLength(frameLength - PAYLOAD)
            .nextHeader(IpProtocol.UDP)
            .hopLimit(HOP_LIMIT)
            .source(source.high(), source.low())
            .destination(0, 0);
        new UdpHeaderFlyweight().wrap(frame + PAYLOAD)
            .ports(PORT, PORT).lengthWithoutChecksum(frameLength - PAYLOAD);
    }

    private void writeSolicitation(final long frame, final long sourceMac)
    {
        final int length = SOLICITATION_LENGTH - PAYLOAD;
        new EthernetHeaderFlyweight().wrap(frame)
            .destination(SOLICITED_NODE_MAC).source(sourceMac).etherType(EtherType.IPV6);
        ip.wrap(frame + IP)
            .versionClassFlow(0, 0)
            .payloadLength(length)
            .nextHeader(IpProtocol.ICMPV6)
            .hopLimit(NEIGHBOR_HOP_LIMIT)
            .source(LINK_LOCAL.high(), LINK_LOCAL.low())
            .destination(SOLICITED_NODE.high(), SOLICITED_NODE.low());
        FrameMemory.putLongBE(frame + TARGET, SOLICITED.high());
        FrameMemory.putLongBE(frame + TARGET + Long.BYTES, SOLICITED.low());
        FrameMemory.putShortBE(frame + OPTION, SOURCE_MAC_OPTION);
        MacAddress.write(frame + OPTION + Short.BYTES, sourceMac);
        new Icmpv6HeaderFlyweight().wrap(frame + PAYLOAD)
            .type(NEIGHBOR_SOLICITATION).code(0).rest(0).computeChecksum(frame + IP, length);
    }

    private static long[] wordsOf(final long frame, final int length)
    {
        final long[] words = new long[(length + Long.BYTES - 1) / Long.BYTES];
        for (int i = 0; i < words.length; i++)
        {
            words[i] = FrameMemory.getLong(frame + i * Long.BYTES);
        }
        return words;
    }

    /**
     * Writes a frame.
     *
     * @param frame address of the first byte.
     * @param kind  an IPv6 kind.
     * @return length of the frame in bytes, without FCS.
     */
    int write(final long frame, final TestFrameKind kind)
    {
        if (kind == TestFrameKind.ND)
        {
            copy(solicitation, frame);
            return SOLICITATION_LENGTH;
        }
        copy(udp, frame);
        final Ipv6Address destination =
            kind == TestFrameKind.UNRESOLVED6 ? LoadedRouter.UNRESOLVED_IPV6_HOST : destinations[next];
        next = next + 1 < destinations.length ? next + 1 : 0;
        ip.wrap(frame + IP).destination(destination.high(), destination.low());
        if (kind == TestFrameKind.EXPIRED6)
        {
            ip.hopLimit(LAST_HOP_LIMIT);
        }
        return frameLength;
    }

    private static void copy(final long[] words, final long frame)
    {
        for (int i = 0; i < words.length; i++)
        {
            FrameMemory.putLong(frame + i * Long.BYTES, words[i]);
        }
    }
}
