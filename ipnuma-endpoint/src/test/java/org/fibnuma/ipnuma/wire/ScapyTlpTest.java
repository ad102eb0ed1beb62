package org.fibnuma.ipnuma.wire;

import org.fibnuma.core.Require;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** TLP headers compared with scapy, which parses and builds them by bit fields of its own. */
class ScapyTlpTest
{
    private static final int COUNT = 400;
    private static final String DATA = "a1a2a3a4a5a6a7a8a9aaabacadaeafb0b1b2b3b4b5b6b7b8";

    @TempDir
    private static Path directory;

    private final Random random = new Random(20);
    private final Payload payload = new Payload();
    private final TlpEncoder encoder = new TlpEncoder();

    @BeforeAll
    static void requireScapy()
    {
        Require.scapy();
    }

    @AfterEach
    void close()
    {
        payload.close();
    }

    @Test
    void shouldWriteWhatScapyReads() throws Exception
    {
        final List<String> tlps = new ArrayList<>();
        final List<String> expected = new ArrayList<>();
        for (int i = 0; i < COUNT; i++)
        {
            final long remoteAddress = i % 2 == 0 ? random.nextLong() >>> 16 : random.nextInt() & 0xFFFF_FFFFL;
            final int length = TlpEncoder.nextLength(remoteAddress, 1 + random.nextInt(24), 4096);
            final int requester = random.nextInt(65536);
            final int tag = random.nextInt(256);
            final boolean isWrite = random.nextBoolean();
            final long at = payload.room(64);
            final int encoded = isWrite ?
                encoder.write(at, remoteAddress, payload.data(DATA), length, requester, tag) :
                encoder.read(at, remoteAddress, length, requester, tag);
            tlps.add(RecordingSink.hex(at, encoded));
            expected.add(request(remoteAddress, length, requester, tag, isWrite));
        }
        assertEquals(expected, scapy("read", tlps));
    }

    @Test
    void shouldWriteCompletionsThatScapyReads() throws Exception
    {
        final List<String> tlps = new ArrayList<>();
        final List<String> expected = new ArrayList<>();
        for (int i = 0; i < COUNT; i++)
        {
            final long remoteAddress = random.nextInt(4096);
            final int length = 1 + random.nextInt(16);
            final int remaining = length + random.nextInt(4097 - length);
            final int requester = random.nextInt(65536);
            final int tag = random.nextInt(256);
            final long at = payload.room(64);
            final int encoded = encoder.completionHeader(at, remoteAddress, length, remaining, requester, tag);
            final int lengthDw = (int)((remoteAddress & 3) + length + 3) / 4;
            assertEquals(12 + lengthDw * 4, encoded);
            tlps.add(RecordingSink.hex(at, 12));
            expected.add("2 10 " + lengthDw + " 0 0 " + remaining % 4096 + " " + requester + " " + tag + " " +
                remoteAddress % 128 + " ");
        }
        assertEquals(expected, scapy("read", tlps));
    }

    @Test
    void shouldReadWhatScapyBuilds() throws Exception
    {
        final List<String> fields = new ArrayList<>();
        final List<String> expected = new ArrayList<>();
        for (int i = 0; i < COUNT; i++)
        {
            final int length = random.nextInt(1024);
            final int id = random.nextInt(65536);
            final int tag = random.nextInt(256);
            if (i % 2 == 0)
            {
                final int isLong = random.nextInt(2);
                final int enables = random.nextInt(256);
                final long high = isLong * (random.nextInt() & 0xFFFF_FFFFL);
                final long low = random.nextInt(1 << 30);
                fields.add(isLong + " 0 " + length + " " + id + " " + tag + " " + (enables >> 4) + " " +
                    (enables & 15) + " " + high + " " + low);
                expected.add((isLong << 5) + " " + dws(length) + " " + id + " " + tag + " " + enables + " " +
                    Long.toUnsignedString(high << 32 | low << 2));
            }
            else
            {
                final int status = random.nextInt(8);
                final int count = random.nextInt(4096);
                final int lower = random.nextInt(128);
                fields.add("2 10 " + length + " 256 " + status + " " + count + " " + id + " " + tag + " " + lower);
                expected.add(0x4A + " " + dws(length) + " " + status + " " + (count == 0 ? 4096 : count) + " " + id +
                    " " + tag + " " + lower);
            }
        }
        final List<String> seen = new ArrayList<>();
        for (final String hex : scapy("build", fields))
        {
            seen.add(read(HexFormat.of().parseHex(hex)));
        }
        assertEquals(expected, seen);
    }

    private String read(final byte[] header)
    {
        final TlpFlyweight tlp = new TlpFlyweight().wrap(payload.of(header));
        final String start = tlp.type() + " " + tlp.lengthDw() + " ";
        return start + (TlpType.isCompletion(tlp.type()) ?
            tlp.status() + " " + tlp.byteCount() + " " + tlp.completionRequester() + " " + tlp.completionTag() + " " +
                tlp.lowerAddress() :
            tlp.requester() + " " + tlp.tag() + " " + tlp.byteEnables() + " " +
                Long.toUnsignedString(tlp.dwAddress()));
    }

    /** Returns the expected DWs byte by byte, the enabled bytes, and the data with zeros before and behind. */
    private static String request(
        final long remoteAddress, final int length, final int requester, final int tag, final boolean isWrite)
    {
        final long firstDw = remoteAddress / 4;
        final int lengthDw = (int)((remoteAddress + length - 1) / 4 - firstDw) + 1;
        final int[] enables = new int[lengthDw];
        final StringBuilder data = new StringBuilder("00".repeat(lengthDw * 4));
        for (int i = 0; i < length; i++)
        {
            final int position = (int)(remoteAddress % 4) + i;
            enables[position / 4] |= 1 << position % 4;
            data.replace(position * 2, position * 2 + 2, DATA.substring(i * 2, i * 2 + 2));
        }
        final int isLong = remoteAddress > 0xFFFF_FFFFL ? 1 : 0;
        return (isWrite ? 2 + isLong : isLong) + " 0 " + lengthDw + " " + requester + " " + tag + " " +
            (lengthDw > 1 ? enables[lengthDw - 1] : 0) + " " + enables[0] + " " + (remoteAddress >> 32) + " " +
            (firstDw & 0x3FFF_FFFF) + " " + (isWrite ? data : "");
    }

    private static int dws(final int length)
    {
        return length == 0 ? 1024 : length;
    }

    private static List<String> scapy(final String mode, final List<String> lines)
        throws IOException, InterruptedException
    {
        final Path script =
            Require.projectDirectory().resolve("ipnuma-endpoint/src/test/resources/scapy/tlp.py");
        final Path input = Files.write(Files.createTempFile(directory, "tlp", ".txt"), lines);
        final Path output = Files.createTempFile(directory, "tlp", ".out");
        final Process process = new ProcessBuilder("/usr/bin/python3", script.toString(), mode)
            .redirectInput(input.toFile()).redirectOutput(output.toFile())
            .redirectError(ProcessBuilder.Redirect.INHERIT).start();
        assertTrue(process.waitFor(60, TimeUnit.SECONDS));
        assertEquals(0, process.exitValue());
        return Files.readAllLines(output);
    }
}
