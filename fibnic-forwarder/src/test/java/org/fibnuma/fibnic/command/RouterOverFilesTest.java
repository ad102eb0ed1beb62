package org.fibnuma.fibnic.command;

import org.agrona.concurrent.SystemEpochNanoClock;
import org.fibnuma.core.memory.FrameMemory;
import org.fibnuma.core.memory.MemoryRegion;
import org.fibnuma.core.port.pcap.PcapReader;
import org.fibnuma.core.port.pcap.PcapWriter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

/** A router between capture files forwards what is in them and ends. Frames in and out were built by scapy. */
@Timeout(60)
class RouterOverFilesTest
{
    private static final String RECEIVED =
        "0200000000010200000000110800" +
        "4500002e000100004011aeb0" + "0a000009c0000205" +
        "03e807d0001ac45f" + "6669626e756d61206f7665722066696c6573";
    private static final String FORWARDED =
        "0200000000220200000000020800" +
        "4500002e000100003f11afb0" + "0a000009c0000205" +
        "03e807d0001ac45f" + "6669626e756d61206f7665722066696c6573";
    private static final String FROM_LOOPBACK =
        "0200000000010200000000110800" +
        "4500002e00010000401139b0" + "7f000009c0000205" +
        "03e807d0001a64b9" + "6d61727469616e2c2064726f707065642e2e";
    private static final int FRAMES = 5000;

    @TempDir
    private Path directory;

    @Test
    void shouldForwardEveryFrameOfACaptureAndEnd() throws IOException
    {
        final Path in = directory.resolve("in.pcap");
        final Path out = directory.resolve("out.pcap");
        final Path back = directory.resolve("back.pcap");
        write(in);
        final Path config = Files.writeString(directory.resolve("r.toml"), String.join("\n",
            "[router]",
            "name = \"files-" + ProcessHandle.current().pid() + "\"",
            "control = \"static\"",
            "[[port]]",
            "name = \"left\"",
            "device = \"pcap:" + in + "," + back + "\"",
            "address = [\"10.0.0.1/24\"]",
            "mac = \"02:00:00:00:00:01\"",
            "[[port]]",
            "name = \"right\"",
            "device = \"pcap:," + out + "\"",
            "address = [\"10.0.1.1/24\"]",
            "mac = \"02:00:00:00:00:02\"",
            "[[route]]",
            "prefix = \"192.0.2.0/24\"",
            "via = \"10.0.1.2\"",
            "[[neighbor]]",
            "address = \"10.0.1.2\"",
            "mac = \"02:00:00:00:00:22\""));

        assertEquals(0, FibnumaCommand.commandLine().execute("router", "-c", config.toString()));

        final List<String> forwarded = read(out);
        assertEquals(FRAMES, forwarded.size());
        forwarded.forEach(frame -> assertEquals(FORWARDED, frame));
        assertEquals(List.of(), read(back));
    }

    private static void write(final Path file)
    {
        try (MemoryRegion region = MemoryRegion.ofBytes(256);
            PcapWriter writer = PcapWriter.create(file, new SystemEpochNanoClock()))
        {
            for (int i = 0; i < FRAMES; i++)
            {
                for (final String hex : new String[]{RECEIVED, FROM_LOOPBACK})
                {
                    final byte[] frame = HexFormat.of().parseHex(hex);
                    FrameMemory.putBytes(region.address(), frame);
                    writer.write(region.address(), frame.length);
                }
            }
        }
    }

    private static List<String> read(final Path file)
    {
        final List<String> frames = new ArrayList<>();
        try (MemoryRegion region = MemoryRegion.ofBytes(2048); PcapReader reader = PcapReader.open(file))
        {
            while (reader.next())
            {
                reader.copyTo(region.address());
                final byte[] frame = new byte[reader.capturedLength()];
                FrameMemory.getBytes(region.address(), frame);
                frames.add(HexFormat.of().formatHex(frame));
            }
            assertNull(reader.problem());
        }
        return frames;
    }
}
