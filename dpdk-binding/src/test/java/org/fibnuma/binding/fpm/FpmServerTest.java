package org.fibnuma.binding.fpm;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** The bytes are those that zebra of FRR 8.4.4 writes on a little-endian machine. */
class FpmServerTest
{
    private static final long PATIENCE_NS = 60_000_000_000L;

    /** Object 11: via 10.0.0.2 on 3. */
    private static final String NEXT_HOP_11 = "0101 0034 30000000 6800 0105 00000000 00000000 " +
        "02000b00 00000000 08000100 0b000000 08000600 0a000002 08000500 03000000";
    /** Object 16: via 10.0.1.2 on 2. */
    private static final String NEXT_HOP_16 = "0101 0034 30000000 6800 0105 00000000 00000000 " +
        "02000b00 00000000 08000100 10000000 08000600 0a000102 08000500 02000000";
    /** Group 15 of 11 and 16. */
    private static final String GROUP_15 = "0101 0038 34000000 6800 0105 00000000 00000000 " +
        "00000b00 00000000 08000100 0f000000 14000200 0b000000 00000000 10000000 00000000";
    /** 198.19.1.0/24 by object 11. */
    private static final String ROUTE_BY_11 = "0101 0038 34000000 1800 0105 00000000 00000000 " +
        "02180000 fec40001 00000000 08000100 c6130100 08000600 14000000 08001e00 0b000000";
    /** The removal of 198.19.1.0/24 and 198.19.1.0/24 by group 15, in one frame. */
    private static final String CHANGE_TO_15 = "0101 0064 " +
        "2c000000 1900 0104 00000000 00000000 " +
        "02180000 fec40000 00000000 08000100 c6130100 08000600 14000000 " +
        "34000000 1800 0105 00000000 00000000 " +
        "02180000 fec40001 00000000 08000100 c6130100 08000600 14000000 08001e00 0f000000";
    private static final String REMOVAL = "0101 0030 2c000000 1900 0104 00000000 00000000 " +
        "02180000 fec40000 00000000 08000100 c6130100 08000600 14000000";
    /** Object 19: via 2001:db8:a::2 on 3; and 2001:db8:99::/48 by it. */
    private static final String IPV6 = "0101 0040 3c000000 6800 0105 00000000 00000000 " +
        "0a000b00 00000000 08000100 13000000 14000600 20010db8000a00000000000000000002 08000500 03000000" +
        "0101 0044 40000000 1800 0104 00000000 00000000 " +
        "0a300000 fec40001 00000000 14000100 20010db8009900000000000000000000 08000600 14000000 08001e00 13000000";
    private static final String BLACKHOLE = "0101 0030 2c000000 1800 0105 00000000 00000000 " +
        "02180000 fec40006 00000000 08000100 c6130200 08000600 14000000";
    /** 198.19.3.0/24 by 10.0.0.2 on 3, and 198.19.4.0/24 by that or 10.0.1.2 on 2, without objects. */
    private static final String WITHOUT_OBJECTS = "0101 0040 3c000000 1800 0105 00000000 00000000 " +
        "02180000 fec40001 00000000 08000100 c6130300 08000600 14000000 08000500 0a000002 08000400 03000000" +
        "0101 0054 50000000 1800 0105 00000000 00000000 " +
        "02180000 fec40001 00000000 08000100 c6130400 08000600 14000000 24000900 " +
        "10000000 03000000 08000500 0a000002 10000000 02000000 08000500 0a000102";

    private final FpmServer server = FpmServer.listen(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
    private final RecordedFeed events = new RecordedFeed();
    private final List<SocketChannel> channels = new ArrayList<>();
    private SocketChannel zebra;

    @BeforeEach
    void connect() throws IOException
    {
        zebra = open();
        await("connect");
    }

    @AfterEach
    void close() throws IOException
    {
        for (final SocketChannel channel : channels)
        {
            channel.close();
        }
        server.close();
    }

    @Test
    void shouldReadRoutesByNextHopObjects() throws IOException
    {
        send(NEXT_HOP_11 + ROUTE_BY_11 + IPV6 + BLACKHOLE);
        await("+198.19.2.0/24 blackhole");
        assertEquals(List.of("connect", "+198.19.1.0/24 via 10.0.0.2 on 3 by 11",
            "+2001:db8:99::/48 via 2001:db8:a::2 on 3 by 19", "+198.19.2.0/24 blackhole"), events.lines());
    }

    @Test
    void shouldReadRoutesWithoutNextHopObjects() throws IOException
    {
        send(WITHOUT_OBJECTS);
        await("+198.19.4.0/24 via 10.0.0.2 on 3");
        assertEquals(List.of("connect", "+198.19.3.0/24 via 10.0.0.2 on 3", "+198.19.4.0/24 via 10.0.0.2 on 3"),
            events.lines());
    }

    @Test
    void shouldTakeRemovalAndNewRouteOfOneFrameAsOneReplacement() throws IOException
    {
        send(NEXT_HOP_11 + NEXT_HOP_16 + GROUP_15 + ROUTE_BY_11 + CHANGE_TO_15 + REMOVAL);
        await("-198.19.1.0/24");
        assertEquals(List.of("connect", "+198.19.1.0/24 via 10.0.0.2 on 3 by 11",
            "+198.19.1.0/24 via 10.0.0.2 on 3 by 15", "-198.19.1.0/24"), events.lines());
    }

    @Test
    void shouldTellRoutesOfAnObjectThatChanges() throws IOException
    {
        send(NEXT_HOP_11 + NEXT_HOP_16 + GROUP_15 + ROUTE_BY_11 + CHANGE_TO_15 + NEXT_HOP_11 +
            NEXT_HOP_11.replace("0a000002", "0a000009") + REMOVAL);
        await("-198.19.1.0/24");
        assertEquals(List.of("object 11 via 10.0.0.9 on 3", "object 15 via 10.0.0.9 on 3", "-198.19.1.0/24"),
            events.lines().subList(3, events.lines().size()));
    }

    @Test
    void shouldReadFramesThatArriveInPieces() throws IOException
    {
        final byte[] bytes = bytes(NEXT_HOP_11 + ROUTE_BY_11);
        for (final byte one : bytes)
        {
            zebra.write(ByteBuffer.wrap(new byte[]{ one }));
            server.poll(events);
        }
        await("+198.19.1.0/24 via 10.0.0.2 on 3 by 11");
    }

    /** Where the next message begins is unknown. The frame before counts, and the next connection starts anew. */
    @ParameterizedTest
    @CsvSource({
        "0201 0004, a frame has version 2 instead of 1",
        "0102 0004, 'a frame is encoded by protobuf; load zebra''s module dplane_fpm_nl instead of fpm'",
        "0103 0004, 'a frame has type 3 instead of 1, netlink'",
        "0101 0003, 'a frame has length 3, less than its header of 4 bytes'",
        "0101 0008 00000000, a netlink message is longer than its frame or shorter than its header",
        "0101 0014 0f000000 1800 0105 00000000 00000000, " +
            "a netlink message is longer than its frame or shorter than its header",
        "0101 0014 11000000 1800 0105 00000000 00000000, " +
            "a netlink message is longer than its frame or shorter than its header",
    })
    void shouldEndTheConnectionAtWhatIsMalformed(final String malformed, final String reason) throws IOException
    {
        send(BLACKHOLE + malformed);
        await("end: " + reason);
        assertEquals(List.of("connect", "+198.19.2.0/24 blackhole", "end: " + reason), events.lines());

        zebra = open();
        send(NEXT_HOP_11 + ROUTE_BY_11);
        await("+198.19.1.0/24 via 10.0.0.2 on 3 by 11");
    }

    /** Group 387 is of group 246. The kernel refuses it, zebra hands it over; both routes have next hops. */
    @Test
    void shouldUseTheNextHopsOfAGroupInAGroup() throws IOException
    {
        final String group246 = GROUP_15.replace("0f000000 14", "f6000000 14");
        final String group387 = "0101 0030 2c000000 6800 0105 00000000 00000000 " +
            "00000b00 00000000 08000100 83010000 0c000200 f6000000 00000000";
        final String other = ROUTE_BY_11.replace("c6130100", "c6130500");
        send(NEXT_HOP_11 + NEXT_HOP_16 + group246 + ROUTE_BY_11.replace("0b000000", "f6000000") +
            group387 + other.replace("0b000000", "83010000") + REMOVAL);
        await("-198.19.1.0/24");
        assertEquals(List.of("connect", "+198.19.1.0/24 via 10.0.0.2 on 3 by 246",
            "+198.19.5.0/24 via 10.0.0.2 on 3 by 387", "-198.19.1.0/24"), events.lines());
    }

    /** The end of the message is known, so that those around it in its frame and the frames after it count. */
    @ParameterizedTest
    @CsvSource({
        "0101 0014 10000000 1800 0105 00000000 00000000, a route message is shorter than its header",
        "0101 0014 10000000 6800 0105 00000000 00000000, a next-hop message is shorter than its header",
        "0101 0028 24000000 1800 0105 00000000 00000000 02210000 fec40001 00000000 08000100 c6130200, " +
            "a prefix of the address family 2 has 33 bits",
        "0101 0020 1c000000 1800 0105 00000000 00000000 02180000 fec40001 00000000, a route has no destination",
        "0101 0028 24000000 1800 0105 00000000 00000000 02180000 fec40001 00000000 09000100 c6130200, " +
            "an attribute of a route is longer than its message or shorter than its header",
        "0101 0024 20000000 1800 0105 00000000 00000000 0a300000 fec40001 00000000 04000100, " +
            "attribute 1 of a route has a wrong value of 0 bytes",
        "0101 0024 20000000 6800 0105 00000000 00000000 02000b00 00000000 08000500 03000000, " +
            "a next hop has no number",
    })
    void shouldSkipAMessageThatCannotBeApplied(final String malformed, final String reason) throws IOException
    {
        final String message = malformed.substring("0101 0014 ".length()).replace(" ", "");
        final String object = NEXT_HOP_11.substring("0101 0034 ".length()).replace(" ", "");
        final String route = ROUTE_BY_11.substring("0101 0038 ".length()).replace(" ", "");
        final String frame = object + message + route;
        send(BLACKHOLE + malformed + String.format("0101%04x", 4 + frame.length() / 2) + frame + REMOVAL);
        await("-198.19.1.0/24");
        assertEquals(List.of("connect", "+198.19.2.0/24 blackhole", "skip: " + reason, "skip: " + reason,
            "+198.19.1.0/24 via 10.0.0.2 on 3 by 11", "-198.19.1.0/24"), events.lines());
    }

    @Test
    void shouldRefuseASecondConnectionWithOneLine() throws IOException
    {
        final SocketChannel second = open();
        final SocketChannel third = open();
        await("refuse");
        assertEnded(second);
        assertEnded(third);
        send(BLACKHOLE);
        await("+198.19.2.0/24 blackhole");
        zebra.close();
        await("end: it was closed by the other end");
        zebra = open();
        send(REMOVAL);
        await("-198.19.1.0/24");
        assertEquals(List.of("connect", "refuse", "+198.19.2.0/24 blackhole",
            "end: it was closed by the other end", "connect", "-198.19.1.0/24"), events.lines());
    }

    /** Objects of an earlier connection are not those of the next one. */
    @Test
    void shouldForgetNextHopObjectsOfAnEarlierConnection() throws IOException
    {
        send(NEXT_HOP_11);
        zebra.close();
        await("end: it was closed by the other end");
        zebra = open();
        send(ROUTE_BY_11 + NEXT_HOP_11);
        await("object 11 via 10.0.0.2 on 3");
        assertEquals("+198.19.1.0/24 other by 11", events.lines().get(3));
    }

    private SocketChannel open() throws IOException
    {
        final SocketChannel channel =
            SocketChannel.open(new InetSocketAddress(InetAddress.getLoopbackAddress(), server.port()));
        channels.add(channel);
        return channel;
    }

    private void send(final String hex) throws IOException
    {
        final ByteBuffer bytes = ByteBuffer.wrap(bytes(hex));
        while (bytes.hasRemaining())
        {
            zebra.write(bytes);
        }
    }

    private void assertEnded(final SocketChannel channel) throws IOException
    {
        channel.configureBlocking(false);
        final long deadline = System.nanoTime() + PATIENCE_NS;
        while (channel.read(ByteBuffer.allocate(1)) == 0)
        {
            assertTrue(System.nanoTime() < deadline, "the connection is still open");
            server.poll(events);
        }
    }

    private void await(final String line)
    {
        final long deadline = System.nanoTime() + PATIENCE_NS;
        while (!events.lines().contains(line))
        {
            assertTrue(System.nanoTime() < deadline, () -> line + " does not come; " + events.lines());
            server.poll(events);
        }
    }

    private static byte[] bytes(final String hex)
    {
        return HexFormat.of().parseHex(hex.replaceAll("\\s", ""));
    }
}
