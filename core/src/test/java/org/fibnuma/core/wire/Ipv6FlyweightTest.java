package org.fibnuma.core.wire;

import org.fibnuma.core.memory.FrameMemory;
import org.fibnuma.core.memory.MemoryRegion;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import java.util.HexFormat;
import java.util.Random;
import java.util.Set;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

/** Reads and writes every field of headers that scapy 2.5.0 built, with a different value in each field. */
class Ipv6FlyweightTest
{
    private static final String IPV6 =
        "6b9abcde00173ac8" + "20010db80000000000000000000000c8" + "20010db880000001fedcba987654004d";
    private static final String PACKET_TOO_BIG = "02003dd300000578" + "6000000000003a0102030405060708";
    private static final String IPV6_OF_ONES = "60000000001b0640" + "ff".repeat(31) + "fe";
    private static final String TCP = "cf0812b50000000000000000500220000eda0000" + "6669626e756d61";

    private static final String IPV6_OF_UDP =
        "60000000000a1140" + "20010db8000000000000000000000001" + "20010db8000000000000000000000002";
    private static final String UDP_DATA = "9228";
    private static final String UDP_DATA_PLUS_2 = "922a";

    private final MemoryRegion region = MemoryRegion.ofBytes(4096);
    // Odd, so that no access depends on alignment.
    private final long address = region.address() + 3;

    @AfterEach
    void closeRegion()
    {
        region.close();
    }

    @Test
    void shouldReadIpv6()
    {
        put(IPV6);
        final Ipv6HeaderFlyweight ipv6 = new Ipv6HeaderFlyweight().wrap(address);
        assertEquals(Ipv6HeaderFlyweight.VERSION_6, ipv6.version());
        assertEquals(0xB9, ipv6.trafficClass());
        assertEquals(0xABCDE, ipv6.flowLabel());
        assertEquals(23, ipv6.payloadLength());
        assertEquals(IpProtocol.ICMPV6, ipv6.nextHeader());
        assertEquals(200, ipv6.hopLimit());
        assertEquals("2001:db8::c8", Ipv6Address.format(ipv6.sourceHigh(), ipv6.sourceLow()));
        assertEquals("2001:db8:8000:1:fedc:ba98:7654:4d",
            Ipv6Address.format(ipv6.destinationHigh(), ipv6.destinationLow()));
        assertEquals(IPV6.length() / 2, Ipv6HeaderFlyweight.LENGTH);
    }

    @Test
    void shouldReadEveryBitOfTheFirstWord()
    {
        put("f" + "ff" + "fffff");
        final Ipv6HeaderFlyweight ipv6 = new Ipv6HeaderFlyweight().wrap(address);
        assertEquals(15, ipv6.version());
        assertEquals(0xFF, ipv6.trafficClass());
        assertEquals(0xFFFFF, ipv6.flowLabel());
        ipv6.versionClassFlow(0, 0);
        assertBytes("60000000");
    }

    @Test
    void shouldWriteIpv6()
    {
        put("ff".repeat(Ipv6HeaderFlyweight.LENGTH));
        new Ipv6HeaderFlyweight().wrap(address)
            .versionClassFlow(0xB9, 0xABCDE).payloadLength(23).nextHeader(IpProtocol.ICMPV6).hopLimit(200)
            .source(0x2001_0DB8_0000_0000L, 0xC8).destination(0x2001_0DB8_8000_0001L, 0xFEDC_BA98_7654_004DL);
        assertBytes(IPV6);
    }

    @Test
    void shouldReadAndWriteIcmpv6()
    {
        put(IPV6 + PACKET_TOO_BIG);
        final Icmpv6HeaderFlyweight icmp = new Icmpv6HeaderFlyweight().wrap(address + Ipv6HeaderFlyweight.LENGTH);
        assertEquals(Icmpv6HeaderFlyweight.TYPE_PACKET_TOO_BIG, icmp.type());
        assertEquals(0, icmp.code());
        assertEquals(0x3DD3, icmp.checksum());
        assertEquals(1400, icmp.rest());

        FrameMemory.putBytes(address + Ipv6HeaderFlyweight.LENGTH, HexFormat.of().parseHex("ff".repeat(8)));
        icmp.type(Icmpv6HeaderFlyweight.TYPE_PACKET_TOO_BIG).code(0).rest(1400)
            .computeChecksum(address, PACKET_TOO_BIG.length() / 2);
        assertBytes(IPV6 + PACKET_TOO_BIG);
    }

    @Test
    void shouldSumTcpWithItsPseudoHeader()
    {
        put(IPV6_OF_ONES + TCP);
        final int length = TCP.length() / 2;
        final long pseudo = InternetChecksum.pseudoHeaderSumIpv6(address, IpProtocol.TCP, length);
        assertEquals(0, InternetChecksum.finish(
            InternetChecksum.sum(address + Ipv6HeaderFlyweight.LENGTH, length, pseudo)));
    }

    /** The checksum of the first datagram is 0xFFFF because the sum of its words is all ones (RFC 8200 section 8.1). */
    @Test
    void shouldComputeTheChecksumOfUdp()
    {
        for (final String checksum : new String[] {"ffff", "fffd"})
        {
            final String udp = "12340009000a" + checksum + ("ffff".equals(checksum) ? UDP_DATA : UDP_DATA_PLUS_2);
            put(IPV6_OF_UDP + udp);
            final UdpHeaderFlyweight header = new UdpHeaderFlyweight().wrap(address + Ipv6HeaderFlyweight.LENGTH);
            header.lengthWithoutChecksum(10).computeChecksumOverIpv6(address);
            assertBytes(IPV6_OF_UDP + udp);
        }
    }

    @Test
    void shouldSumRandomPacketsLikeThePseudoHeaderWrittenOut()
    {
        final Random random = new Random(8200);
        for (int i = 0; i < 5_000; i++)
        {
            final byte[] packet = new byte[Ipv6HeaderFlyweight.LENGTH + random.nextInt(1500)];
            random.nextBytes(packet);
            FrameMemory.putBytes(address, packet);
            final int length = packet.length - Ipv6HeaderFlyweight.LENGTH;
            final int protocol = random.nextInt(256);
            final long pseudo = InternetChecksum.pseudoHeaderSumIpv6(address, protocol, length);

            assertEquals(definition(packet, protocol), InternetChecksum.finish(
                InternetChecksum.sum(address + Ipv6HeaderFlyweight.LENGTH, length, pseudo)));
        }
    }

    @Test
    void shouldKnowAboutWhichIcmpv6TypesNoErrorIsSent()
    {
        // RFC 4443 sections 2.1 and 2.4 (e): types below 128, and redirect messages.
        final Set<Integer> informational = Set.of(128, 129, 130, 133, 134, 135, 136, 138, 255);
        informational.forEach(type -> assertEquals(false, Icmpv6HeaderFlyweight.isError(type), "type " + type));
        Set.of(1, 2, 3, 4, 100, 127, 137)
            .forEach(type -> assertEquals(true, Icmpv6HeaderFlyweight.isError(type), "type " + type));
    }

    /** RFC 8200 section 8.1: addresses, 32-bit length, three zero bytes, next header, then the packet. */
    private static int definition(final byte[] packet, final int protocol)
    {
        final int length = packet.length - 40;
        final byte[] summed = new byte[40 + length + 1];
        System.arraycopy(packet, 8, summed, 0, 32);
        summed[34] = (byte)(length >>> 8);
        summed[35] = (byte)length;
        summed[39] = (byte)protocol;
        System.arraycopy(packet, 40, summed, 40, length);
        int sum = 0;
        for (int i = 0; i + 1 < summed.length; i += 2)
        {
            sum += (summed[i] & 0xFF) << 8 | summed[i + 1] & 0xFF;
            sum = (sum & 0xFFFF) + (sum >>> 16);
        }
        return ~sum & 0xFFFF;
    }

    private void put(final String hex)
    {
        FrameMemory.putBytes(address, HexFormat.of().parseHex(hex));
    }

    private void assertBytes(final String hex)
    {
        final byte[] bytes = new byte[hex.length() / 2];
        FrameMemory.getBytes(address, bytes);
        assertArrayEquals(HexFormat.of().parseHex(hex), bytes, HexFormat.of().formatHex(bytes));
    }
}
