package org.fibnuma.bench.forward;

import org.agrona.concurrent.SystemEpochNanoClock;
import org.fibnuma.bench.lab.Families;
import org.fibnuma.core.memory.FrameMemory;
import org.fibnuma.core.memory.MemoryRegion;
import org.fibnuma.core.port.pcap.PcapWriter;
import org.fibnuma.core.traffic.HostFrames;
import org.fibnuma.core.wire.EtherType;
import org.fibnuma.core.wire.EthernetHeaderFlyweight;
import org.fibnuma.core.wire.InternetChecksum;
import org.fibnuma.core.wire.IpProtocol;
import org.fibnuma.core.wire.Ipv4Address;
import org.fibnuma.core.wire.Ipv6Address;
import org.fibnuma.core.wire.Ipv6HeaderFlyweight;
import org.fibnuma.core.wire.MacAddress;
import org.fibnuma.core.wire.UdpHeaderFlyweight;

import java.nio.file.Path;

/** Writes capture files of UDP frames to many destinations, all of one length. */
final class PcapTraffic
{
    /** Length of the shortest frame of UDP over IPv6 in bytes, without FCS. */
    static final int SHORTEST_IPV6 =
        EthernetHeaderFlyweight.LENGTH + Ipv6HeaderFlyweight.LENGTH + UdpHeaderFlyweight.LENGTH;

    private static final long SOURCE_MAC = MacAddress.parse("02:00:00:00:03:00");
    private static final int SOURCE = Ipv4Address.parse("10.0.0.2");
    private static final Ipv6Address IPV6_SOURCE = Ipv6Address.parse("fd00::2");
    private static final int CHUNK = 2048;
    private static final int TTL = 64;
    /** The discard service, RFC 863. */
    private static final int PORT = 9;

    private final int[] ipv4;
    private final Ipv6Address[] ipv6;
    private final int frameLength;
    private final HostFrames ipv4Frames;
    private final EthernetHeaderFlyweight ethernet = new EthernetHeaderFlyweight();
    private final Ipv6HeaderFlyweight ip = new Ipv6HeaderFlyweight();
    private final UdpHeaderFlyweight udp = new UdpHeaderFlyweight();

    /**
     * Creates the writer.
     *
     * @param ipv4        destinations, one for each frame of a capture.
     * @param ipv6        destinations, one for each frame of a capture with IPv6.
     * @param frameLength length of each frame in bytes, without FCS; {@link #SHORTEST_IPV6} or more for IPv6.
     */
    PcapTraffic(final int[] ipv4, final Ipv6Address[] ipv6, final int frameLength)
    {
        this.ipv4 = ipv4;
        this.ipv6 = ipv6;
        this.frameLength = frameLength;
        this.ipv4Frames = new HostFrames(ForwardRig.ROUTER_MAC, SOURCE_MAC, SOURCE, frameLength);
    }

    /**
     * Writes a capture.
     *
     * @param file   capture file to write.
     * @param kind   families of the frames.
     * @param frames number of frames, at most as many as there are destinations.
     */
    void write(final Path file, final Families kind, final int frames)
    {
        try (MemoryRegion memory = MemoryRegion.ofChunks(1, CHUNK);
            PcapWriter writer = PcapWriter.create(file, SystemEpochNanoClock.INSTANCE))
        {
            for (int i = 0; i < frames; i++)
            {
                FrameMemory.zero(memory.address(), frameLength);
                if (kind.isIpv6(i))
                {
                    writeIpv6(memory.address(), ipv6[i]);
                }
                else
                {
                    writeIpv4(memory.address(), ipv4[i]);
                }
                writer.write(memory.address(), frameLength);
            }
        }
    }

    private void writeIpv4(final long frame, final int destination)
    {
        ipv4Frames.write(frame, destination, IpProtocol.UDP, TTL);
        udp.wrap(frame + HostFrames.PAYLOAD_OFFSET)
            .ports(PORT, PORT)
            .lengthWithoutChecksum(frameLength - HostFrames.PAYLOAD_OFFSET);
    }

    private void writeIpv6(final long frame, final Ipv6Address destination)
    {
        final long header = frame + EthernetHeaderFlyweight.LENGTH;
        final long datagram = header + Ipv6HeaderFlyweight.LENGTH;
        final int length = frameLength - EthernetHeaderFlyweight.LENGTH - Ipv6HeaderFlyweight.LENGTH;
        ethernet.wrap(frame).destination(ForwardRig.ROUTER_MAC).source(SOURCE_MAC).etherType(EtherType.IPV6);
        ip.wrap(header)
            .versionClassFlow(0, 0)
            .payloadLength(length)
            .nextHeader(IpProtocol.UDP)
            .hopLimit(TTL)
            .source(IPV6_SOURCE.high(), IPV6_SOURCE.low())
            .destination(destination.high(), destination.low());
        udp.wrap(datagram).ports(PORT, PORT).lengthWithoutChecksum(length);
        final int checksum = InternetChecksum.finish(InternetChecksum.sum(
            datagram, length, InternetChecksum.pseudoHeaderSumIpv6(header, IpProtocol.UDP, length)));
        // A checksum of 0 is sent as its other form, as 0 means none (RFC 768).
        FrameMemory.putShortBE(datagram + UdpHeaderFlyweight.CHECKSUM_OFFSET, checksum == 0 ? 0xFFFF : checksum);
    }
}
