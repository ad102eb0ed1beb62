package org.fibnuma.bench.forward;

import org.fibnuma.bench.lab.Families;
import org.fibnuma.core.wire.Ipv4Address;
import org.fibnuma.core.wire.Ipv6Address;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;

import static org.junit.jupiter.api.Assertions.assertEquals;

/** Compares with frames written by hand; the headers before them in the file are those of libpcap's format 2.4. */
class PcapTrafficTest
{
    private static final int LENGTH = 62;
    private static final int FILE_HEADER = 24;
    private static final int RECORD_HEADER = 16;

    private static final String ETHERNET = "020000000100" + "020000000300";
    private static final String IPV4 = ETHERNET + "0800" +
        "45000030" + "00000000" + "40115ab8" + "0a000002" + "14010203" + "0009" + "0009" + "001c" + "0000" +
        "00".repeat(20);
    private static final String IPV6 = ETHERNET + "86dd" +
        "60000000" + "0008" + "11" + "40" + "fd000000000000000000000000000002" + "24000001000000000000000000000005" +
        "0009" + "0009" + "0008" + "dec3";

    @TempDir
    private Path directory;

    @Test
    void shouldWriteUdpFramesOfOneLengthForBothFamilies() throws IOException
    {
        assertEquals(List.of(IPV4, IPV4), framesOf(Families.IPV4));
        assertEquals(List.of(IPV6, IPV6), framesOf(Families.IPV6));
    }

    @Test
    void shouldAlternateBetweenTheFamiliesFrameByFrame() throws IOException
    {
        assertEquals(List.of(IPV4, IPV6), framesOf(Families.MIXED));
    }

    private List<String> framesOf(final Families kind) throws IOException
    {
        final int[] ipv4 = new int[2];
        Arrays.fill(ipv4, Ipv4Address.parse("20.1.2.3"));
        final Ipv6Address[] ipv6 = new Ipv6Address[2];
        Arrays.fill(ipv6, Ipv6Address.parse("2400:1::5"));
        final Path file = directory.resolve(kind + ".pcap");
        new PcapTraffic(ipv4, ipv6, LENGTH).write(file, kind, 2);

        final byte[] bytes = Files.readAllBytes(file);
        final List<String> frames = new ArrayList<>();
        for (int i = FILE_HEADER; i < bytes.length; i += RECORD_HEADER + LENGTH)
        {
            frames.add(HexFormat.of().formatHex(bytes, i + RECORD_HEADER, i + RECORD_HEADER + LENGTH));
        }
        return frames;
    }
}
