package org.fibnuma.ipnuma.session;

import org.fibnuma.ipnuma.table.AccessStatus;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.zip.CRC32C;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * DATA byte by byte, as docs/ipnuma-protocol.md has it: what is not so takes effect neither whole nor in part, is
 * counted once, and does not hold up what comes behind it.
 */
class StrictReceiverTest
{
    private static final int ORDERED = 1;
    private static final int REQUESTS = 32;
    /** Stores 01 02 03 04 at 5:0000_0010. */
    private static final String WRITE = "60000001 0000000f 0000000500000010 01020304";
    /** Stores eight bytes at 5:0000_0ffc, four of them in the next page. */
    private static final String CROSSING = "60000002 000000ff 0000000500000ffc 0102030405060708";
    /** Stores 01 02 03 04 at 6:0000_0010. */
    private static final String ELSEWHERE = "60000001 0000000f 0000000600000010 01020304";

    private final TestNetwork network = new TestNetwork(4);
    private final TestPeer b = network.b;
    /** A datagram of the connection that A has sent. */
    private ByteBuffer sent;
    private int sequence;

    @BeforeEach
    void connect()
    {
        network.a.session.connect();
        network.runUntil(network::areBothUp, 1_000_000_000L);
        network.run(1_000_000);
        network.isPollingA = false;
        sent = ByteBuffer.wrap(network.toB.lastSent(72)).order(ByteOrder.LITTLE_ENDIAN);
        sequence = sent.getInt(20);
    }

    @AfterEach
    void closeNetwork()
    {
        network.close();
    }

    @ParameterizedTest
    @CsvSource({
        // A write that crosses 4 KiB, alone and behind a right one.
        "crosses-4-kib, 1, 5, 1, " + CROSSING,
        "crosses-4-kib, 2, 5, 1, " + WRITE + CROSSING,
        // Of two writes one is announced; of one write two; none of one; bytes that are no TLP behind one.
        "wrong-tlp-count, 1, 5, 1, " + WRITE + WRITE,
        "wrong-tlp-count, 2, 5, 1, " + WRITE,
        "wrong-tlp-count, 0, 5, 1, " + WRITE,
        "wrong-tlp-count, 1, 5, 1, " + WRITE + "00000000",
        // Fewer bytes than the length of the TLP.
        "wrong-tlp-count, 1, 5, 1, 60000002 000000ff 0000000500000010 01020304",
        // To another region than the header's, alone and behind a right one, and from a header without a region.
        "other-region, 1, 5, 1, " + ELSEWHERE,
        "other-region, 2, 5, 1, " + WRITE + ELSEWHERE,
        "other-region, 1, 0, 1, " + WRITE,
        // A read among writes; data marked as wrong; a digest; a gap.
        "malformed, 2, 5, 1, " + WRITE + "20000001 0000000f 0000000500000010 00000000",
        "malformed, 1, 5, 1, 60004001 0000000f 0000000500000010 01020304",
        "malformed, 1, 5, 1, 60008001 0000000f 0000000500000010 01020304 00000000",
        "malformed, 1, 5, 1, 60000001 00000005 0000000500000010 01020304",
        // Requests: a read and an atomic that cross, another region, a wrong number.
        "crosses-4-kib, 1, 5, 33, 20000002 000001ff 0000000500000ffc",
        "crosses-4-kib, 2, 5, 33, 6c000001 00000100 0000000500000010 01000000 " +
            "6c000002 00000200 0000000500000ffc 0100000000000000",
        "other-region, 1, 5, 33, 20000001 0000010f 0000000600000010",
        "wrong-tlp-count, 2, 5, 33, 20000001 0000010f 0000000500000010",
        "wrong-tlp-count, 0, 5, 33, 20000001 0000010f 0000000500000010",
        // An answer that nobody waits for.
        "malformed, 1, 0, 1, 4a000001 00000004 00000700 01020304"
    })
    void shouldTakeNothingOfADatagramThatIsNotRight(
        final String counter, final int count, final int region, final int flags, final String tlps)
    {
        final byte[] before = b.memory.bytes();
        inject(data(count, region, flags, tlps));
        assertArrayEquals(before, b.memory.bytes());
        for (final SessionCounter each : SessionCounter.values())
        {
            if (each.ordinal() >= SessionCounter.MALFORMED.ordinal() &&
                each.ordinal() <= SessionCounter.OTHER_REGION.ordinal())
            {
                assertEquals(each.label().equals(counter) ? 1 : 0, b.session.counter(each), each.label());
            }
        }
        assertTheNextIsTaken();
    }

    @Test
    void shouldTellThePeerOfAWriteThatCrosses()
    {
        inject(data(1, 5, ORDERED, CROSSING));
        final ByteBuffer error = ByteBuffer.wrap(network.toA.lastSent(72)).order(ByteOrder.LITTLE_ENDIAN);
        final boolean isError = error.get(3) == 9;
        assertTrue(isError, "kind " + error.get(3));
        assertEquals(0x5_0000_0FFCL, error.getLong(52));
        assertEquals(AccessStatus.OUT_OF_RANGE, error.getShort(62));
    }

    @Test
    void shouldDropADatagramWithTrailingBytesOrWithoutEndCode()
    {
        final byte[] right = data(1, 5, ORDERED, WRITE);
        final byte[] before = b.memory.bytes();
        inject(Arrays.copyOf(right, right.length + 1));
        inject(Arrays.copyOf(right, right.length + 4));
        inject(Arrays.copyOf(right, right.length - 4));
        final byte[] otherEnd = right.clone();
        otherEnd[right.length - 1] ^= 1;
        inject(otherEnd);
        assertArrayEquals(before, b.memory.bytes());
        assertEquals(4, b.session.counter(SessionCounter.DAMAGED));
        sequence--;
        assertTheNextIsTaken();
    }

    @Test
    void shouldTakeRequestsAndWritesThatAreRight()
    {
        inject(data(1, 5, ORDERED | REQUESTS, "6c000001 00000100 0000000500000020 07000000"));
        assertEquals(7, b.getInt(32));
        inject(data(2, 5, ORDERED, WRITE + "60000001 0000000f 0000000500000ffc 05060708"));
        assertEquals(0x0807_0605, b.getInt(0xFFC));
        assertTheNextIsTaken();
    }

    private void assertTheNextIsTaken()
    {
        inject(data(1, 5, ORDERED, WRITE));
        assertEquals(0x0403_0201, b.getInt(16));
    }

    private void inject(final byte[] datagram)
    {
        network.toB.inject(datagram, network.nowNs());
        network.step();
    }

    /** The next DATA of A's, with the sessions and epochs that A has sent, and the checksum of the JDK. */
    private byte[] data(final int count, final int region, final int flags, final String tlps)
    {
        final byte[] bytes = HexFormat.of().parseHex(tlps.replace(" ", ""));
        final ByteBuffer datagram = ByteBuffer.allocate(72 + bytes.length).order(ByteOrder.LITTLE_ENDIAN);
        datagram.put((byte)'F').put((byte)'N').put((byte)2).put((byte)3);
        datagram.putInt(sent.getInt(4)).putInt(sent.getInt(8)).putInt(sent.getInt(12)).putInt(sent.getInt(16));
        datagram.putInt(sequence++).putInt(sent.getInt(24)).putLong(0);
        datagram.putInt(0).putInt(0).putShort((short)256).put((byte)flags).put((byte)count);
        datagram.putInt(region).putLong(TestPeer.KEY).putShort((short)bytes.length).putShort((short)0);
        datagram.put(bytes);
        final CRC32C crc = new CRC32C();
        crc.update(datagram.array(), 0, datagram.position());
        datagram.putInt((int)crc.getValue());
        return datagram.put((byte)'F').put((byte)'E').put((byte)'N').put((byte)'D').array();
    }
}
