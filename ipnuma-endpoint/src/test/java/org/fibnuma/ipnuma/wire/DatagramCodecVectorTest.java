package org.fibnuma.ipnuma.wire;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import java.util.HexFormat;
import java.util.List;

import static org.junit.jupiter.api.Assertions.assertEquals;

/** Datagrams byte by byte, each written by hand from the layouts of the formats, with spaces where a field ends. */
class DatagramCodecVectorTest
{
    private static final int ROOM = 1472;

    private final Payload payload = new Payload();
    private final RecordingSink sink = new RecordingSink();
    private final Ipnuma10gCodec tenGigabit = new Ipnuma10gCodec();
    private final Ipnuma1gCodec gigabit = new Ipnuma1gCodec();
    private final NetTlpCodec netTlp = new NetTlpCodec();

    @AfterEach
    void close()
    {
        payload.close();
    }

    @Test
    void shouldReadWhatThePrototypeSent10g()
    {
        // From the thesis's programs for the adapter: DW0 40000001, DW1 123401FF, address D0000000, data 307000F4 as
        // numbers, each with its lowest byte first. All eight byte enables are set although there is one DW.
        decode(tenGigabit, 1, "be9be955 0000 01000040 ff013412 000000d0 f4007030");
        // From the adapter's test bench: write with 64-bit address 11223344FD6C0100, data DWs 01234567 and 89ABCDEF.
        decode(tenGigabit, 1, "be9be955 0000 02000060 ff013412 44332211 00016cfd 67452301 efcdab89");

        assertEquals(List.of("write d0000000 307000f4", "write 11223344fd6c0100 0123456789abcdef"), sink.lines);
    }

    @Test
    void shouldWrite10g()
    {
        assertEquals(hex("be9be955 0000 01000040 0f000000 00016cfd ddccbbaa"),
            write(tenGigabit, 0xFD6C0100L, "aabbccdd"));
        // Region 3, offset 0x1008: an address above 2^32 takes four DWs.
        assertEquals(hex("be9be955 0000 02000060 ff000000 03000000 08100000 67452301 efcdab89"),
            write(tenGigabit, 0x3_0000_1008L, "0123456789abcdef"));
        // Five bytes from 0x1003: byte 3 of the first DW (enables 1000), all of the second (1111).
        assertEquals(hex("be9be955 0000 02000040 f8000000 00100000 d0000000 d4d3d2d1"),
            write(tenGigabit, 0x1003, "d0d1d2d3d4"));
        // Two bytes from 0x1001: enables 0110 of the only DW.
        assertEquals(hex("be9be955 0000 01000040 06000000 00100000 00e2e100"),
            write(tenGigabit, 0x1001, "e1e2"));
    }

    @Test
    void shouldRead10g()
    {
        assertEquals(hex("be9be955 0000 02000000 ff070000 00200000"),
            RecordingSink.hex(payload.room(ROOM), tenGigabit.encodeRead(payload.room(ROOM), 0x2000, 8, 7)));
        decode(tenGigabit, 1, "be9be955 0000 02000000 ff073412 00200000");

        assertEquals(List.of("read 2000 8 for 1234 tag 7"), sink.lines);
    }

    @Test
    void shouldReadWhatThePrototypeSent1g()
    {
        // Short address: 81, all byte enables, D0000000, the bytes 01 02 03 04, end.
        decode(gigabit, 1, "a1110000 81 ff d0000000 01020304 00");
        // Long address of five bytes: C1.
        decode(gigabit, 1, "a1110000 c1 ff 01d0000010 a1a2a3a4 00");
        // Two writes in one datagram, the second with the last three bytes of the first DW and the first of the last.
        decode(gigabit, 2, "a1110000 81 0f 00001000 b1b2b3b4 82 1e 00001ff8 00c1c2c3 c4000000 00");

        assertEquals(
            List.of("write d0000000 01020304", "write 1d0000010 a1a2a3a4", "write 1000 b1b2b3b4",
                "write 1ff9 c1c2c3c4"),
            sink.lines);
    }

    @Test
    void shouldWrite1g()
    {
        assertEquals(hex("a1110000 81 0f d0000000 01020304 00"), write(gigabit, 0xD0000000L, "01020304"));
        assertEquals(hex("a1110000 c1 0f 01d0000010 a1a2a3a4 00"), write(gigabit, 0x1D0000010L, "a1a2a3a4"));
        assertEquals(hex("a1110000 82 1e 00001ff8 00c1c2c3 c4000000 00"), write(gigabit, 0x1FF9, "c1c2c3c4"));
        assertEquals(0, gigabit.writeLength(1L << 40, 4, ROOM));
        assertEquals(252, gigabit.writeLength(0, 4096, ROOM));
        assertEquals(249, gigabit.writeLength(3, 4096, ROOM));
    }

    @Test
    void shouldPutSeveralWritesInOneDatagram1g()
    {
        final long room = payload.room(ROOM);
        final long data = payload.data("01020304a1");
        int used = gigabit.appendWrite(room, Ipnuma1gCodec.LIST_OFFSET, 0x10, data, 4);
        used = gigabit.appendWrite(room, used, 0x100000020L, data + 4, 1);

        assertEquals(hex("a1110000 81 0f 00000010 01020304 c1 01 0100000020 a1000000 00"),
            RecordingSink.hex(room, gigabit.closeList(room, used)));
    }

    @Test
    void shouldReadWhatLibTlpSends()
    {
        // dma_write of 8 bytes at 0x1000 with requester 1A00, tag 2: header 40, TC 00, length 2; requester, tag,
        // enables FF; address; data. The sequence number and the timestamp are zeros.
        decode(netTlp, 1, "0000 00000000 40 00 0002 1a00 02 ff 00001000 0102030405060708");
        // dma_read of 5 bytes at 0x3_00001002: two DWs, two bytes of the first and three of the last.
        decode(netTlp, 1, "0000 00000000 20 00 0002 1a00 03 7c 00000003 00001000");

        assertEquals(List.of("write 1000 0102030405060708", "read 300001002 5 for 1a00 tag 3"), sink.lines);
    }

    @Test
    void shouldWriteAndCountForNetTlp()
    {
        assertEquals(hex("0000 00000000 60 00 0001 0000 00 0f 00000003 00000010 01020304"),
            write(netTlp, 0x3_0000_0010L, "01020304"));
        assertEquals(hex("0001 00000000 40 00 0001 0000 00 08 00000010 00000009"), write(netTlp, 0x13, "09"));
    }

    @Test
    void shouldReadCompletions()
    {
        // Completer 0100, status 0, byte count 5; requester 1A00, tag 3, lower address 02: two bytes of the first DW.
        decode(netTlp, 1, "0000 00000000 4a 00 0002 0100 0005 1a00 03 02 0000d1d2 d3d4d500");
        // Unsupported request (001 in the high three bits), no data.
        decode(netTlp, 1, "0000 00000000 0a 00 0000 0100 2004 1a00 04 00");
        // Byte count 0 stands for 4,096 in this completion and those after it; this one contains one DW.
        decode(netTlp, 1, "0000 00000000 4a 00 0001 0100 0000 1a00 05 00 01020304");

        assertEquals(
            List.of("completion tag 3 status 0 5 d1d2d3d4d5", "completion tag 4 status 1 4 ",
                "completion tag 5 status 0 4096 01020304"),
            sink.lines);
    }

    @Test
    void shouldReadAtomics()
    {
        decode(netTlp, 1, "0000 00000000 4c 00 0001 1a00 01 0f 00000010 05000000");
        decode(netTlp, 1, "0000 00000000 6d 00 0002 1a00 02 ff 00000003 00000010 0102030405060708");
        decode(netTlp, 1, "0000 00000000 4e 00 0002 1a00 03 ff 00000010 01000000 02000000");
        // Compare and swap of sixteen bytes is not supported, but answered.
        decode(netTlp, 1, "0000 00000000 4e 00 0008 1a00 04 ff 00000010" + "00".repeat(32));

        assertEquals(
            List.of("atomic 4c 10 5 0 4 for 1a00 tag 1",
                "atomic 4d 300000010 807060504030201 0 8 for 1a00 tag 2",
                "atomic 4e 10 2 1 4 for 1a00 tag 3",
                "unsupported for 1a00 tag 4"),
            sink.lines);
    }

    @Test
    void shouldTakeGapsAndEmptyWritesAndFlushes()
    {
        decode(netTlp, 1, "0000 00000000 40 00 0001 1a00 01 0a 00000010 00a100a3");
        decode(netTlp, 1, "0000 00000000 40 00 0001 1a00 01 00 00000010 01020304");
        decode(netTlp, 1, "0000 00000000 00 00 0001 1a00 01 00 00000010");

        assertEquals(
            List.of("write 11 a1", "write 13 a3", "write 10 ", "read 10 0 for 1a00 tag 1"), sink.lines);
    }

    @Test
    void shouldAnswerRequestsThatWaitAndIgnoreThoseThatDoNot()
    {
        // An I/O read is answered; a message and a locked completion are not.
        decode(netTlp, 1, "0000 00000000 02 00 0001 1a00 01 0f 00000010");
        decode(netTlp, TlpFault.UNKNOWN_TYPE, "0000 00000000 34 00 0000 1a00 01 00 00000000 00000000");
        decode(netTlp, TlpFault.UNKNOWN_TYPE, "0000 00000000 0b 00 0000 0100 0004 1a00 01 00");

        assertEquals(List.of("unsupported for 1a00 tag 1"), sink.lines);
    }

    @Test
    void shouldRefuseWhatIsNotRight()
    {
        decode(tenGigabit, TlpFault.BAD_MAGIC, "be9be9");
        decode(tenGigabit, TlpFault.BAD_MAGIC, "be9be954 0000 01000040 0f000000 00016cfd ddccbbaa");
        decode(tenGigabit, TlpFault.BAD_MAGIC, "be9be955 0001 01000040 0f000000 00016cfd ddccbbaa");
        decode(tenGigabit, TlpFault.TRUNCATED, "be9be955 0000 01000040 0f000000 00016cfd ddccbb");
        decode(tenGigabit, TlpFault.TRUNCATED, "be9be955 0000 00000040 ff000000 00016cfd ddccbbaa");
        decode(netTlp, TlpFault.TRUNCATED, "");
        decode(netTlp, TlpFault.TRUNCATED, "0000 00000000 60 00 0000 1a00 01 ff 00000000");
        // Last byte enables with one DW, none with two, a gap in the first of two.
        decode(netTlp, TlpFault.BAD_BYTE_ENABLES, "0000 00000000 40 00 0001 1a00 01 1f 00000010 01020304");
        decode(netTlp, TlpFault.BAD_BYTE_ENABLES, "0000 00000000 00 00 0002 1a00 01 0f 00000010");
        decode(netTlp, TlpFault.BAD_BYTE_ENABLES, "0000 00000000 00 00 0002 1a00 01 f5 00000010");
        decode(netTlp, TlpFault.BAD_BYTE_ENABLES, "0000 00000000 00 00 0002 1a00 01 8f 00000010");
        decode(netTlp, TlpFault.CROSSES_BOUNDARY, "0000 00000000 00 00 0002 1a00 01 ff 00000ffc");
        decode(netTlp, TlpFault.POISONED, "0000 00000000 40 00 4001 1a00 01 0f 00000010 01020304");
        decode(gigabit, TlpFault.BAD_MAGIC, "a11100");
        decode(gigabit, TlpFault.NO_END_CODE, "a1110000");
        decode(gigabit, TlpFault.NO_END_CODE, "a1110000 81 0f 00001000 b1b2b3b4");
        decode(gigabit, TlpFault.TRAILING_BYTES, "a1110000 81 0f 00001000 b1b2b3b4 00 00");
        decode(tenGigabit, TlpFault.TRAILING_BYTES, "be9be955 0000 01000040 0f000000 00016cfd ddccbbaa 00");
        decode(tenGigabit, TlpFault.TRAILING_BYTES, "be9be955 0000 01000040 0f000000 00016cfd ddccbbaa 00000000");
        decode(tenGigabit, TlpFault.CROSSES_BOUNDARY, "be9be955 0000 02000040 ff000000 fc0f0000 04030201 08070605");
        decode(netTlp, TlpFault.TRAILING_BYTES, "0000 00000000 40 00 0001 1a00 01 0f 00000010 01020304 00");
        decode(netTlp, TlpFault.TRAILING_BYTES, "0000 00000000 00 00 0001 1a00 01 0f 00000010 00000000");
        decode(netTlp, TlpFault.CROSSES_BOUNDARY, "0000 00000000 40 00 0002 1a00 01 ff 00000ffc 0102030405060708");
        decode(gigabit, TlpFault.TRUNCATED, "a1110000 81 0f 00001000 b1b2b3");
        decode(gigabit, TlpFault.BAD_LENGTH, "a1110000 80 0f 00001000 00");
        decode(gigabit, TlpFault.UNKNOWN_TYPE, "a1110000 01 0f 00001000 00");
        decode(gigabit, TlpFault.CROSSES_BOUNDARY, "a1110000 82 ff 00001ffc 0102030405060708 00");

        assertEquals(List.of(), sink.lines);
    }

    @Test
    void shouldTakeNothingOfAListWithAFault()
    {
        decode(gigabit, TlpFault.TRUNCATED, "a1110000 81 0f 00001000 b1b2b3b4 81");
        decode(gigabit, TlpFault.NO_END_CODE, "a1110000 81 0f 00001000 b1b2b3b4 81 0f 00001004 b1b2b3b4");
        decode(gigabit, TlpFault.CROSSES_BOUNDARY,
            "a1110000 81 0f 00001000 b1b2b3b4 82 ff 00001ffc 0102030405060708 00");

        assertEquals(List.of(), sink.lines);
    }

    private void decode(final DatagramCodec codec, final int expected, final String datagram)
    {
        final byte[] bytes = HexFormat.of().parseHex(hex(datagram));
        final int result = codec.decode(payload.of(bytes), bytes.length, sink);
        assertEquals(expected, result, datagram + " " + sink.lines);
    }

    private String write(final DatagramCodec codec, final long remoteAddress, final String data)
    {
        final int length = data.length() / 2;
        assertEquals(length, codec.writeLength(remoteAddress, length, ROOM));
        final int encoded = codec.encodeWrite(payload.room(ROOM), remoteAddress, payload.data(data), length);
        return RecordingSink.hex(payload.room(encoded), encoded);
    }

    private static String hex(final String spaced)
    {
        return spaced.replace(" ", "");
    }
}
