package org.fibnuma.ipnuma.wire;

import org.fibnuma.core.memory.FrameMemory;
import org.fibnuma.core.memory.MemoryRegion;
import org.fibnuma.core.wire.InternetChecksum;
import org.junit.jupiter.api.Test;

import java.util.HexFormat;
import java.util.Random;

import static org.junit.jupiter.api.Assertions.assertEquals;

class UdpFrameTemplateTest
{
    @Test
    void shouldWriteTheHeadersByteByByte()
    {
        // Checksum by hand: 4502 + 0030 + 0000 + 4000 + 4011 + 0a09 + 0001 + 0a09 + 0002 = d958, complement 26a7.
        final String expected = "020000000002" + "020000000001" + "0800" +
            "4502" + "0030" + "0000" + "4000" + "4011" + "26a7" + "0a090001" + "0a090002" +
            "0d5e" + "0d5e" + "001c" + "0000";
        final UdpFrameTemplate template = new UdpFrameTemplate(
            0x0200_0000_0001L, 0x0200_0000_0002L, 0x0A090001, 0x0A090002, IpnumaPorts.IPNUMA, IpnumaPorts.IPNUMA);
        try (MemoryRegion memory = MemoryRegion.ofBytes(4096))
        {
            final byte[] frame = new byte[UdpFrameTemplate.HEADER_LENGTH];

            assertEquals(42 + 20, template.write(memory.address() + 2, 20, UdpFrameTemplate.ECN_CAPABLE));
            FrameMemory.getBytes(memory.address() + 2, frame);

            assertEquals(expected, HexFormat.of().formatHex(frame));
        }
    }

    @Test
    void shouldSumEveryHeaderToZero()
    {
        final Random random = new Random(1);
        try (MemoryRegion memory = MemoryRegion.ofBytes(4096))
        {
            for (int i = 0; i < 20_000; i++)
            {
                final UdpFrameTemplate template = new UdpFrameTemplate(
                    1, 2, random.nextInt(), random.nextInt(), random.nextInt(65536), random.nextInt(65536));
                template.write(memory.address(), random.nextInt(65508), random.nextInt(4));
                assertEquals(0, InternetChecksum.of(memory.address() + 14, 20));
            }
        }
    }
}
