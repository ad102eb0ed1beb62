package org.fibnuma.core.flow;

import org.agrona.UnsafeApi;
import org.fibnuma.core.wire.IpAddress;
import org.fibnuma.core.wire.IpProtocol;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

class FlowTableTest
{
    private static final int CAPACITY = 100;
    private static final int LAN = 3;
    private static final int WAN = 4094 << 6 | 62;
    private static final int NO_HINT = -1;

    private final FlowMemory memory = FlowMemory.ofProcess(CAPACITY);
    private final FlowTable table = new FlowTable(memory, CAPACITY, 0x1234_5678_9ABC_DEF0L);
    private final TuplePacket packet = new TuplePacket();

    @AfterEach
    void close()
    {
        packet.close();
        memory.close();
    }

    private static FlowTuple tuple(
        final String source, final String destination, final int protocol, final int sourcePort, final int port)
    {
        final IpAddress from = IpAddress.parse(source);
        final IpAddress to = IpAddress.parse(destination);
        return new FlowTuple(from.high(), from.low(), to.high(), to.low(), protocol, sourcePort, port);
    }

    private static FlowTuple tcp(final int sourcePort)
    {
        return tuple("10.0.0.2", "192.0.2.9", IpProtocol.TCP, sourcePort, 80);
    }

    private int add(final FlowTuple original)
    {
        return table.add(original, LAN, WAN, original.inverse(), WAN, LAN);
    }

    private int find(final FlowTuple tuple, final int ingress)
    {
        return packet.put(tuple).find(table, ingress, NO_HINT);
    }

    private void assertFound(final int flow, final FlowTuple original, final FlowTuple reply)
    {
        assertEquals(2 * flow, find(original, LAN));
        assertEquals(2 * flow + 1, find(reply, WAN));
    }

    private static List<FlowTuple> ofAllKinds()
    {
        return List.of(
            tcp(40_000),
            tuple("255.255.255.254", "128.0.0.1", IpProtocol.UDP, 0xFFFF, 0x8001),
            tuple("0.0.0.1", "10.0.0.255", IpProtocol.UDP_LITE, 0, 0),
            tuple("10.0.0.2", "192.0.2.9", IpProtocol.SCTP, 40_000, 80),
            tuple("10.0.0.2", "192.0.2.9", IpProtocol.ICMP, 0xFF80, 8 << 8),
            tuple("2001:db8::2", "2001:db8:ffff:8000::9", IpProtocol.TCP, 40_000, 80),
            tuple("ffff::8000:0:0:1", "::1", IpProtocol.UDP, 1, 2),
            tuple("2001:db8::2", "2001:db8::3", IpProtocol.ICMPV6, 0xFF80, 128 << 8));
    }

    @Test
    void shouldFindBothDirectionsByTheirPackets()
    {
        final Map<FlowTuple, Integer> flows = new HashMap<>();
        ofAllKinds().forEach(original -> flows.put(original, add(original)));
        assertEquals(ofAllKinds().size(), table.size());
        assertEquals(ofAllKinds().size(), Map.copyOf(flows).values().stream().distinct().count());
        flows.forEach((original, flow) ->
        {
            assertTrue(flow >= 1);
            if (original.protocol() != IpProtocol.SCTP)
            {
                assertFound(flow, original, original.inverse());
            }
            assertEquals(flow, table.flowOf(original));
            assertEquals(FlowTable.NONE, table.flowOf(original.inverse()));
            assertEquals(FlowTable.NONE, find(original, WAN), "another interface");
            assertEquals(FlowTable.NONE, find(original.inverse(), LAN), "another interface");
        });
        assertEquals(FlowTable.NONE, find(tcp(40_001), LAN));
        assertEquals(FlowTable.NONE, find(tuple("10.0.0.2", "192.0.2.9", IpProtocol.UDP, 40_000, 80), LAN));
        assertEquals(FlowTable.NONE, find(tuple("10.0.0.3", "192.0.2.9", IpProtocol.TCP, 40_000, 80), LAN));
        assertEquals(FlowTable.NONE, find(tuple("10.0.0.2", "192.0.2.8", IpProtocol.TCP, 40_000, 80), LAN));
    }

    @Test
    void shouldReturnWhatWasAdded()
    {
        final List<FlowTuple> originals = new ArrayList<>(ofAllKinds());
        for (final FlowTuple original : originals)
        {
            final int flow = add(original);
            assertEquals(original, table.tuple(2 * flow));
            assertEquals(original.inverse(), table.tuple(2 * flow + 1));
            assertEquals(LAN, table.ingress(2 * flow));
            assertEquals(WAN, table.ingress(2 * flow + 1));
            assertFalse(table.isNat(2 * flow));
            assertFalse(table.isNat(2 * flow + 1));
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, LAN, WAN, FlowTableLayout.INTERFACE_MASK})
    void shouldBindBothDirectionsToTheirEgress(final int egress)
    {
        final FlowTuple reply = tuple("192.0.2.9", "203.0.113.1", IpProtocol.TCP, 80, 1024);
        final int masqueraded = table.add(tcp(1), LAN, egress, reply, WAN, LAN);
        assertTrue(table.isNat(2 * masqueraded));
        assertTrue(table.isNat(2 * masqueraded + 1));
        assertEquals(egress, table.egress(2 * masqueraded));
        assertEquals(LAN, table.egress(2 * masqueraded + 1));
        assertFound(masqueraded, tcp(1), reply);

        final int plain = table.add(tcp(2), LAN, egress, tcp(2).inverse(), WAN, egress);
        assertFalse(table.isNat(2 * plain));
        assertEquals(egress, table.egress(2 * plain));
        assertEquals(egress, table.egress(2 * plain + 1));
    }

    @Test
    void shouldRefuseATupleThatAnotherFlowHasAtTheSameInterface()
    {
        final int flow = add(tcp(1));
        assertEquals(FlowTable.AMBIGUOUS, add(tcp(1)));
        assertEquals(FlowTable.AMBIGUOUS, table.add(tcp(1), LAN, WAN, tcp(2).inverse(), WAN, LAN));
        assertEquals(FlowTable.AMBIGUOUS, table.add(tcp(2), LAN, WAN, tcp(1).inverse(), WAN, LAN));
        assertEquals(FlowTable.AMBIGUOUS, table.add(tcp(1).inverse(), WAN, LAN, tcp(1), LAN, WAN));
        assertEquals(1, table.size());
        final int other = table.add(tcp(1), WAN, LAN, tcp(1).inverse(), LAN, WAN);
        assertEquals(2 * other, find(tcp(1), WAN));
        assertFound(flow, tcp(1), tcp(1).inverse());
        table.invalidate(flow);
        assertEquals(FlowTable.AMBIGUOUS, add(tcp(1)), "until it is removed");
        table.remove(flow);
        assertNotEquals(flow, add(tcp(1)));
    }

    @Test
    void shouldBeFullAtItsCapacity()
    {
        for (int i = 0; i < CAPACITY; i++)
        {
            assertTrue(add(tcp(i)) >= 1);
        }
        assertEquals(CAPACITY, table.size());
        assertEquals(FlowTable.FULL, add(tcp(CAPACITY)));
        for (int i = 0; i < CAPACITY; i++)
        {
            assertFound(table.flowOf(tcp(i)), tcp(i), tcp(i).inverse());
        }
        final int flow = table.flowOf(tcp(7));
        table.remove(flow);
        assertEquals(CAPACITY - 1, table.size());
        assertEquals(FlowTable.FULL, add(tcp(CAPACITY)), "its number is not free yet");
        table.release(flow);
        assertEquals(flow, add(tcp(CAPACITY)));
    }

    @Test
    void shouldReuseANumberOnlyAfterItsRelease()
    {
        final int first = add(tcp(1));
        final int second = add(tcp(2));
        table.count(2 * first, 1500);
        table.count(2 * first, 60);
        table.count(2 * first + 1, 40);
        table.remove(first);
        assertEquals(FlowTable.NONE, find(tcp(1), LAN));
        assertEquals(FlowTable.NONE, find(tcp(1).inverse(), WAN));
        assertEquals(FlowTable.NONE, table.flowOf(tcp(1)));
        assertEquals(FlowTable.NONE, packet.put(tcp(1)).find(table, LAN, 2 * first), "with its hint");
        assertEquals(2, table.packets(2 * first));
        assertEquals(1560, table.bytes(2 * first));
        assertEquals(1, table.packets(2 * first + 1));
        assertEquals(40, table.bytes(2 * first + 1));
        assertEquals(tcp(1), table.tuple(2 * first), "who holds the number sees the flow");
        final int third = add(tcp(1));
        assertEquals(0, table.packets(2 * third));
        table.release(first);
        final int again = add(tcp(3));
        assertEquals(first, again);
        assertEquals(0, table.packets(2 * again));
        assertEquals(0, table.bytes(2 * again));
        assertEquals(0, table.packets(2 * again + 1));
        assertFound(again, tcp(3), tcp(3).inverse());
        assertFound(second, tcp(2), tcp(2).inverse());
        assertFound(third, tcp(1), tcp(1).inverse());
    }

    @Test
    void shouldNotFindAnInvalidatedFlow()
    {
        final int flow = add(tcp(1));
        assertTrue(table.isValid(flow));
        table.invalidate(flow);
        assertFalse(table.isValid(flow));
        assertEquals(FlowTable.NONE, find(tcp(1), LAN));
        assertEquals(FlowTable.NONE, find(tcp(1).inverse(), WAN));
        assertEquals(FlowTable.NONE, packet.put(tcp(1)).find(table, LAN, 2 * flow));
        assertEquals(flow, table.flowOf(tcp(1)), "the control thread removes it");
        assertEquals(1, table.size());
        table.invalidate(flow);
        table.remove(flow);
        table.release(flow);
        assertEquals(0, table.size());
        assertEmpty(memory, CAPACITY);
    }

    @Test
    void shouldFindWithAnyHint()
    {
        final int flow = add(tcp(1));
        final int other = add(tcp(2));
        final int[] hints = {
            -1, 0, 1, 2 * flow, 2 * flow + 1, 2 * other, 2 * CAPACITY + 1, 2 * CAPACITY + 2, Integer.MAX_VALUE,
            Integer.MIN_VALUE};
        for (final int hint : hints)
        {
            assertEquals(2 * flow, packet.put(tcp(1)).find(table, LAN, hint), "hint " + hint);
            assertEquals(FlowTable.NONE, packet.put(tcp(1)).find(table, WAN, hint), "hint " + hint);
            assertEquals(FlowTable.NONE, packet.put(tcp(3)).find(table, LAN, hint), "hint " + hint);
        }
    }

    /** Also tuples that other flows have in the other direction. */
    @Test
    void shouldReturnTheFlowOfItsInitiator()
    {
        final int flow = add(tcp(1));
        final int reverse = table.add(tcp(1).inverse(), LAN, WAN, tcp(1), WAN, LAN);
        assertEquals(flow, table.flowOf(tcp(1)));
        assertEquals(reverse, table.flowOf(tcp(1).inverse()));
    }

    /** Flows whose original directions all have the same first bucket, found with a table beside. */
    private static List<FlowTuple> ofOneBucket(final int count, final long secret)
    {
        final List<FlowTuple> tuples = new ArrayList<>();
        try (FlowMemory beside = FlowMemory.ofProcess(CAPACITY))
        {
            final FlowTable probe = new FlowTable(beside, CAPACITY, secret);
            for (int port = 0; tuples.size() < count; port++)
            {
                final FlowTuple candidate = tcp(port);
                final int flow = probe.add(candidate, LAN, WAN, candidate.inverse(), WAN, LAN);
                if (bucketOf(beside, 2 * flow) == 5)
                {
                    tuples.add(candidate);
                }
                probe.remove(flow);
                probe.release(flow);
            }
        }
        return tuples;
    }

    private static int entry(final FlowMemory of, final int bucket, final int i)
    {
        return UnsafeApi.getInt(of.buckets() + (long)bucket * FlowTableLayout.LINE_LENGTH +
            FlowTableLayout.ENTRIES_OFFSET + (long)i * Integer.BYTES);
    }

    private static int overflows(final FlowMemory of, final int bucket)
    {
        return UnsafeApi.getInt(
            of.buckets() + (long)bucket * FlowTableLayout.LINE_LENGTH + FlowTableLayout.OVERFLOWS_OFFSET);
    }

    private static int bucketOf(final FlowMemory of, final int direction)
    {
        for (int bucket = 0; bucket < FlowTable.bucketCount(CAPACITY); bucket++)
        {
            for (int i = 0; i < FlowTableLayout.ENTRIES; i++)
            {
                if ((entry(of, bucket, i) & FlowTableLayout.DIRECTION_MASK) == direction)
                {
                    return bucket;
                }
            }
        }
        return -1;
    }

    private static void assertEmpty(final FlowMemory of, final int capacity)
    {
        for (int bucket = 0; bucket < FlowTable.bucketCount(capacity); bucket++)
        {
            assertEquals(0, overflows(of, bucket), "overflows of bucket " + bucket);
            for (int i = 0; i < FlowTableLayout.ENTRIES; i++)
            {
                assertEquals(0, entry(of, bucket, i), "entry of bucket " + bucket);
            }
        }
    }

    @Test
    void shouldUseTheSecondBucketIfTheFirstIsFull()
    {
        final List<FlowTuple> tuples = ofOneBucket(FlowTableLayout.ENTRIES + 5, table.secret());
        tuples.forEach(this::add);
        for (final FlowTuple each : tuples)
        {
            assertFound(table.flowOf(each), each, each.inverse());
        }
        final long outside = tuples.stream().filter(each -> bucketOf(memory, 2 * table.flowOf(each)) != 5).count();
        assertTrue(outside >= 5);
        assertTrue(overflows(memory, 5) >= outside);
        // Those in the first bucket leave, and the others are found all the same.
        for (int i = 0; i < FlowTableLayout.ENTRIES; i++)
        {
            final int flow = table.flowOf(tuples.get(i));
            table.remove(flow);
            table.release(flow);
        }
        for (int i = 0; i < tuples.size(); i++)
        {
            final FlowTuple each = tuples.get(i);
            if (i < FlowTableLayout.ENTRIES)
            {
                assertEquals(FlowTable.NONE, find(each, LAN));
            }
            else
            {
                assertFound(table.flowOf(each), each, each.inverse());
            }
        }
        tuples.subList(FlowTableLayout.ENTRIES, tuples.size()).forEach(each -> table.remove(table.flowOf(each)));
        assertEmpty(memory, CAPACITY);
    }

    /** A direction that has room in neither bucket: nothing of its flow stays. */
    @Test
    void shouldBeFullIfBothBucketsAre()
    {
        final int capacity = 60;
        try (FlowMemory small = FlowMemory.ofProcess(CAPACITY))
        {
            final FlowTable crowded = new FlowTable(small, CAPACITY, table.secret());
            final int bits = crowded.bucketBits();
            for (int bucket = 0; bucket < 1 << bits; bucket++)
            {
                fill(small, bucket, capacity);
            }
            assertEquals(FlowTable.FULL, crowded.add(tcp(1), LAN, WAN, tcp(1).inverse(), WAN, LAN));
            assertEquals(0, crowded.size());
            assertEquals(FlowTable.NONE, packet.put(tcp(1)).find(crowded, LAN, NO_HINT));
            assertEquals(FlowTable.NONE, packet.put(tcp(1)).find(crowded, LAN, 2));
            for (int bucket = 0; bucket < 1 << bits; bucket++)
            {
                assertEquals(0, overflows(small, bucket));
            }
        }
    }

    /** Fills a bucket with entries of lines that no flow has. */
    private static void fill(final FlowMemory of, final int bucket, final int direction)
    {
        for (int i = 0; i < FlowTableLayout.ENTRIES; i++)
        {
            UnsafeApi.putInt(of.buckets() + (long)bucket * FlowTableLayout.LINE_LENGTH +
                FlowTableLayout.ENTRIES_OFFSET + (long)i * Integer.BYTES, 2 * direction);
        }
    }

    /** The original direction has room and the reply has none. */
    @Test
    void shouldLeaveNothingIfOnlyOneDirectionHasRoom()
    {
        for (int port = 0; port < 200; port++)
        {
            try (FlowMemory small = FlowMemory.ofProcess(CAPACITY))
            {
                final FlowTable crowded = new FlowTable(small, CAPACITY, table.secret());
                final int flow = crowded.add(tcp(port), LAN, WAN, tcp(port).inverse(), WAN, LAN);
                final int original = bucketOf(small, 2 * flow);
                crowded.remove(flow);
                crowded.release(flow);
                for (int bucket = 0; bucket < 1 << crowded.bucketBits(); bucket++)
                {
                    if (bucket != original)
                    {
                        fill(small, bucket, CAPACITY);
                    }
                }
                final int added = crowded.add(tcp(port), LAN, WAN, tcp(port).inverse(), WAN, LAN);
                if (added == FlowTable.FULL)
                {
                    assertEquals(-1, bucketOf(small, 2), "entry of a flow that was not added");
                    assertEquals(FlowTable.NONE, packet.put(tcp(port)).find(crowded, LAN, 2));
                    assertFalse(crowded.isValid(1));
                    return;
                }
            }
        }
        throw new AssertionError("the replies of 200 flows all have the bucket of their original");
    }

    @Test
    void shouldHaveAboutHalfOfTheEntriesInUse()
    {
        assertEquals(16, FlowTable.bucketCount(1));
        assertEquals(16, FlowTable.bucketCount(64));
        assertEquals(32, FlowTable.bucketCount(65));
        assertEquals(1 << 18, FlowTable.bucketCount(1_000_000));
        assertEquals(1 << 21, FlowTable.bucketCount(FlowTable.MAX_CAPACITY));
        assertEquals(202, FlowTable.lineCount(100));
        assertEquals(FlowTableLayout.DIRECTION_MASK - 1, FlowTable.lineCount(FlowTable.MAX_CAPACITY));
        assertEquals(64L * (32 + 202), table.memoryBytes());
        assertEquals(64, FlowTableLayout.BYTES_OFFSET + Long.BYTES);
    }

    @Test
    void shouldRefuseImpossibleCapacities()
    {
        assertThrows(IllegalArgumentException.class, () -> new FlowTable(memory, 0, 1));
        assertThrows(IllegalArgumentException.class, () -> new FlowTable(memory, FlowTable.MAX_CAPACITY + 1, 1));
    }
}
