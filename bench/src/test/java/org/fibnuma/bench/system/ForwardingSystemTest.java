package org.fibnuma.bench.system;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.Arrays;
import java.util.HexFormat;
import java.util.stream.IntStream;

import static org.fibnuma.bench.system.Frames.UDP;
import static org.fibnuma.bench.system.Frames.ip;
import static org.fibnuma.bench.system.RouterLab.BEYOND_B;
import static org.fibnuma.bench.system.RouterLab.BEYOND_B_BY_31;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** What a good packet looks like when it leaves: RFC 1812 section 5.2.1. */
class ForwardingSystemTest extends WireTest
{
    private static final int TTL_OFFSET = 22;
    private static final int CHECKSUM_OFFSET = 24;

    /** RFC 1812 section 5.3.1, RFC 1624: nothing but addresses of the link, TTL and header checksum changes. */
    @Test
    void shouldRewriteNothingButMacsTtlAndChecksum()
    {
        final Observation seen = fromA(ip("10.0.0.2", BEYOND_B + "1", "ttl=64, id=4711, tos=0xb9") +
            "/UDP(sport=1000, dport=2000)/bytes(range(200))");

        final ReceivedFrame frame = seen.onlyAtB();
        assertEquals(lab.b().macAddress(), frame.destination());
        assertEquals(lab.router().macAddress("r1"), frame.source());
        assertEquals(63, frame.ip().ttl());
        assertTrue(frame.ip().checksumRight(), frame::toString);
        assertTrue(frame.ip().transportChecksumRight(), frame::toString);
        assertArrayEquals(
            withoutRewrittenFields(HexFormat.of().parseHex(seen.sent().get(0))),
            withoutRewrittenFields(frame.bytes()));
        seen.assertForwarded();
    }

    private static byte[] withoutRewrittenFields(final byte[] frame)
    {
        final byte[] rest = frame.clone();
        Arrays.fill(rest, 0, 12, (byte)0);
        rest[TTL_OFFSET] = 0;
        Arrays.fill(rest, CHECKSUM_OFFSET, CHECKSUM_OFFSET + 2, (byte)0);
        return rest;
    }

    /** RFC 1624 section 3: 256 header checksums spread over all values, with the carries that go wrong in RFC 1141. */
    @Test
    void shouldLeaveRightChecksumsWhateverTheyWere()
    {
        final Observation seen = fromA(IntStream.range(0, 256)
            .mapToObj(i -> ip("10.0.0.2", BEYOND_B + "2", "ttl=" + (2 + i % 254) + ", id=" + (i << 8 | i)) + UDP)
            .toArray(String[]::new));

        assertEquals(256, seen.atB().size());
        for (int i = 0; i < 256; i++)
        {
            final ReceivedFrame frame = seen.atB().get(i);
            assertEquals(i << 8 | i, frame.ip().id(), "order");
            assertEquals(1 + i % 254, frame.ip().ttl());
            assertTrue(frame.ip().checksumRight(), frame::toString);
        }
        seen.assertForwarded();
    }

    /** RFC 1812 section 5.3.1: TTL 2 is enough to get through, with 1; 255 is the highest. */
    @ParameterizedTest
    @ValueSource(ints = {2, 255})
    void shouldDecrementTheTtl(final int ttl)
    {
        final Observation seen = fromA(to(BEYOND_B + "3", "ttl=" + ttl));

        assertEquals(ttl - 1, seen.onlyAtB().ip().ttl());
        seen.assertForwarded();
    }

    /** RFC 1812 section 5.2.2: what lies behind the total length is padding of the link, not part of the packet. */
    @Test
    void shouldNotForwardPadding()
    {
        final Observation seen =
            fromA(to(BEYOND_B + "4", "ttl=9") + "/bytes(30)/Padding(b'\\xde\\xad\\xbe\\xef' * 10)");

        assertEquals("", seen.onlyAtB().ip().trailing());
        assertEquals(14 + 20 + 8 + 30, seen.onlyAtB().length());
        seen.assertForwarded();
    }

    /** RFC 1812 section 4.2.2.1: options that the router does not implement pass unchanged. */
    @Test
    void shouldForwardPacketsWithOptions()
    {
        final Observation seen =
            fromA(to(BEYOND_B + "5", "ttl=20, options=IPOption(b'\\x01\\x9e\\x06abcd\\x00')") + "/b'data'");

        final ReceivedFrame frame = seen.onlyAtB();
        assertEquals(19, frame.ip().ttl());
        assertEquals("019e066162636400", frame.ip().options());
        assertTrue(frame.ip().checksumRight(), frame::toString);
        assertTrue(frame.ip().transportChecksumRight(), frame::toString);
        seen.assertForwarded();
    }

    /** RFC 1812 section 4.2.2.7: transit fragments are forwarded as they are, in their order, not reassembled. */
    @Test
    void shouldForwardFragmentsUntouched()
    {
        final Observation seen = fromA(
            ip("10.0.0.2", BEYOND_B + "6", "flags='MF', id=77, proto=17") + "/(b'x' * 64)",
            ip("10.0.0.2", BEYOND_B + "6", "frag=8, id=77, proto=17") + "/(b'y' * 10)");

        assertEquals(2, seen.atB().size());
        assertTrue(seen.atB().get(0).ip().moreFragments());
        assertEquals("78".repeat(64), seen.atB().get(0).ip().payload());
        assertEquals(64, seen.atB().get(1).ip().fragmentOffset());
        assertEquals("79".repeat(10), seen.atB().get(1).ip().payload());
        seen.assertForwarded();
    }

    /**
     * RFC 1812 section 4.2.2.9: a packet as long as the link's MTU passes, also where it must not be fragmented.
     * RFC 791 section 3.1: the shortest packet is a header and nothing.
     */
    @Test
    void shouldForwardTheLongestAndTheShortestPacket()
    {
        final Observation longest = fromA(to(BEYOND_B + "7", "flags='DF'") + "/(b'm' * " + (RouterLab.MTU - 28) + ")");

        assertEquals(RouterLab.MTU, longest.onlyAtB().ip().totalLength());
        longest.assertForwarded();
        final Observation shortest = fromA(ip("10.0.0.2", BEYOND_B + "8", "proto=253"));
        assertEquals(20, shortest.onlyAtB().ip().totalLength());
        shortest.assertForwarded();
    }

    /**
     * RFC 1812 section 5.2.4.1: towards a host on a connected network the destination itself is the next hop. RFC 3021
     * section 2.2: both addresses of a 31-bit prefix are hosts, none is a broadcast address.
     */
    @ParameterizedTest
    @ValueSource(strings = {"10.0.1.2", "10.0.2.1"})
    void shouldReachConnectedHostAndBack(final String host)
    {
        final Observation seen = fromA(ip("10.0.0.2", host, "ttl=64") + "/ICMP(id=5, seq=6)/b'echo'");

        assertEquals(1, seen.atB().size());
        assertEquals(63, seen.atB().get(0).ip().ttl());
        assertEquals(1, seen.atA().size(), () -> "reply " + seen.atA());
        assertEquals(0, seen.atA().get(0).icmp().type());
        assertEquals(host, seen.atA().get(0).ip().source());
        assertTrue(seen.atA().get(0).icmp().checksumRight());
    }

    /** RFC 3021: a next hop on a link with a 31-bit prefix. */
    @Test
    void shouldForwardByNextHopOn31BitPrefix()
    {
        final Observation seen = fromA(to(BEYOND_B_BY_31 + "1", "ttl=30"));

        assertEquals(29, seen.onlyAtB().ip().ttl());
        assertEquals(lab.b().macAddress(), seen.onlyAtB().destination());
        seen.assertForwarded();
    }

    /** RFC 1812 section 5.3.3: a host may send to the router's own link; out by the port that it came in by. */
    @Test
    void shouldForwardOutOfThePortItCameFrom()
    {
        final Observation seen = fromB(ip("10.0.1.2", BEYOND_B + "9", "ttl=7") + UDP);

        assertEquals(6, seen.onlyAtB().ip().ttl());
        assertEquals(lab.b().macAddress(), seen.onlyAtB().destination());
        seen.assertForwarded();
    }

    private static String to(final String destination, final String fields)
    {
        return ip("10.0.0.2", destination, fields) + UDP;
    }
}
