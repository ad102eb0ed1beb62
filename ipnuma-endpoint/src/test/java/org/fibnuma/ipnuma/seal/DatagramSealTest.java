package org.fibnuma.ipnuma.seal;

import com.sun.management.ThreadMXBean;
import org.fibnuma.core.memory.FrameMemory;
import org.fibnuma.core.memory.MemoryRegion;
import org.fibnuma.core.wire.Ipv4Address;
import org.fibnuma.ipnuma.session.DatagramOutput;
import org.fibnuma.ipnuma.wire.fibnuma.FibnumaHeaderFlyweight;
import org.fibnuma.ipnuma.wire.fibnuma.FibnumaHeaderWriter;
import org.fibnuma.ipnuma.wire.fibnuma.FibnumaKind;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Random;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

class DatagramSealTest
{
    private static final SealKey KEY = SealKey.parse("000102030405060708090a0b0c0d0e0f");
    private static final int A = Ipv4Address.parse("10.9.0.1");
    private static final int B = Ipv4Address.parse("10.9.0.2");
    private static final long NOW_MS = 1_795_000_000_000L;
    private static final int LENGTH = FibnumaHeaderFlyweight.MIN_LENGTH + 24;

    private final MemoryRegion memory = MemoryRegion.ofBytes(16 * 1024);
    private final long datagram = memory.address();
    private final FibnumaHeaderWriter writer = new FibnumaHeaderWriter();
    private final DatagramSeal a = new DatagramSeal(KEY, A, B, NOW_MS);
    private final DatagramSeal b = new DatagramSeal(KEY, B, A, NOW_MS);

    @AfterEach
    void close()
    {
        memory.close();
    }

    @Test
    void shouldOpenWhatThePeerSealed()
    {
        write();
        final byte[] before = bytes(LENGTH);
        assertEquals(LENGTH + DatagramSeal.OVERHEAD, a.seal(datagram, LENGTH));
        final byte[] sealed = bytes(LENGTH);
        for (int i = 0; i < DatagramSeal.ASSOCIATED_LENGTH; i++)
        {
            assertEquals(i == FibnumaHeaderFlyweight.FLAGS_OFFSET ? before[i] | 8 : before[i], sealed[i]);
        }
        assertFalse(contains(sealed, 0x1122334455667788L), "the key can be read");
        assertEquals(LENGTH, b.open(datagram, LENGTH + DatagramSeal.OVERHEAD));
        assertArrayEquals(before, bytes(LENGTH));
        assertTrue(new FibnumaHeaderFlyweight().wrap(datagram).isIntact(24));
    }

    @Test
    void shouldTakeADatagramOnce()
    {
        write();
        a.seal(datagram, LENGTH);
        final byte[] sealed = bytes(LENGTH + DatagramSeal.OVERHEAD);
        assertEquals(LENGTH, b.open(datagram, sealed.length));
        FrameMemory.putBytes(datagram, sealed);
        assertEquals(DatagramSeal.REPLAYED, b.open(datagram, sealed.length));
        assertArrayEquals(sealed, bytes(sealed.length));
    }

    @Test
    void shouldSealTheSameDatagramDifferentlyEachTimeAndAfterEveryStart()
    {
        write();
        a.seal(datagram, LENGTH);
        final byte[] first = bytes(LENGTH);
        write();
        a.seal(datagram, LENGTH);
        final byte[] second = bytes(LENGTH);
        write();
        new DatagramSeal(KEY, A, B, NOW_MS + 1).seal(datagram, LENGTH);
        final byte[] third = bytes(LENGTH);
        final int at = DatagramSeal.ASSOCIATED_LENGTH;
        assertFalse(Arrays.equals(first, at, LENGTH, second, at, LENGTH));
        assertFalse(Arrays.equals(first, at, LENGTH, third, at, LENGTH));
        assertFalse(Arrays.equals(second, at, LENGTH, third, at, LENGTH));
    }

    @Test
    void shouldHearAPeerThatStartedAgainAndNoOldDatagramOfIt()
    {
        write();
        a.seal(datagram, LENGTH);
        final byte[] old = bytes(LENGTH + DatagramSeal.OVERHEAD);
        for (int i = 0; i < 5; i++)
        {
            write();
            assertEquals(LENGTH, b.open(datagram, a.seal(datagram, LENGTH)));
        }
        final DatagramSeal again = new DatagramSeal(KEY, A, B, NOW_MS + 1);
        write();
        assertEquals(LENGTH, b.open(datagram, again.seal(datagram, LENGTH)));
        FrameMemory.putBytes(datagram, old);
        assertEquals(DatagramSeal.REPLAYED, b.open(datagram, old.length));
    }

    @Test
    void shouldRefuseItsOwnDatagramsOtherKeysAndOtherPeers()
    {
        write();
        assertEquals(DatagramSeal.FORGED, a.open(datagram, a.seal(datagram, LENGTH)));
        write();
        final int length = a.seal(datagram, LENGTH);
        assertEquals(DatagramSeal.FORGED, new DatagramSeal(
            SealKey.parse("000102030405060708090a0b0c0d0e0e"), B, A, NOW_MS).open(datagram, length));
        assertEquals(DatagramSeal.FORGED, new DatagramSeal(KEY, B, B, NOW_MS).open(datagram, length));
        assertEquals(LENGTH, b.open(datagram, length));
    }

    @Test
    void shouldRefuseWhatIsNotSealedAndAnyGarbage()
    {
        write();
        assertEquals(DatagramSeal.NOT_SEALED, b.open(datagram, LENGTH));
        final Random random = new Random(1);
        final byte[] garbage = new byte[9100];
        for (int i = 0; i < 3000; i++)
        {
            random.nextBytes(garbage);
            FrameMemory.putBytes(datagram, garbage);
            assertTrue(b.open(datagram, random.nextInt(random.nextInt(garbage.length) + 1)) < 0);
        }
    }

    @Test
    void shouldRefuseAnyChangedByte()
    {
        write();
        final int length = a.seal(datagram, LENGTH);
        for (int i = 0; i < length; i++)
        {
            FrameMemory.putByte(datagram + i, FrameMemory.getByte(datagram + i) ^ 0x40);
            assertTrue(b.open(datagram, length) < 0, "byte " + i);
            FrameMemory.putByte(datagram + i, FrameMemory.getByte(datagram + i) ^ 0x40);
        }
        assertEquals(LENGTH, b.open(datagram, length));
    }

    @Test
    void shouldSealWhatASessionSends()
    {
        final int[] committed = new int[1];
        final SealedOutput output = new SealedOutput(new DatagramOutput()
        {
            @Override
            public long claim(final int length)
            {
                committed[0] = -length;
                return datagram;
            }

            @Override
            public void commit(final int length, final boolean ecnCapable)
            {
                assertEquals(-committed[0], length);
                committed[0] = length;
            }
        }, a);
        assertEquals(datagram, output.claim(LENGTH));
        write();
        output.commit(LENGTH, true);
        assertEquals(LENGTH, b.open(datagram, committed[0]));
    }

    @Test
    void shouldNotAllocate()
    {
        final ThreadMXBean threads = (ThreadMXBean)ManagementFactory.getThreadMXBean();
        long least = Long.MAX_VALUE;
        for (int round = 0; round < 6; round++)
        {
            final long before = threads.getCurrentThreadAllocatedBytes();
            for (int i = 0; i < 5000; i++)
            {
                write();
                assertEquals(LENGTH, b.open(datagram, a.seal(datagram, LENGTH)));
            }
            least = Math.min(least, threads.getCurrentThreadAllocatedBytes() - before);
        }
        assertEquals(0, least);
    }

    @Test
    void shouldReadKeysAndNotShowThem()
    {
        assertEquals("key of 128 bits", KEY.toString());
        assertEquals("key of 256 bits", SealKey.parse(" " + "0F".repeat(32) + "\n").toString());
        for (final String wrong : new String[]{"", "00", "0".repeat(33), "x".repeat(32)})
        {
            assertTrue(assertThrows(IllegalArgumentException.class, () -> SealKey.parse(wrong))
                .getMessage().startsWith("a key has 32 or 64 hexadecimal digits"));
        }
    }

    private void write()
    {
        FrameMemory.zero(datagram, LENGTH);
        writer.wrap(datagram).start(FibnumaKind.DATA).sessions(0x0A0B0C0D, 2).epochs(3, 4)
            .sequence(5).flags(1, 1).region(7, 0x1122334455667788L).length(24, 0).finish(24);
    }

    private byte[] bytes(final int length)
    {
        final byte[] bytes = new byte[length];
        FrameMemory.getBytes(datagram, bytes);
        return bytes;
    }

    private static boolean contains(final byte[] bytes, final long word)
    {
        for (int i = 0; i + Long.BYTES <= bytes.length; i++)
        {
            if (ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).getLong(i) == word)
            {
                return true;
            }
        }
        return false;
    }
}
