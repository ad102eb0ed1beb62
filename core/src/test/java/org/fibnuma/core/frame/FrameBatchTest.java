package org.fibnuma.core.frame;

import org.fibnuma.core.memory.FrameMemory;
import org.fibnuma.core.memory.MemoryRegion;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import java.util.Arrays;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

class FrameBatchTest
{
    private static final int CHUNK = 2048;
    private static final long DESCRIPTORS = 0x1000;

    private final MemoryRegion region = MemoryRegion.ofChunks(FrameBatch.CAPACITY, CHUNK);
    private final FrameBatch batch = new FrameBatch();

    @AfterEach
    void closeRegion()
    {
        region.close();
    }

    @Test
    void shouldStoreOneEgressPortForAllFrames()
    {
        fill();
        batch.egressInterfaceOfAll(3);
        batch.egressInterface(5, 2);
        assertEquals(3, batch.egressPort(4));
        assertEquals(2, batch.egressPort(5));
        batch.clear();
        fill();
        for (final int port : new int[]{3, 3, 1})
        {
            batch.egressInterfaceOfAll(port);
            for (int i = 0; i < FrameBatch.CAPACITY; i++)
            {
                assertEquals(port, batch.egressPort(i));
            }
        }
    }

    @Test
    void shouldStoreOneEgressInterfaceForTheFirstFramesOfAList()
    {
        for (final int before : new int[]{3, 4})
        {
            batch.clear();
            fill();
            batch.egressInterfaceOfAll(before);
            final FrameList odd = list(1, 3, 5, 7);
            batch.egressInterfaceOfFirst(odd, 4, 4);
            batch.addEgressPorts(1 << 4);
            assertEquals(4, batch.egressPort(1));
            assertEquals(4, batch.egressPort(7));

            final FrameList even = list(0, 2, 4, 6);
            batch.egressInterfaceOfFirst(even, 3, 5);
            batch.addEgressPorts(1 << 5);
            batch.egressInterface(6, 4);
            batch.egressInterfaceOfFirst(list(8, 9), 2, 4);
            final int[] expected = {5, 4, 5, 4, 5, 4, 4, 4, 4, 4};
            for (int i = 0; i < expected.length; i++)
            {
                assertEquals(expected[i], batch.egressPort(i), "frame " + i);
            }
        }
    }

    private static FrameList list(final int... indices)
    {
        final FrameList list = new FrameList();
        Arrays.stream(indices).forEach(list::add);
        return list;
    }

    private void fill()
    {
        for (int i = 0; i < FrameBatch.CAPACITY; i++)
        {
            batch.add(region.address() + (long)i * CHUNK, region.address() + (long)i * CHUNK, 60, 0);
        }
    }

    @Test
    void shouldAddPreparedFramesAtOnce()
    {
        batch.add(region.address(), region.address() + 256, 60, 1);
        for (int i = 0; i < 3; i++)
        {
            final long chunk = region.address() + (long)(i + 1) * CHUNK;
            batch.prepare(1 + i, chunk, chunk + 256, 100 + i);
        }
        assertEquals(1, batch.size());

        batch.extend(2, 7);

        assertEquals(3, batch.size());
        assertEquals(region.address() + 2 * CHUNK, batch.handle(2));
        assertEquals(region.address() + 2 * CHUNK + 256, batch.address(2));
        assertEquals(101, batch.length(2));
        assertEquals(1, batch.ingressPort(0));
        assertEquals(7, batch.ingressPort(1));
        assertEquals(7, batch.ingressPort(2));
        assertTrue(batch.isForward(2));
        assertThrows(IndexOutOfBoundsException.class, () -> batch.extend(FrameBatch.CAPACITY - 2, 7));
    }

    @Test
    void shouldKeepWhatEachFrameIs()
    {
        for (int i = 0; i < FrameBatch.CAPACITY; i++)
        {
            assertEquals(i, batch.size());
            assertEquals(FrameBatch.CAPACITY - i, batch.room());
            batch.add(chunk(i), chunk(i) + 256 + i, 60 + i, 100 + i);
        }
        assertEquals(0, batch.room());
        for (int i = 0; i < FrameBatch.CAPACITY; i++)
        {
            assertEquals(chunk(i), batch.handle(i));
            assertEquals(chunk(i) + 256 + i, batch.address(i));
            assertEquals(60 + i, batch.length(i));
            assertEquals(100 + i, batch.ingressInterface(i));
            assertTrue(batch.isForward(i));
            batch.adjacency(i, 65_534 - i);
            batch.destination(i, -1 - i);
            batch.packetLength(i, 20 + i);
            batch.egressInterface(i, 200 + i);
        }
        for (int i = 0; i < FrameBatch.CAPACITY; i++)
        {
            assertEquals(chunk(i), batch.handle(i));
            assertEquals(60 + i, batch.length(i));
            assertEquals(100 + i, batch.ingressInterface(i));
            assertTrue(batch.isForward(i));
            assertEquals(65_534 - i, batch.adjacency(i));
            assertEquals(-1 - i, batch.destination(i));
            assertEquals(20 + i, batch.packetLength(i));
            assertEquals(200 + i, batch.egressInterface(i));
        }
        assertThrows(ArrayIndexOutOfBoundsException.class, () -> batch.add(chunk(0), chunk(0), 60, 0));
    }

    @Test
    void shouldKeepBothHalvesOfAnIpv6Destination()
    {
        for (int i = 0; i < FrameBatch.CAPACITY; i++)
        {
            batch.add(chunk(i), chunk(i), 60, i);
        }
        for (int i = 0; i < FrameBatch.CAPACITY; i++)
        {
            batch.destinationHigh(i, 0x2001_0DB8_0000_0000L + i);
            batch.destinationLow(i, -1L - i);
            batch.findings(i, Long.MIN_VALUE | i);
        }
        for (int i = 0; i < FrameBatch.CAPACITY; i++)
        {
            assertEquals(Long.MIN_VALUE | i, batch.findings(i));
            batch.adjacency(i, i);
            batch.egressInterface(i, 200 + i);
        }
        for (int i = 0; i < FrameBatch.CAPACITY; i++)
        {
            assertEquals(0x2001_0DB8_0000_0000L + i, batch.destinationHigh(i));
            assertEquals(-1L - i, batch.destinationLow(i));
            assertEquals(i, batch.adjacency(i));
            assertEquals(200 + i, batch.egressInterface(i));
        }
    }

    @Test
    void shouldForgetTheFateOfAnEarlierFrame()
    {
        batch.add(chunk(0), chunk(0), 60, 1);
        batch.drop(0, 255);
        batch.clear();
        batch.add(chunk(1), chunk(1), 60, 2);
        assertTrue(batch.isForward(0));
        assertEquals(Disposition.FORWARD, batch.disposition(0));
        assertEquals(2, batch.ingressPort(0));
    }

    @Test
    void shouldKnowTheIngressPortOfFramesAddedInAnyWay()
    {
        for (int round = 0; round < 100; round++)
        {
            final int first = round % 3;
            final int second = round % 5;
            final int alone = round % 4;
            batch.clear();
            batch.prepare(0, chunk(0), chunk(0), 60);
            batch.extend(1, first);
            batch.add(chunk(1), chunk(1), 60, alone);
            batch.prepare(2, chunk(2), chunk(2), 60);
            batch.extend(1, second);
            assertEquals(first, batch.ingressPort(0));
            assertEquals(alone, batch.ingressPort(1));
            assertEquals(second, batch.ingressPort(2));
        }
    }

    @Test
    void shouldForgetTheDescriberWithTheFirstChange()
    {
        batch.prepare(0, chunk(0), chunk(0), 60);
        batch.extend(1, 1);
        assertNull(batch.describer());
        batch.describedBy(region, DESCRIPTORS);
        assertSame(region, batch.describer());
        batch.length(0, 60);
        assertNull(batch.describer());
        batch.describedBy(region, DESCRIPTORS);
        batch.add(chunk(1), chunk(1), 60, 1);
        assertNull(batch.describer());
        batch.describedBy(region, DESCRIPTORS);
        batch.clear();
        assertNull(batch.describer());
    }

    @Test
    void shouldTellEveryDispositionAndEveryReasonToDrop()
    {
        batch.add(chunk(0), chunk(0), 60, 0);
        for (final int disposition : new int[]{Disposition.PUNT, Disposition.HOLD, Disposition.CONSUMED})
        {
            batch.disposition(0, disposition);
            assertEquals(disposition, batch.disposition(0));
            assertFalse(batch.isForward(0));
        }
        for (int reason = 0; reason < 256; reason++)
        {
            batch.drop(0, reason);
            assertEquals(Disposition.DROP, batch.disposition(0));
            assertEquals(reason, batch.dropReason(0));
            assertFalse(batch.isForward(0));
        }
    }

    @Test
    void shouldTellWhichDispositionsWereGiven()
    {
        batch.add(chunk(0), chunk(0), 60, 0);
        batch.add(chunk(1), chunk(1), 60, 0);
        assertTrue(batch.isAllForward());
        batch.disposition(0, Disposition.HOLD);
        batch.drop(0, 3);
        batch.disposition(0, Disposition.HOLD);
        batch.drop(1, 3);
        assertTrue(batch.has(Disposition.HOLD));
        assertTrue(batch.has(Disposition.DROP));
        assertFalse(batch.has(Disposition.PUNT));
        assertFalse(batch.isAllForward());
        batch.clear();
        assertFalse(batch.has(Disposition.HOLD));
        assertTrue(batch.isAllForward());
        batch.add(chunk(0), chunk(0), 60, 0);
    }

    @Test
    void shouldMoveAFrameToAnEarlierPosition()
    {
        batch.add(chunk(0), chunk(0), 60, 0);
        batch.add(chunk(1), chunk(1) + 4, 90, 0);
        batch.move(1, 0);
        assertEquals(chunk(1), batch.handle(0));
        assertEquals(chunk(1) + 4, batch.address(0));
        assertEquals(90, batch.length(0));
    }

    @Test
    void shouldKeepAccessInsideTheFrameAsItIsNow()
    {
        batch.add(chunk(0), chunk(0) + 256, 64, 0);
        FrameMemory.getByte(batch.address(0) + 63);
        batch.length(0, 46);
        assertEquals(46, batch.length(0));
        FrameMemory.getByte(batch.address(0) + 45);
        assertThrows(IndexOutOfBoundsException.class, () -> FrameMemory.getByte(batch.address(0) + 46));
    }

    private long chunk(final int i)
    {
        return region.address() + (long)i * CHUNK;
    }
}
