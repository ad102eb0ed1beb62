package org.fibnuma.core.wire;

import org.fibnuma.core.memory.FrameMemory;
import org.fibnuma.core.memory.MemoryRegion;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import java.util.HexFormat;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Reads and writes every field of headers that scapy 2.5.0 built, with a different value in each field. */
class FlyweightTest
{
    private static final String ETHERNET = "02005e005301" + "fedcba987654" + "0800";
    private static final String IPV4 = "46b90027beef5234c8119ed2c00002c8e9fc004d" + "94040000";
    private static final String UDP = "cf0812b5000fd1ba";
    private static final String PAYLOAD = "6669626e756d61";
    private static final String FRAGMENTATION_NEEDED =
        "030408cd00000578" + "45000102030405060708090a0b0c0d0e0f101112131415161718191a";

    private final MemoryRegion region = MemoryRegion.ofBytes(256);
    // Odd, so that no access depends on alignment.
    private final long address = region.address() + 3;

    @AfterEach
    void closeRegion()
    {
        region.close();
    }

    @Test
    void shouldReadEthernet()
    {
        put(ETHERNET);
        final EthernetHeaderFlyweight ethernet = new EthernetHeaderFlyweight().wrap(address);
        assertEquals(0x0200_5E00_5301L, ethernet.destination());
        assertEquals(0xFEDC_BA98_7654L, ethernet.source());
        assertEquals(EtherType.IPV4, ethernet.etherType());
    }

    @Test
    void shouldWriteEthernet()
    {
        new EthernetHeaderFlyweight().wrap(address)
            .destination(0x0200_5E00_5301L).source(0xFEDC_BA98_7654L).etherType(EtherType.IPV4);
        assertBytes(ETHERNET);
    }

    @Test
    void shouldReadIpv4()
    {
        put(IPV4);
        final Ipv4HeaderFlyweight ipv4 = new Ipv4HeaderFlyweight().wrap(address);
        assertEquals(0x46, ipv4.versionAndIhl());
        assertEquals(24, ipv4.headerLength());
        assertEquals(0xB9, ipv4.trafficClass());
        assertEquals(39, ipv4.totalLength());
        assertEquals(0xBEEF, ipv4.identification());
        assertEquals(Ipv4HeaderFlyweight.FLAG_DF | 0x1234, ipv4.flagsAndFragmentOffset());
        assertEquals(200, ipv4.ttl());
        assertEquals(IpProtocol.UDP, ipv4.protocol());
        assertEquals(0x9ED2, ipv4.checksum());
        assertEquals("192.0.2.200", Ipv4Address.format(ipv4.source()));
        assertEquals("233.252.0.77", Ipv4Address.format(ipv4.destination()));
        assertEquals(0, InternetChecksum.of(address, ipv4.headerLength()));
    }

    @Test
    void shouldWriteIpv4WithItsChecksum()
    {
        put("ff".repeat(20) + "94040000");
        new Ipv4HeaderFlyweight().wrap(address)
            .versionAndIhl(0x46).trafficClass(0xB9).totalLength(39).identification(0xBEEF)
            .flagsAndFragmentOffset(Ipv4HeaderFlyweight.FLAG_DF | 0x1234).ttl(200).protocol(IpProtocol.UDP)
            .source(Ipv4Address.parse("192.0.2.200")).destination(Ipv4Address.parse("233.252.0.77"))
            .computeChecksum();
        assertBytes(IPV4);
    }

    @Test
    void shouldReadUdp()
    {
        put(UDP + PAYLOAD);
        final UdpHeaderFlyweight udp = new UdpHeaderFlyweight().wrap(address);
        assertEquals(53_000, udp.sourcePort());
        assertEquals(4789, udp.destinationPort());
        assertEquals(15, udp.length());
    }

    @Test
    void shouldWriteUdpWithoutChecksum()
    {
        put("ff".repeat(8));
        new UdpHeaderFlyweight().wrap(address).ports(53_000, 4789).lengthWithoutChecksum(15);
        assertBytes("cf0812b5000f0000");
    }

    @Test
    void shouldSumUdpWithItsPseudoHeaderInPieces()
    {
        put("c00002c8e9fc004d" + "0011000f" + UDP + PAYLOAD);
        final long pseudo = InternetChecksum.sum(address, 12, 0);
        assertEquals(0, InternetChecksum.finish(InternetChecksum.sum(address + 12, 15, pseudo)));
    }

    @Test
    void shouldReadAndWriteIcmp()
    {
        put(FRAGMENTATION_NEEDED);
        final IcmpHeaderFlyweight icmp = new IcmpHeaderFlyweight().wrap(address);
        assertEquals(IcmpHeaderFlyweight.TYPE_UNREACHABLE, icmp.type());
        assertEquals(IcmpHeaderFlyweight.CODE_FRAGMENTATION_NEEDED, icmp.code());
        assertEquals(1400, FrameMemory.getShortBE(address + IcmpHeaderFlyweight.NEXT_HOP_MTU_OFFSET));

        put("ff".repeat(IcmpHeaderFlyweight.LENGTH));
        icmp.type(IcmpHeaderFlyweight.TYPE_UNREACHABLE).code(IcmpHeaderFlyweight.CODE_FRAGMENTATION_NEEDED)
            .rest(1400).computeChecksum(FRAGMENTATION_NEEDED.length() / 2);
        assertBytes(FRAGMENTATION_NEEDED);
    }

    @Test
    void shouldKnowWhichIcmpTypesReportErrors()
    {
        // RFC 1122 section 3.2.2: these five, and no query.
        for (int type = 0; type < 256; type++)
        {
            assertEquals(
                type == 3 || type == 4 || type == 5 || type == 11 || type == 12, IcmpHeaderFlyweight.isError(type));
        }
    }

    @Test
    void shouldReadAndWriteMacAddresses()
    {
        assertEquals(0x0200_5E00_5301L, MacAddress.parse("02:00:5E:0:53:1"));
        assertEquals("02:00:5e:00:53:01", MacAddress.format(0x0200_5E00_5301L));
        assertEquals("ff:ff:ff:ff:ff:ff", MacAddress.format(MacAddress.BROADCAST));
        assertTrue(MacAddress.isGroup(MacAddress.BROADCAST));
        assertTrue(MacAddress.isGroup(MacAddress.parse("01:00:5e:00:00:01")));
        assertEquals(false, MacAddress.isGroup(MacAddress.parse("fe:ff:ff:ff:ff:ff")));
        for (final String text : new String[]{
            "", "02:00:5e:00:53", "02:00:5e:00:53:01:02", "02-00-5e-00-53-01", "02:00:5e:00:53:", "02:00:5e:00:53:+1",
            "002:00:5e:00:53:01", " 02:00:5e:00:53:01"})
        {
            assertRefused(text, () -> MacAddress.parse(text));
        }
    }

    @Test
    void shouldReadAndWriteIpv4Addresses()
    {
        assertEquals(0x0A00_0001, Ipv4Address.parse("10.0.0.1"));
        assertEquals(-1, Ipv4Address.parse("255.255.255.255"));
        assertEquals("192.0.2.200", Ipv4Address.format(0xC000_02C8));
        for (final String text : new String[]{
            "", "10.0.0", "10.0.0.256", "10.0.0.1.", "10.0.0.-1", "10.0.0.1 ", "1e1.0.0.1", "10.0.0.0001", "a.b.c.d"})
        {
            assertRefused(text, () -> Ipv4Address.parse(text));
        }
    }

    @Test
    void shouldMaskEveryPrefixLength()
    {
        for (int length = 0; length <= 32; length++)
        {
            assertEquals((int)(0xFFFF_FFFF_0000_0000L >> length), Ipv4Address.mask(length), "length " + length);
        }
    }

    private static void assertRefused(final String text, final Runnable parse)
    {
        try
        {
            parse.run();
        }
        catch (final IllegalArgumentException expected)
        {
            assertTrue(expected.getMessage().contains('"' + text + '"'), expected.getMessage());
            return;
        }
        throw new AssertionError("taken: \"" + text + '"');
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
