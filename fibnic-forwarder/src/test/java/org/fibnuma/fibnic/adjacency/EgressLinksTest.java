package org.fibnuma.fibnic.adjacency;

import org.fibnuma.core.kernel.RouteOptions;
import org.fibnuma.core.wire.IpAddress;
import org.junit.jupiter.api.Test;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.HexFormat;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

class EgressLinksTest
{
    private static final long DESTINATION = 0xA1A2_A3A4_A5A6L;
    private static final long SOURCE = 0xB1B2_B3B4_B5B6L;

    private final AdjacencyTable table = new AdjacencyTable();
    private final EgressLinks links = table.links();

    @Test
    void shouldGiveTheFirstTwelveBytesOfAFrame()
    {
        table.set(1, forward(3, 1500, DESTINATION, SOURCE));

        final long word = table.rewrite(1);
        final int link = EgressLinks.of(word);
        final ByteBuffer frame = ByteBuffer.allocate(12).order(ByteOrder.nativeOrder());
        frame.putLong(EgressLinks.macsHigh(word, links.sourceHigh(link))).putInt(links.macsLow(link));
        assertArrayEquals(HexFormat.of().parseHex("a1a2a3a4a5a6b1b2b3b4b5b6"), frame.array());
        assertEquals(3, links.egressInterface(link));
        assertEquals(1500, links.longestPacket(link));
    }

    @Test
    void shouldHaveALongestPacketForEachFamily()
    {
        final Adjacency adjacency = forward(3, 65_536, DESTINATION, SOURCE);
        table.set(1, adjacency.with(RouteOptions.NONE, 1300));
        table.set(2, adjacency);

        final int link = EgressLinks.of(table.rewrite(1));
        assertEquals(65_535, links.longestPacket(link), "the longest of IPv4");
        assertEquals(1300, links.longestIpv6Packet(link));
        assertEquals(65_535, links.longestIpv6Packet(EgressLinks.of(table.rewrite(2))));
        assertEquals(0, links.longestIpv6Packet(EgressLinks.NONE));
        assertNotEquals(link, EgressLinks.of(table.rewrite(2)));
    }

    @Test
    void shouldHaveOneLinkForNextHopsOfOnePort()
    {
        table.set(1, forward(3, 1500, DESTINATION, SOURCE));
        table.set(2, forward(3, 1500, DESTINATION + 1, SOURCE));
        table.set(3, forward(4, 1500, DESTINATION, SOURCE));
        table.set(4, forward(3, 9000, DESTINATION, SOURCE));
        table.set(5, forward(3, 1500, DESTINATION, SOURCE + 1));

        final int link = EgressLinks.of(table.rewrite(1));
        assertEquals(link, EgressLinks.of(table.rewrite(2)));
        assertNotEquals(table.rewrite(1), table.rewrite(2));
        for (int other = 3; other <= 5; other++)
        {
            assertNotEquals(link, EgressLinks.of(table.rewrite(other)), "adjacency " + other);
        }
        assertEquals(63, port(63));
    }

    private int port(final int port)
    {
        table.set(9, forward(port, 65_535, DESTINATION, SOURCE));
        final int link = EgressLinks.of(table.rewrite(9));
        assertEquals(65_535, links.longestPacket(link));
        return links.egressInterface(link);
    }

    @Test
    void shouldTakeNoPacketByAdjacenciesThatDoNotForward()
    {
        table.set(1, forward(3, 1500, DESTINATION, SOURCE));
        table.set(1, Adjacency.unresolved(3, IpAddress.of(0x0A00_0001), 1500));
        table.set(2, Adjacency.glean(3, 1500));
        table.set(3, Adjacency.of(AdjacencyKind.LOCAL));

        for (int index = 0; index <= 4; index++)
        {
            final int link = EgressLinks.of(table.rewrite(index));
            assertEquals(EgressLinks.NONE, link, "adjacency " + index);
            assertEquals(0, links.longestPacket(link));
        }
    }

    @Test
    void shouldGiveTheNumberOfALinkOutOfUseAgainAfterAllOthers()
    {
        table.set(1, forward(1, 1500, DESTINATION, SOURCE));
        final int first = EgressLinks.of(table.rewrite(1));

        int changes = 0;
        do
        {
            changes++;
            table.set(1, forward(1, 1500, DESTINATION, SOURCE + changes));
        }
        while (EgressLinks.of(table.rewrite(1)) != first);

        assertEquals(EgressLinks.CAPACITY - 1, changes);
        assertEquals(1500, links.longestPacket(first));
    }

    @Test
    void shouldForwardAsExceptionsByMoreLinksThanThereIsRoomFor()
    {
        final int room = EgressLinks.CAPACITY - 1;
        for (int i = 1; i <= room + 1; i++)
        {
            table.set(i, forward(1, 1500, DESTINATION, SOURCE + i));
        }

        assertNotEquals(0, table.rewrite(room));
        assertEquals(0, table.rewrite(room + 1));
        assertEquals(AdjacencyKind.FORWARD, table.get(room + 1).kind());

        table.set(5, Adjacency.of(AdjacencyKind.BLACKHOLE));
        table.set(room + 1, forward(1, 1500, DESTINATION, SOURCE + room + 1));
        assertNotEquals(0, table.rewrite(room + 1));
    }

    private static Adjacency forward(final int port, final int mtu, final long destination, final long source)
    {
        return Adjacency.forward(port, IpAddress.NONE, mtu, destination, source);
    }
}
