package org.fibnuma.core.flow;

import org.fibnuma.core.memory.FrameMemory;
import org.fibnuma.core.wire.IpAddress;
import org.fibnuma.core.wire.IpProtocol;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** One thread adds and removes flows, and releases their numbers when the other has passed a quiescent state. */
@Tag("stress")
@Timeout(120)
class FlowTableStressTest
{
    private static final int CAPACITY = 8;
    private static final int TUPLES = 6;
    private static final int FOUND = 500_000;
    private static final int LAN = 0;
    private static final int WAN = 1;

    private final AtomicLong quiescent = new AtomicLong();
    private final AtomicReference<Throwable> failure = new AtomicReference<>();
    private volatile boolean isOver;

    private static FlowTuple original(final int i)
    {
        return new FlowTuple(
            0, IpAddress.mappedLow(0x0A00_0002), 0, IpAddress.mappedLow(0xC000_0209), IpProtocol.UDP, 1000 + i, 53);
    }

    /** Every flow of the same original gets another address and port. */
    private static FlowTuple translated(final int i, final int generation)
    {
        return new FlowTuple(
            0, IpAddress.mappedLow(0xCB00_7100 | generation & 0xFF), 0, IpAddress.mappedLow(0xC000_0209),
            IpProtocol.UDP, 2000 + i + (generation << 4 & 0xFF0), 53);
    }

    @Test
    void shouldFindOnlyWholeFlows() throws InterruptedException
    {
        try (FlowMemory memory = FlowMemory.ofProcess(CAPACITY))
        {
            final FlowTable table = new FlowTable(memory, CAPACITY, 77);
            final Thread control = new Thread(() -> change(table));
            control.start();
            try
            {
                find(table);
            }
            finally
            {
                isOver = true;
                control.join();
            }
            assertEquals(null, failure.get());
        }
    }

    private void change(final FlowTable table)
    {
        try
        {
            final Random random = new Random(3);
            final int[] flows = new int[TUPLES];
            for (int generation = 0; !isOver; generation++)
            {
                final int i = random.nextInt(TUPLES);
                if (flows[i] == 0)
                {
                    flows[i] = table.add(original(i), LAN, WAN, translated(i, generation).inverse(), WAN, LAN);
                    assertTrue(flows[i] > 0);
                }
                else
                {
                    table.remove(flows[i]);
                    awaitQuiescence();
                    table.release(flows[i]);
                    flows[i] = 0;
                }
            }
        }
        catch (final Throwable ex)
        {
            failure.set(ex);
        }
    }

    private void awaitQuiescence()
    {
        final long seen = quiescent.get();
        while (quiescent.get() == seen && !isOver)
        {
            Thread.onSpinWait();
        }
    }

    private void find(final FlowTable table)
    {
        final Random random = new Random(5);
        final FlowTranslation translation = new FlowTranslation(table);
        try (TuplePacket packet = new TuplePacket())
        {
            int found = 0;
            while (found < FOUND && failure.get() == null)
            {
                final int i = random.nextInt(TUPLES);
                packet.put(original(i));
                final byte[] before = packet.bytes();
                final int direction = packet.find(table, LAN, random.nextInt(2 * CAPACITY + 4));
                if (direction != FlowTable.NONE)
                {
                    found++;
                    check(table, translation, packet, direction, i, before);
                }
                quiescent.incrementAndGet();
            }
        }
    }

    private static void check(
        final FlowTable table,
        final FlowTranslation translation,
        final TuplePacket packet,
        final int direction,
        final int i,
        final byte[] before)
    {
        assertEquals(0, direction & 1);
        assertEquals(original(i), table.tuple(direction));
        final FlowTuple reply = table.tuple(direction ^ 1);
        assertEquals(0xC000_0209, (int)reply.sourceLow());
        assertEquals(2000 + i & 0xF, reply.destinationPort() & 0xF);
        assertTrue(table.isNat(direction));
        assertEquals(WAN, table.egress(direction));
        assertEquals(WAN, table.ingress(direction ^ 1));
        final int checksums = translation.translateIpv4(direction, packet.header());
        assertEquals(packet.computed(), packet.checksum());
        assertEquals((int)reply.destinationLow(), FrameMemory.getIntBE(packet.header() + 12));
        translation.restoreIpv4(direction, packet.header(), checksums);
        assertArrayEquals(before, packet.bytes());
    }
}
