package org.fibnuma.core.wire;

import org.fibnuma.core.memory.FrameBounds;
import org.fibnuma.core.memory.FrameMemory;
import org.fibnuma.core.memory.MemoryRegion;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.Arrays;
import java.util.HexFormat;
import java.util.Random;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

class PartialChecksumTest
{
    /** 11 bytes of data behind a header with options; all packets here have their checksums from scapy. */
    private static final String TCP = "4500003f00014000400625b50a0000020a000102" +
        "9c4014510102030405060708801801f6b53600000101080a000000010000000268656c6c6f2c206f646421";
    private static final String UDP = "4500002400014000401125c50a0000020a000102" +
        "9c4000090010acde646174616772616d";
    private static final String TCP_WITH_OPTIONS = "4600004300014000400690ac0a0000020a00010294040000" +
        "9c4014510102030405060708801801f6b53600000101080a000000010000000268656c6c6f2c206f646421";
    private static final String UDP_WITH_OPTIONS = "4600002800014000401190bc0a0000020a00010294040000" +
        "9c4000090010acde646174616772616d";
    /** Its checksum is computed as 0. */
    private static final String UDP_OF_ZERO = "4500001e00010000401165cb0a0000020a000102" +
        "00010002000affffead3";
    private static final int FLAGS = 6;
    private static final int PROTOCOL = 9;
    private static final int PADDING = 26;

    private final MemoryRegion region = MemoryRegion.ofChunks(1, 4096);

    @AfterEach
    void close()
    {
        region.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {TCP, UDP, TCP_WITH_OPTIONS, UDP_WITH_OPTIONS, UDP_OF_ZERO})
    void shouldCompleteWhatIsPartial(final String complete)
    {
        final byte[] expected = HexFormat.of().parseHex(complete);
        final byte[] packet = partial(expected);
        assertTrue(completes(packet));
        assertArrayEquals(expected, packet);
        assertFalse(completes(packet));
        assertArrayEquals(expected, packet);
    }

    @ParameterizedTest
    @ValueSource(strings = {TCP, UDP})
    void shouldLeaveOutPadding(final String complete)
    {
        final byte[] expected = HexFormat.of().parseHex(complete);
        final byte[] padded = Arrays.copyOf(partial(expected), expected.length + PADDING);
        Arrays.fill(padded, expected.length, padded.length, (byte)0x5A);
        assertTrue(completes(padded));
        assertArrayEquals(expected, Arrays.copyOf(padded, expected.length));
    }

    /** RFC 768: 0 means that there is no checksum. */
    @Test
    void shouldLeaveADatagramWithoutChecksum()
    {
        final byte[] packet = HexFormat.of().parseHex(UDP);
        setChecksum(packet, 0);
        assertUntouched(packet);
    }

    @ParameterizedTest
    @ValueSource(strings = {TCP, UDP})
    void shouldLeaveEveryOtherChecksum(final String complete)
    {
        final byte[] packet = HexFormat.of().parseHex(complete);
        final int partial = pseudoHeaderSum(packet);
        for (int checksum = 0; checksum <= 0xFFFF; checksum++)
        {
            if (checksum != partial)
            {
                setChecksum(packet, checksum);
                assertUntouched(packet);
            }
        }
    }

    /** Partial checksums that are already correct, for each sum of a pseudo-header. */
    @ParameterizedTest
    @ValueSource(strings = {TCP, UDP})
    void shouldLeaveARightChecksumThatLooksPartial(final String template)
    {
        final byte[] packet = HexFormat.of().parseHex(template);
        for (int source = 0; source <= 0xFFFF; source++)
        {
            packet[12] = (byte)(source >>> Byte.SIZE);
            packet[13] = (byte)source;
            final int partial = pseudoHeaderSum(packet);
            setChecksum(packet, partial);
            // One word of the data is chosen so that the sum over everything is all ones.
            final int word = packet.length - 4 & ~1;
            packet[word] = 0;
            packet[word + 1] = 0;
            final int missing = ~sum(packet, headerLength(packet), packet.length, partial) & 0xFFFF;
            packet[word] = (byte)(missing >>> Byte.SIZE);
            packet[word + 1] = (byte)missing;
            assertUntouched(packet);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0x2000, 0x0001, 0x1FFF, 0x3FFF})
    void shouldLeaveFragments(final int flags)
    {
        final byte[] packet = partial(HexFormat.of().parseHex(UDP));
        packet[FLAGS] = (byte)(flags >>> Byte.SIZE);
        packet[FLAGS + 1] = (byte)flags;
        assertUntouched(packet);
    }

    @Test
    void shouldLeaveOtherProtocolsAndVersions()
    {
        for (int protocol = 0; protocol <= 0xFF; protocol++)
        {
            if (protocol != 17 && protocol != 6)
            {
                final byte[] packet = partial(HexFormat.of().parseHex(UDP));
                packet[PROTOCOL] = (byte)protocol;
                assertUntouched(packet);
            }
        }
        final byte[] packet = partial(HexFormat.of().parseHex(UDP));
        packet[0] = 0x65;
        assertUntouched(packet);
    }

    /** The checksum covers only the datagram if the packet is longer. */
    @Test
    void shouldGoByTheLengthOfTheDatagram()
    {
        final byte[] packet = HexFormat.of().parseHex(UDP.replaceFirst("45000024", "45000028") + "77777777");
        setChecksum(packet, pseudoHeaderSum(packet));
        assertTrue(completes(packet));
        assertEquals(0xACDE, (packet[26] & 0xFF) << 8 | packet[27] & 0xFF);
        packet[25] = 7;
        assertUntouched(packet);
        packet[25] = 21;
        assertUntouched(packet);
    }

    /** Wrong lengths, at every length of the frame: nothing outside the frame is accessed. */
    @Test
    void shouldStayInsideTheFrame()
    {
        final Random random = new Random(1071);
        for (final String template : new String[] {TCP, UDP, TCP_WITH_OPTIONS})
        {
            final byte[] packet = partial(HexFormat.of().parseHex(template));
            for (int length = 0; length <= packet.length; length++)
            {
                completes(Arrays.copyOf(packet, length));
                for (int i = 0; i < 300; i++)
                {
                    final byte[] spoiled = Arrays.copyOf(packet, length);
                    if (length > 0)
                    {
                        spoiled[0] = (byte)(0x40 | random.nextInt(16));
                        spoiled[Math.min(length - 1, 2 + random.nextInt(2))] = (byte)random.nextInt();
                        spoiled[random.nextInt(length)] = (byte)random.nextInt();
                    }
                    completes(spoiled);
                }
            }
        }
    }

    private void assertUntouched(final byte[] packet)
    {
        final byte[] before = packet.clone();
        assertFalse(completes(packet), () -> HexFormat.of().formatHex(before));
        assertArrayEquals(before, packet);
    }

    /** Completes the checksum of a frame outside of which every access fails. */
    private boolean completes(final byte[] packet)
    {
        final long address = region.address() + 1024;
        FrameBounds.frame(address, packet.length);
        FrameMemory.putBytes(address, packet);
        final boolean completed = PartialChecksum.completeIpv4(address, packet.length);
        FrameMemory.getBytes(address, packet);
        return completed;
    }

    private static byte[] partial(final byte[] complete)
    {
        final byte[] packet = complete.clone();
        setChecksum(packet, pseudoHeaderSum(packet));
        return packet;
    }

    private static int headerLength(final byte[] packet)
    {
        return (packet[0] & 0xF) * 4;
    }

    private static void setChecksum(final byte[] packet, final int checksum)
    {
        final int at = headerLength(packet) + (packet[PROTOCOL] == 6 ? 16 : 6);
        packet[at] = (byte)(checksum >>> Byte.SIZE);
        packet[at + 1] = (byte)checksum;
    }

    /** RFC 9293 section 3.1 and RFC 768, word for word. */
    private static int pseudoHeaderSum(final byte[] packet)
    {
        final int header = headerLength(packet);
        final int length = packet[PROTOCOL] == 6 ? packet.length - header :
            (packet[header + 4] & 0xFF) << 8 | packet[header + 5] & 0xFF;
        return sum(packet, 12, 20, packet[PROTOCOL] + length);
    }

    private static int sum(final byte[] bytes, final int from, final int to, final int start)
    {
        int sum = start;
        for (int i = from; i < to; i++)
        {
            sum += (i - from & 1) == 0 ? (bytes[i] & 0xFF) << Byte.SIZE : bytes[i] & 0xFF;
        }
        while (sum > 0xFFFF)
        {
            sum = (sum & 0xFFFF) + (sum >>> 16);
        }
        return sum;
    }

    /** RFC 8200 section 8.1: from 2001:db8::2 to 2001:db8:1::2, summed word by word. */
    @ParameterizedTest
    @ValueSource(ints = {IpProtocol.TCP, IpProtocol.UDP})
    void shouldCompleteWhatIsPartialInIpv6(final int protocol)
    {
        final byte[] segment = HexFormat.of().parseHex(protocol == IpProtocol.UDP ?
            "9c4000090011" + "0000" + "6461746167726d6d78" :
            "9c4014510102030405060708801801f6" + "0000" + "00000101080a0000000100000002" + "68656c");
        final int field = protocol == IpProtocol.UDP ? 6 : 16;
        final byte[] packet = HexFormat.of().parseHex(
            "60000000" + String.format("%04x%02x40", segment.length, protocol) +
            "20010db8000000000000000000000002" + "20010db8000100000000000000000002" +
            HexFormat.of().formatHex(segment));
        final int pseudoHeader = wordSum(packet, 8, 32) + segment.length + protocol;
        final int partial = fold(pseudoHeader);
        final int complete = ~fold(partial + wordSum(segment, 0, segment.length)) & 0xFFFF;
        final byte[] expected = packet.clone();
        putShort(packet, 40 + field, partial);
        putShort(expected, 40 + field, complete);
        assertTrue(completesIpv6(packet, packet.length));
        assertArrayEquals(expected, packet);
        assertFalse(completesIpv6(packet, packet.length), "it is complete");
        assertArrayEquals(expected, packet);

        putShort(packet, 40 + field, partial);
        for (int room = 0; room < packet.length; room++)
        {
            assertFalse(completesIpv6(packet, room), "cut");
        }
        packet[6] = IpProtocol.FRAGMENT;
        assertFalse(completesIpv6(packet, packet.length), "a fragment");
        packet[6] = (byte)protocol;
        packet[0] = 0x50;
        assertFalse(completesIpv6(packet, packet.length), "another version");
    }

    /**
     * RFC 8200 section 8.1: the pseudo-header has the upper-layer protocol and the final destination, which is the last
     * address of routing headers 0 and 2, and the first one of type 4 (RFC 8754).
     */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        00 | 1100010400000000 | 20010db8000100000000000000000002
        3c | 11010104000000000000000000000000 | 20010db8000100000000000000000002
        00 | 3c00010400000000 1100010400000000 | 20010db8000100000000000000000002
        2b | 1102000100000000 20010db8000900000000000000000009 | 20010db8000900000000000000000009
        2b | 1102020100000000 20010db8000900000000000000000009 | 20010db8000900000000000000000009
        2b | 1102000000000000 20010db8000900000000000000000009 | 20010db8000100000000000000000002
        2b | 1104040101000000 20010db8000900000000000000000009 20010db8000100000000000000000002 | \
        20010db8000900000000000000000009
        00 | 2b00010400000000 3c02000100000000 20010db8000900000000000000000009 1100010400000000 | \
        20010db8000900000000000000000009
        """)
    void shouldCompleteBehindExtensionHeaders(final String next, final String extensions, final String finalDestination)
    {
        final String source = "20010db8000000000000000000000002";
        final byte[] segment = HexFormat.of().parseHex("9c4000090011" + "0000" + "6461746167726d6d78");
        final byte[] headers = HexFormat.of().parseHex(extensions.replace(" ", ""));
        final byte[] packet = HexFormat.of().parseHex("60000000" +
            String.format("%04x", headers.length + segment.length) + next + "40" + source +
            "20010db8000100000000000000000002" + HexFormat.of().formatHex(headers) + HexFormat.of().formatHex(segment));
        final byte[] addresses = HexFormat.of().parseHex(source + finalDestination);
        final int partial = fold(wordSum(addresses, 0, 32) + segment.length + IpProtocol.UDP);
        final int complete = ~fold(partial + wordSum(segment, 0, segment.length)) & 0xFFFF;
        final int field = 40 + headers.length + 6;
        final byte[] expected = packet.clone();
        putShort(packet, field, partial);
        putShort(expected, field, complete);
        final byte[] unfinished = packet.clone();
        for (int room = 0; room < packet.length; room++)
        {
            assertFalse(completesIpv6(packet, room), "cut");
            putShort(packet, 4, Math.max(0, room - 40));
            assertFalse(completesIpv6(packet, packet.length), "a payload length within the headers or the segment");
            putShort(packet, 4, headers.length + segment.length);
        }
        assertArrayEquals(unfinished, packet);
        assertTrue(completesIpv6(packet, packet.length));
        assertArrayEquals(expected, packet);
        assertFalse(completesIpv6(packet, packet.length), "it is complete");
    }

    /** A routing header of an unknown type: nobody knows the final destination. A fragment has half a segment. */
    @ParameterizedTest
    @CsvSource({
        "2b,11020501000000002001", "2b,11000001000000009c40", "2c,11000000000000019c40", "33,11010000000000009c40"})
    void shouldNotTouchWhatItDoesNotKnow(final String next, final String start)
    {
        final byte[] packet = HexFormat.of().parseHex("60000000" + "0028" + next + "40" +
            "20010db8000000000000000000000002" + "20010db8000100000000000000000002" + start + "00".repeat(30));
        final byte[] before = packet.clone();
        assertFalse(completesIpv6(packet, packet.length));
        assertArrayEquals(before, packet);
    }

    private boolean completesIpv6(final byte[] packet, final int room)
    {
        FrameMemory.putBytes(region.address(), packet);
        final boolean completed = PartialChecksum.completeIpv6(region.address(), room);
        FrameMemory.getBytes(region.address(), packet);
        return completed;
    }

    private static int wordSum(final byte[] bytes, final int from, final int length)
    {
        int sum = 0;
        for (int i = 0; i < length; i++)
        {
            sum += (bytes[from + i] & 0xFF) << (i % 2 == 0 ? 8 : 0);
        }
        return sum;
    }

    private static int fold(final int sum)
    {
        return sum % 0xFFFF;
    }

    private static void putShort(final byte[] bytes, final int offset, final int value)
    {
        bytes[offset] = (byte)(value >> 8);
        bytes[offset + 1] = (byte)value;
    }
}
