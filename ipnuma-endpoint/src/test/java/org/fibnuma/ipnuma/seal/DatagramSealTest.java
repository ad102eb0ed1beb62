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
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import javax.crypto.Cipher;
import javax.crypto.Mac;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.Set;

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
    private static final int A_SESSION = 0x0A0B0C0D;
    private static final int B_SESSION = 2;
    /** Limit for sealing and opening a datagram of 96 bytes: twice what OpenJDK 17 allocates. */
    private static final int MAX_ALLOCATED = 6000;
    private static final int LENGTH = FibnumaHeaderFlyweight.MIN_LENGTH + 24;

    private final MemoryRegion memory = MemoryRegion.ofBytes(16 * 1024);
    private final long datagram = memory.address();
    private final FibnumaHeaderWriter writer = new FibnumaHeaderWriter();
    private final DatagramSeal a = new DatagramSeal(KEY, A, B);
    private final DatagramSeal b = new DatagramSeal(KEY, B, A);

    @BeforeEach
    void connect()
    {
        connect(a, b, 1, 2);
    }

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
    void shouldSealAsTheJvmDoesWithTheKeysOfTheProtocol() throws Exception
    {
        write();
        final byte[] plain = bytes(LENGTH);
        a.seal(datagram, LENGTH);
        final byte[] secret = hmac(hmac(noncesOfA(), HexFormat.of().parseHex("000102030405060708090a0b0c0d0e0f")),
            concat(ascii("fibnuma seal 2"), HexFormat.of().parseHex("0a0900010a09000201")));
        final byte[] key = Arrays.copyOf(hmac(secret, concat(ascii("fibnuma key"), new byte[]{1})), 16);
        final Cipher jvm = Cipher.getInstance("AES/GCM/NoPadding");
        jvm.init(Cipher.ENCRYPT_MODE, new SecretKeySpec(key, "AES"),
            new GCMParameterSpec(128, HexFormat.of().parseHex("000000000000000000000001")));
        plain[FibnumaHeaderFlyweight.FLAGS_OFFSET] |= 8;
        jvm.updateAAD(plain, 0, 48);
        final byte[] text = jvm.doFinal(plain, 48, LENGTH - 48);
        final byte[] sealed = bytes(LENGTH + DatagramSeal.OVERHEAD);
        assertArrayEquals(Arrays.copyOf(text, LENGTH - 48), Arrays.copyOfRange(sealed, 48, LENGTH));
        assertEquals("0100000000000000", HexFormat.of().formatHex(sealed, LENGTH, LENGTH + 8));
        assertArrayEquals(Arrays.copyOfRange(text, LENGTH - 48, text.length),
            Arrays.copyOfRange(sealed, LENGTH + 8, sealed.length));
    }

    @Test
    void shouldAuthenticateHandshakesAsTheProtocolSays() throws Exception
    {
        handshake(FibnumaKind.HELLO, A_SESSION, 0, 1, 0);
        final int plain = FibnumaHeaderFlyweight.HANDSHAKE_LENGTH;
        final byte[] before = bytes(plain);
        final int length = a.seal(datagram, plain);
        final byte[] sealed = bytes(length);
        before[FibnumaHeaderFlyweight.FLAGS_OFFSET] |= 8;
        assertArrayEquals(before, Arrays.copyOf(sealed, plain), "it stays readable");
        final byte[] key = hmac(hmac(new byte[32], HexFormat.of().parseHex("000102030405060708090a0b0c0d0e0f")),
            concat(ascii("fibnuma handshake 2"), HexFormat.of().parseHex("0a0900010a09000201")));
        assertArrayEquals(Arrays.copyOf(hmac(key, Arrays.copyOf(sealed, plain + 8)), 16),
            Arrays.copyOfRange(sealed, plain + 8, length));
        final DatagramSeal other = new DatagramSeal(SealKey.parse("0".repeat(32)), B, A);
        assertEquals(DatagramSeal.FORGED, other.open(datagram, length));
        assertEquals(DatagramSeal.FORGED, a.open(datagram, length), "reflected");
        for (int i = 0; i < length; i++)
        {
            FrameMemory.putByte(datagram + i, FrameMemory.getByte(datagram + i) ^ 0x04);
            assertTrue(b.open(datagram, length) < 0, "byte " + i);
            FrameMemory.putByte(datagram + i, FrameMemory.getByte(datagram + i) ^ 0x04);
        }
        assertEquals(plain, b.open(datagram, length));
        assertEquals(plain, new DatagramSeal(KEY, B, A).open(resealed(sealed), length), "no connection is needed");
    }

    @Test
    void shouldSealTheSameDatagramDifferentlyEachTimeAndInEveryConnection()
    {
        final Set<String> texts = new HashSet<>();
        for (int connection = 0; connection < 20; connection++)
        {
            // A start with a restored state and a clock that was set back repeats at most the nonce of one side.
            connect(a, b, 1, 2 + connection);
            for (int i = 0; i < 20; i++)
            {
                write();
                a.seal(datagram, LENGTH);
                assertTrue(texts.add(HexFormat.of().formatHex(bytes(LENGTH), 48, LENGTH)));
            }
        }
    }

    @Test
    void shouldOpenNothingOfAnEarlierConnection()
    {
        write();
        final int length = a.seal(datagram, LENGTH);
        final byte[] old = bytes(length);
        connect(a, b, 1, 3);
        assertEquals(DatagramSeal.FORGED, b.open(resealed(old), length));
        write();
        assertEquals(LENGTH, b.open(datagram, a.seal(datagram, LENGTH)));
        handshake(FibnumaKind.CONFIRM, A_SESSION + 1, B_SESSION + 1, 1, 4);
        b.onConnection(new FibnumaHeaderFlyweight().wrap(datagram));
        assertEquals(DatagramSeal.OTHER_CONNECTION, b.open(resealed(old), length));
        assertEquals(DatagramSeal.OTHER_CONNECTION, new DatagramSeal(KEY, B, A).open(resealed(old), length));
    }

    @Test
    void shouldChangeKeysWithoutAWordAndOpenWhatTheNetworkReordersThere()
    {
        final DatagramSeal sender = new DatagramSeal(KEY, A, B, 4);
        final DatagramSeal receiver = new DatagramSeal(KEY, B, A, 4);
        connect(sender, receiver, 5, 6);
        connect(a, b, 5, 6);
        final List<byte[]> sealed = new ArrayList<>();
        int same = 0;
        for (int i = 0; i < 100; i++)
        {
            write();
            a.seal(datagram, LENGTH);
            final byte[] unchanged = bytes(LENGTH + DatagramSeal.OVERHEAD);
            write();
            sender.seal(datagram, LENGTH);
            sealed.add(bytes(LENGTH + DatagramSeal.OVERHEAD));
            same += Arrays.equals(unchanged, sealed.get(i)) ? 1 : 0;
        }
        assertEquals(15, same, "counters 1 to 15 have the first key");
        for (int i = 0; i < 100; i += 2)
        {
            assertEquals(LENGTH, receiver.open(resealed(sealed.get(i + 1)), sealed.get(i).length), "at " + i);
            assertEquals(LENGTH, receiver.open(resealed(sealed.get(i)), sealed.get(i).length), "at " + i);
        }
        assertEquals(DatagramSeal.REPLAYED, receiver.open(resealed(sealed.get(99)), sealed.get(99).length));
        connect(a, receiver, 7, 8);
        for (int i = 0; i < 40; i++)
        {
            write();
            a.seal(datagram, LENGTH);
        }
        assertEquals(DatagramSeal.FORGED, receiver.open(datagram, LENGTH + DatagramSeal.OVERHEAD), "two keys ahead");
    }

    @Test
    void shouldRefuseItsOwnDatagramsOtherKeysAndOtherPeers()
    {
        write();
        final int length = a.seal(datagram, LENGTH);
        assertEquals(DatagramSeal.OTHER_CONNECTION, a.open(datagram, length));
        final DatagramSeal other = new DatagramSeal(SealKey.parse("000102030405060708090a0b0c0d0e0e"), B, A);
        final DatagramSeal elsewhere = new DatagramSeal(KEY, B, B);
        final byte[] sealed = bytes(length);
        connect(a, other, 1, 2);
        assertEquals(DatagramSeal.FORGED, other.open(resealed(sealed), length));
        connect(a, elsewhere, 1, 2);
        assertEquals(DatagramSeal.FORGED, elsewhere.open(resealed(sealed), length));
        assertEquals(LENGTH, b.open(resealed(sealed), length));
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
    void shouldAllocateNoMoreThanMeasured()
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
            least = Math.min(least, (threads.getCurrentThreadAllocatedBytes() - before) / 5000);
        }
        assertTrue(least <= MAX_ALLOCATED, least + " bytes for a datagram sealed and opened");
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

    /** Connects two seals by a CONFIRM and a CONFIRMED. */
    private void connect(final DatagramSeal from, final DatagramSeal to, final long nonce, final long other)
    {
        handshake(FibnumaKind.CONFIRM, A_SESSION, B_SESSION, nonce, other);
        to.onConnection(new FibnumaHeaderFlyweight().wrap(datagram));
        handshake(FibnumaKind.CONFIRMED, B_SESSION, A_SESSION, other, nonce);
        from.onConnection(new FibnumaHeaderFlyweight().wrap(datagram));
    }

    private void handshake(
        final int kind, final int session, final int otherSession, final long nonce, final long otherNonce)
    {
        FrameMemory.zero(datagram, FibnumaHeaderFlyweight.HANDSHAKE_LENGTH);
        writer.wrap(datagram).start(kind).sessions(session, otherSession)
            .length(FibnumaHeaderFlyweight.NONCES_LENGTH, 0)
            .sourceNonce(nonce, ~nonce).destinationNonce(otherNonce, ~otherNonce)
            .finish(FibnumaHeaderFlyweight.NONCES_LENGTH);
    }

    /** Returns the nonces of {@link #connect()}, A's first, in the byte order of a datagram. */
    private static byte[] noncesOfA()
    {
        return ByteBuffer.allocate(32).order(ByteOrder.LITTLE_ENDIAN).putLong(1).putLong(~1L).putLong(2).putLong(~2L)
            .array();
    }

    private static byte[] hmac(final byte[] key, final byte[] text) throws Exception
    {
        final Mac mac = Mac.getInstance("HmacSHA256");
        mac.init(new SecretKeySpec(key, "HmacSHA256"));
        return mac.doFinal(text);
    }

    private static byte[] ascii(final String text)
    {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    private static byte[] concat(final byte[] first, final byte[] second)
    {
        return ByteBuffer.allocate(first.length + second.length).put(first).put(second).array();
    }

    private long resealed(final byte[] bytes)
    {
        FrameMemory.putBytes(datagram, bytes);
        return datagram;
    }

    private void write()
    {
        FrameMemory.zero(datagram, LENGTH);
        writer.wrap(datagram).start(FibnumaKind.DATA).sessions(A_SESSION, B_SESSION).epochs(3, 4)
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
