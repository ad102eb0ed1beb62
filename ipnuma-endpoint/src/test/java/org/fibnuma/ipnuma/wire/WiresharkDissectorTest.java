package org.fibnuma.ipnuma.wire;

import org.fibnuma.core.Require;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.TimeUnit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Checks what tshark prints for datagrams written by hand, with the dissector of this module. */
class WiresharkDissectorTest
{
    /** Kind DATA, a write of 8 bytes to region 3, offset 0x1008, flags ordered and echo valid. */
    private static final String FIBNUMA_DATA =
        "464e0203" + "44332211" + "88776655" + "05000000" + "06000000" + "0a000000" + "09000000" +
        "0500000000000000" + "00010000" + "ff000000" + "8000" + "11" + "01" + "03000000" + "efcdab8967452301" +
        "1800" + "0000" +
        "60000002" + "000000ff" + "00000003" + "00001008" + "0102030405060708" + "d4c3b2a1" + "46454e44";
    /** Kind ERROR, wrong key, refused address region 3 offset 0x10, no TLPs. */
    private static final String FIBNUMA_ERROR =
        "464e0209" + "44332211" + "88776655" + "05000000" + "06000000" + "00000000" + "09000000" +
        "0000000000000000" + "00010000" + "00000000" + "8000" + "00" + "00" + "00000000" + "1000000003000000" +
        "0000" + "0400" + "d4c3b2a1" + "46454e44";

    @TempDir
    private static Path directory;

    @BeforeAll
    static void requireTshark()
    {
        Require.program("tshark", "tshark");
    }

    @Test
    void shouldShowAFibnumaWrite() throws Exception
    {
        assertEquals("3|0x11223344|0x55667788|5|6|10|9|0x0000000000000005|256|255|128|1|0|1|0|1|3|" +
            "0x0123456789abcdef|24|0x60|2|0x0f|0x0f|0x0000000300001008|3|0x00001008|0102030405060708|0xa1b2c3d4|FEND",
            show(3422, FIBNUMA_DATA, "fibnuma.kind", "fibnuma.source_session", "fibnuma.destination_session",
                "fibnuma.source_epoch", "fibnuma.destination_epoch", "fibnuma.sequence", "fibnuma.acknowledgement",
                "fibnuma.bitmap", "fibnuma.timestamp", "fibnuma.echo", "fibnuma.credits", "fibnuma.flags.ordered",
                "fibnuma.flags.doorbell", "fibnuma.flags.echo_valid", "fibnuma.flags.sealed", "fibnuma.tlp_count",
                "fibnuma.region", "fibnuma.key", "fibnuma.tlp_bytes", "pcietlp.type", "pcietlp.length",
                "pcietlp.last_be", "pcietlp.first_be", "pcietlp.address", "pcietlp.region", "pcietlp.offset",
                "pcietlp.data", "fibnuma.crc", "fibnuma.end"));
    }

    @Test
    void shouldShowWhyAWriteWasRefused() throws Exception
    {
        assertEquals("9|4|0x0000000300000010|ERROR seq 0 ack 9", show(3422, FIBNUMA_ERROR,
            "fibnuma.kind", "fibnuma.status", "fibnuma.refused_address", "_ws.col.Info"));
    }

    @Test
    void shouldShowTheHandshakeSealedAndNot() throws Exception
    {
        final String nonces = "a1".repeat(16) + "b2".repeat(16);
        final String confirm = "464e020a" + FIBNUMA_ERROR.substring(8, 96) + "00000000" + "00".repeat(8) + "2000" +
            "0000" + nonces + "d4c3b2a1" + "46454e44";
        assertEquals("10|" + "a1".repeat(16) + "|" + "b2".repeat(16) + "|FEND|CONFIRM seq 0 ack 9", show(3422, confirm,
            "fibnuma.kind", "fibnuma.source_nonce", "fibnuma.destination_nonce", "fibnuma.end", "_ws.col.Info"));
        final String sealed = confirm.substring(0, 92) + "0800" + confirm.substring(96) + "00".repeat(8) +
            "7a".repeat(16);
        assertEquals("10|" + "a1".repeat(16) + "|" + "7a".repeat(16) + "|CONFIRM seq 0 ack 9, authenticated",
            show(3422, sealed, "fibnuma.kind", "fibnuma.source_nonce", "fibnuma.auth_tag", "_ws.col.Info"));
    }

    @Test
    void shouldShowWhatASealLeavesReadable() throws Exception
    {
        // Flags ordered and sealed; 24 bytes encrypted, then the counter 0x0807060504030201 and a tag.
        final String encrypted = "e0".repeat(24);
        final String tag = "7a".repeat(16);
        final String sealed = FIBNUMA_ERROR.substring(0, 92) + "0900" + encrypted + "0102030405060708" + tag;
        assertEquals("9|0x44332211|1|1|" + encrypted + "|578437695752307201|" + tag + "|||ERROR seq 0 ack 9, sealed",
            show(3422, sealed.replaceFirst("44332211", "11223344"), "fibnuma.kind", "fibnuma.source_session",
                "fibnuma.flags.ordered", "fibnuma.flags.sealed", "fibnuma.encrypted", "fibnuma.counter",
                "fibnuma.auth_tag", "fibnuma.region", "fibnuma.truncated", "_ws.col.Info"));
        assertEquals("1", show(3422, sealed.substring(0, sealed.length() - 2), "fibnuma.truncated"));
    }

    @Test
    void shouldSeeDatagramsThatAreCutOff() throws Exception
    {
        final String kinds = "fibnuma.kind,fibnuma.truncated,pcietlp.truncated,ipnuma1g.truncated";
        assertEquals("3|1||", show(3422, FIBNUMA_DATA.substring(0, FIBNUMA_DATA.length() - 8), kinds.split(",")));
        assertEquals("||1|", show(3422, "be9be955 0000 02000060 ff000000 03000000", kinds.split(",")));
        assertEquals("|||1", show(3422, "a1110000 82 ff 00001000 01020304 00", kinds.split(",")));
    }

    @Test
    void shouldShowAWriteOfTheTenGigabitAdapter() throws Exception
    {
        assertEquals("be9be955|0x40|1|0x1234|1|0x0f|0x0f|0x00000000fd6c0100|aabbccdd", show(3422,
            "be9be955 0000 01000040 ff013412 00016cfd ddccbbaa", "ipnuma10g.magic", "pcietlp.type",
            "pcietlp.length", "pcietlp.requester", "pcietlp.tag", "pcietlp.last_be", "pcietlp.first_be",
            "pcietlp.address", "pcietlp.data"));
    }

    @Test
    void shouldShowTheWritesOfTheGigabitAdapter() throws Exception
    {
        assertEquals("0x81,0xc1|1,1|0,1|0x0f,0xff|0x00000000d0000000,0x00000001d0000010|01020304,a1a2a3a4|0x00",
            show(3422, "a1110000 81 0f d0000000 01020304 c1 ff 01d0000010 a1a2a3a4 00", "ipnuma1g.command",
                "ipnuma1g.length", "ipnuma1g.long", "ipnuma1g.byte_enables", "ipnuma1g.address", "ipnuma1g.data",
                "ipnuma1g.end"));
    }

    @Test
    void shouldShowACompletionOfNetTlp() throws Exception
    {
        assertEquals("5|0x4a|2|0x0100|0|5|0x1a00|3|0x02|0000d1d2d3d4d500|CplD tag 3 successful 2 DW", show(0x3003,
            "0005 00000000 4a 00 0002 0100 0005 1a00 03 02 0000d1d2 d3d4d500", "nettlp.sequence", "pcietlp.type",
            "pcietlp.length", "pcietlp.completer", "pcietlp.status", "pcietlp.byte_count", "pcietlp.requester",
            "pcietlp.tag", "pcietlp.lower_address", "pcietlp.data", "_ws.col.Info"));
    }

    private static String show(final int port, final String datagram, final String... fields) throws Exception
    {
        final Path capture = Files.createTempFile(directory, "datagram", ".pcap");
        Files.write(capture, capture(port, HexFormat.of().parseHex(datagram.replace(" ", ""))));
        final Path script = Require.projectDirectory().resolve("ipnuma-endpoint/src/main/lua/fibnuma.lua");
        final List<String> command = new ArrayList<>(List.of(
            "tshark", "-X", "lua_script:" + script, "-r", capture.toString(), "-T", "fields", "-E", "separator=|"));
        for (final String field : fields)
        {
            command.add("-e");
            command.add(field);
        }
        return run(command);
    }

    private static String run(final List<String> command) throws IOException, InterruptedException
    {
        final Path errors = Files.createTempFile(directory, "tshark", ".txt");
        final Process process = new ProcessBuilder(command).redirectError(errors.toFile()).start();
        final String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertTrue(process.waitFor(30, TimeUnit.SECONDS));
        assertEquals(0, process.exitValue(), Files.readString(errors));
        return output.strip();
    }

    /** A capture file with one frame: headers by hand, checksums 0. */
    private static byte[] capture(final int port, final byte[] payload)
    {
        final int udpLength = 8 + payload.length;
        final int frameLength = 14 + 20 + udpLength;
        final ByteBuffer file = ByteBuffer.allocate(24 + 16 + frameLength).order(ByteOrder.LITTLE_ENDIAN);
        file.putInt(0xA1B2C3D4).putShort((short)2).putShort((short)4).putInt(0).putInt(0).putInt(65535).putInt(1);
        file.putInt(1).putInt(0).putInt(frameLength).putInt(frameLength);
        file.order(ByteOrder.BIG_ENDIAN);
        file.put(HexFormat.of().parseHex("020000000002" + "020000000001" + "0800" + "4500"));
        file.putShort((short)(20 + udpLength)).put(HexFormat.of().parseHex("00004000" + "4011" + "0000"));
        file.put(HexFormat.of().parseHex("0a090001" + "0a090002"));
        file.putShort((short)port).putShort((short)port).putShort((short)udpLength).putShort((short)0);
        file.put(payload);
        return file.array();
    }
}
