package org.fibnuma.core.flow;

import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.Size;
import org.fibnuma.core.wire.IpAddress;
import org.fibnuma.core.wire.IpProtocol;

import java.util.Arrays;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

/** A translated packet is the packet that its sender would have made with the translated addresses and ports. */
class FlowTranslationPropertyTest
{
    /** What translation changes. */
    enum Nat
    {
        SOURCE, DESTINATION, BOTH
    }

    /** What is special about the checksum of the transport header. */
    enum Checksum
    {
        ORDINARY, ZERO_BEFORE, ZERO_AFTER, ABSENT
    }

    /**
     * A packet's tuple and what replaces it.
     *
     * @param before tuple on the wire.
     * @param after  tuple after translation.
     */
    record Change(FlowTuple before, FlowTuple after)
    {
    }

    @Provide
    Arbitrary<Change> changes()
    {
        final Arbitrary<Long> half = Arbitraries.longs();
        final Arbitrary<Integer> port = Arbitraries.integers().between(0, 0xFFFF);
        final Arbitrary<Integer> protocol =
            Arbitraries.of(IpProtocol.TCP, IpProtocol.UDP, IpProtocol.UDP_LITE, IpProtocol.ICMP);
        return Combinators.combine(
            half.array(long[].class).ofSize(8), port.array(int[].class).ofSize(4), protocol,
            Arbitraries.of(true, false), Arbitraries.of(Nat.values()), Arbitraries.of(true, false))
            .as(FlowTranslationPropertyTest::change);
    }

    private static Change change(
        final long[] halves,
        final int[] ports,
        final int protocol,
        final boolean isIpv6,
        final Nat nat,
        final boolean isRequest)
    {
        final boolean isEcho = protocol == IpProtocol.ICMP;
        final int number = isEcho && isIpv6 ? IpProtocol.ICMPV6 : protocol;
        final int type = isIpv6 ? isRequest ? 128 : 129 : isRequest ? 8 : 0;
        final boolean source = nat != Nat.DESTINATION;
        final boolean destination = nat != Nat.SOURCE;
        final int[] s = source ? new int[]{0, 4} : new int[]{0, 0};
        final int[] d = destination ? new int[]{2, 6} : new int[]{2, 2};
        final FlowTuple[] tuples = new FlowTuple[2];
        for (int i = 0; i < tuples.length; i++)
        {
            tuples[i] = new FlowTuple(
                isIpv6 ? high(halves[s[i]]) : 0, isIpv6 ? halves[s[i] + 1] : ipv4(halves[s[i]]),
                isIpv6 ? high(halves[d[i]]) : 0, isIpv6 ? halves[d[i] + 1] : ipv4(halves[d[i]]),
                number, ports[source ? i : 0],
                isEcho ? type << Byte.SIZE | ports[3] & 0xFF : ports[destination ? 2 + i : 2]);
        }
        return new Change(tuples[0], tuples[1]);
    }

    /** The high half of an address that is not mapped. */
    private static long high(final long random)
    {
        return random == 0 ? 1 : random;
    }

    private static long ipv4(final long random)
    {
        return IpAddress.mappedLow((int)random);
    }

    @Property(tries = 2_000)
    void shouldTranslateAndRestore(
        @ForAll("changes") final Change change,
        @ForAll final Checksum checksum,
        @ForAll @Size(max = 33) final byte[] data)
    {
        final FlowTuple reply = change.after().inverse();
        final int capacity = 3;
        try (FlowMemory memory = FlowMemory.ofProcess(capacity); TuplePacket packet = new TuplePacket();
            TuplePacket expected = new TuplePacket())
        {
            final FlowTable table = new FlowTable(memory, capacity, 5);
            final int flow = table.add(change.before(), 0, 1, reply, 1, 0);
            assertEquals(!change.before().equals(change.after()), table.isNat(2 * flow));
            assertEquals(table.isNat(2 * flow), table.isNat(2 * flow + 1));
            final byte[] payload = payload(packet, change, checksum, data);
            final boolean hasChecksum = checksum != Checksum.ABSENT || change.before().protocol() != IpProtocol.UDP;
            packet.put(change.before(), payload);
            expected.put(change.after(), payload);
            if (!hasChecksum)
            {
                packet.checksum(0);
                expected.checksum(0);
            }
            assertTranslated(new FlowTranslation(table), 2 * flow, packet, expected);

            packet.put(reply, payload);
            expected.put(change.before().inverse(), payload);
            assertTranslated(new FlowTranslation(table), 2 * flow + 1, packet, expected);
        }
    }

    /** Appends a word to the data with which the checksum before or after is computed as 0. */
    private static byte[] payload(
        final TuplePacket packet, final Change change, final Checksum checksum, final byte[] data)
    {
        if (checksum == Checksum.ORDINARY || checksum == Checksum.ABSENT)
        {
            return data;
        }
        final byte[] payload = Arrays.copyOf(data, (data.length | 1) + 3);
        final FlowTuple zero = checksum == Checksum.ZERO_BEFORE ? change.before() : change.after();
        final int word = packet.put(zero, payload).computed();
        payload[payload.length - 2] = (byte)(word >>> Byte.SIZE);
        payload[payload.length - 1] = (byte)word;
        final boolean isUdp = zero.protocol() == IpProtocol.UDP || zero.protocol() == IpProtocol.UDP_LITE;
        assertEquals(isUdp ? 0xFFFF : 0, packet.put(zero, payload).computed());
        return payload;
    }

    private static void assertTranslated(
        final FlowTranslation translation, final int direction, final TuplePacket packet, final TuplePacket expected)
    {
        final byte[] before = packet.bytes();
        final boolean isIpv6 = before[0] >> 4 == 6;
        final int checksums = isIpv6 ? translation.translateIpv6(direction, packet.header()) :
            translation.translateIpv4(direction, packet.header());
        assertArrayEquals(expected.bytes(), packet.bytes());
        if (isIpv6)
        {
            translation.restoreIpv6(direction, packet.header(), checksums);
        }
        else
        {
            translation.restoreIpv4(direction, packet.header(), checksums);
        }
        assertArrayEquals(before, packet.bytes());
    }
}
