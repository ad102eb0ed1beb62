package org.fibnuma.bench.traffic;

import org.fibnuma.core.memory.FrameMemory;
import org.fibnuma.core.memory.MemoryRegion;
import org.fibnuma.core.traffic.HostFrames;
import org.fibnuma.core.wire.IpAddress;
import org.fibnuma.core.wire.Ipv4Address;
import org.fibnuma.core.wire.MacAddress;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import java.util.HexFormat;

import static org.junit.jupiter.api.Assertions.assertEquals;

/** Compares with frames that scapy has written. */
class FrameTemplateTest
{
    private static final String IPV4 = "02000000000102000000000208004500002e000000004011aaaa0a000002c6120001c0000007" +
        "001a0000254400070000000300000000000000000000";
    private static final String IPV6 = "02000000000102000000000286dd6000000000161140fd010000000000000000000000000002" +
        "20010002000000000000000000001234c00000070016eb312544000700000003000000000000";
    private static final int CHUNK = 2048;

    private final MemoryRegion memory = MemoryRegion.ofChunks(1, CHUNK);

    @AfterEach
    void closeMemory()
    {
        memory.close();
    }

    @Test
    void shouldWriteFramesOfIpv4WithTheirHeaderChecksum()
    {
        assertEquals(IPV4, written(60, false, "198.18.0.1"));
    }

    @Test
    void shouldWriteFramesOfIpv6WithTheirUdpChecksumWhateverWasInTheChunk()
    {
        FrameMemory.fill(memory.address(), CHUNK, (byte)0x5A);

        assertEquals(IPV6, written(76, true, "2001:2::1234"));
    }

    @Test
    void shouldFindTheNumberOfAFrameOfTheTrialOnly()
    {
        written(60, false, "198.18.0.1");
        assertEquals(3, FrameTemplate.number(memory.address(), 60, 7));
        assertEquals(7L << 32 | 3, FrameTemplate.identity(memory.address(), 60));
        assertEquals(FrameTemplate.NONE, FrameTemplate.number(memory.address(), 60, 8));
        assertEquals(FrameTemplate.NONE, FrameTemplate.number(memory.address(), 49, 7));

        written(76, true, "2001:2::1234");
        assertEquals(3, FrameTemplate.number(memory.address(), 76, 7));
        assertEquals(FrameTemplate.NONE, FrameTemplate.number(memory.address(), 69, 7));

        FrameMemory.putShortBE(memory.address() + 12, 0x0806);
        assertEquals(FrameTemplate.NONE, FrameTemplate.number(memory.address(), 76, 7));
    }

    private String written(final int length, final boolean isIpv6, final String destination)
    {
        final HostFrames host = new HostFrames(MacAddress.parse("02:00:00:00:00:01"),
            MacAddress.parse("02:00:00:00:00:02"), Ipv4Address.parse("10.0.0.2"), IpAddress.parse("fd01::2"), length);
        final FrameTemplate template = new FrameTemplate(host, isIpv6);
        if (!isIpv6)
        {
            FrameMemory.zero(memory.address(), length);
        }
        template.write(memory.address(), IpAddress.parse(destination), 7, 3);
        final byte[] bytes = new byte[length];
        FrameMemory.getBytes(memory.address(), bytes);
        return HexFormat.of().formatHex(bytes);
    }
}
