package org.fibnuma.ipnuma.wire.fibnuma;

import org.fibnuma.core.memory.FrameMemory;
import org.fibnuma.core.memory.MemoryRegion;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.zip.CRC32C;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Compares bytes with docs/ipnuma-protocol.md. */
class FibnumaHeaderTest
{
    private static final byte[] BEFORE_CRC = HexFormat.of().parseHex(
        "464e0203" + "04030201" + "14131211" + "24232221" + "34333231" + "44434241" + "54535251" +
        "6867666564636261" + "74737271" + "84838281" + "9291" + "13" + "01" + "03000000" + "a8a7a6a5a4a3a2a1" +
        "1400" + "0000" + "60000001" + "0000000f" + "00000003" + "00000040" + "deadbeef");

    private final MemoryRegion memory = MemoryRegion.ofBytes(256);

    @AfterEach
    void freeMemory()
    {
        memory.close();
    }

    @Test
    void shouldWriteTheBytesOfTheProtocol()
    {
        final long address = memory.address();
        FrameMemory.putBytes(
            address + FibnumaHeaderFlyweight.LENGTH, Arrays.copyOfRange(BEFORE_CRC, 64, BEFORE_CRC.length));
        new FibnumaHeaderWriter().wrap(address)
            .start(FibnumaKind.DATA)
            .sessions(0x0102_0304, 0x1112_1314)
            .epochs(0x2122_2324, 0x3132_3334)
            .sequence(0x4142_4344)
            .arrived(0x5152_5354, 0x6162_6364_6566_6768L, 0x9192)
            .times(0x7172_7374, 0x8182_8384)
            .flags(FibnumaFlags.ORDERED | FibnumaFlags.DOORBELL | FibnumaFlags.ECHO_VALID, 1)
            .region(3, 0xA1A2_A3A4_A5A6_A7A8L)
            .length(20, 0)
            .finish(20);
        final byte[] written = new byte[92];
        FrameMemory.getBytes(address, written);

        assertArrayEquals(datagram(), written);
    }

    @Test
    void shouldReadTheBytesOfTheProtocol()
    {
        FrameMemory.putBytes(memory.address(), datagram());
        final FibnumaHeaderFlyweight header = new FibnumaHeaderFlyweight().wrap(memory.address());

        assertTrue(header.isVersion2() && header.isIntact(header.tlpBytes()));
        assertEquals(FibnumaKind.DATA, header.kind());
        assertEquals(0x0102_0304, header.sourceSession());
        assertEquals(0x1112_1314, header.destinationSession());
        assertEquals(FibnumaHeaderFlyweight.pair(0x0102_0304, 0x1112_1314), header.sessions());
        assertEquals(0x2122_2324, header.sourceEpoch());
        assertEquals(0x3132_3334, header.destinationEpoch());
        assertEquals(FibnumaHeaderFlyweight.pair(0x2122_2324, 0x3132_3334), header.epochs());
        assertEquals(0x4142_4344, header.sequence());
        assertEquals(0x5152_5354, header.acknowledgement());
        assertEquals(0x6162_6364_6566_6768L, header.bitmap());
        assertEquals(0x7172_7374, header.timestamp());
        assertEquals(0x8182_8384, header.echo());
        assertEquals(0x9192, header.credits());
        assertEquals(0x13, header.flags());
        assertEquals(1, header.tlpCount());
        assertEquals(3, header.region());
        assertEquals(0xA1A2_A3A4_A5A6_A7A8L, header.key());
        assertEquals(20, header.tlpBytes());
        assertEquals(0, header.status());
    }

    @Test
    void shouldWriteAndReadTheNoncesOfTheProtocol()
    {
        final long address = memory.address();
        FrameMemory.zero(address, FibnumaHeaderFlyweight.HANDSHAKE_LENGTH);
        new FibnumaHeaderWriter().wrap(address).start(FibnumaKind.CONFIRM)
            .sourceNonce(0x0102_0304_0506_0708L, 0x1112_1314_1516_1718L)
            .destinationNonce(0x2122_2324_2526_2728L, 0x3132_3334_3536_3738L);
        final byte[] written = new byte[96];
        FrameMemory.getBytes(address, written);

        assertEquals("464e020a" + "00".repeat(60) + "0807060504030201" + "1817161514131211" + "2827262524232221" +
            "3837363534333231", HexFormat.of().formatHex(written));
        final FibnumaHeaderFlyweight header = new FibnumaHeaderFlyweight().wrap(address);
        final VerificationTag tag = new VerificationTag();
        tag.copySource(header);
        assertEquals(0x0102_0304_0506_0708L, tag.first());
        assertEquals(0x1112_1314_1516_1718L, tag.second());
        assertTrue(tag.isSource(header));
        assertFalse(tag.isDestination(header));
        assertEquals(104, FibnumaHeaderFlyweight.HANDSHAKE_LENGTH);
    }

    @Test
    void shouldNoticeEveryChangedBit()
    {
        final byte[] datagram = datagram();
        final FibnumaHeaderFlyweight header = new FibnumaHeaderFlyweight().wrap(memory.address());
        for (int bit = 0; bit < datagram.length * Byte.SIZE; bit++)
        {
            final byte[] changed = datagram.clone();
            changed[bit / Byte.SIZE] ^= (byte)(1 << bit % Byte.SIZE);
            FrameMemory.putBytes(memory.address(), changed);
            assertFalse(header.isIntact(20), "bit " + bit);
        }
    }

    private static byte[] datagram()
    {
        final CRC32C crc = new CRC32C();
        crc.update(BEFORE_CRC);
        return ByteBuffer.allocate(BEFORE_CRC.length + 8).order(ByteOrder.LITTLE_ENDIAN)
            .put(BEFORE_CRC).putInt((int)crc.getValue()).put(new byte[]{'F', 'E', 'N', 'D'}).array();
    }
}
