package org.fibnuma.core.port.pcap;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.fibnuma.core.UserException;

import java.io.IOException;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

import static org.junit.jupiter.api.Assertions.assertTrue;

class PcapReaderPropertyTest
{
    @Property(tries = 500)
    void shouldEndWithoutAnExceptionWhateverBytesAreChanged(
        @ForAll final boolean ng,
        @ForAll final boolean bigEndian,
        @ForAll @Size(min = 1, max = 6) final List<@IntRange(max = 400) Integer> places,
        @ForAll @Size(min = 6, max = 6) final List<Byte> values,
        @ForAll @IntRange(max = 40) final int cut) throws IOException
    {
        final ByteOrder order = bigEndian ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN;
        final byte[] whole = ng ? pcapng(order) : pcap(order);
        for (int i = 0; i < places.size(); i++)
        {
            whole[places.get(i) % whole.length] = values.get(i);
        }
        final byte[] bytes = Arrays.copyOf(whole, whole.length - cut);
        final Path file = Files.write(Files.createTempFile("mutated", ".pcap"), bytes);
        try (PcapReader reader = PcapReader.open(file))
        {
            int frames = 0;
            long length = 0;
            while (reader.next())
            {
                frames++;
                length += reader.capturedLength();
            }
            assertTrue(frames < bytes.length / 12 && length <= bytes.length);
        }
        catch (final UserException ex)
        {
            assertTrue(ex.getMessage().startsWith(file.toString()), ex.getMessage());
        }
        finally
        {
            Files.delete(file);
        }
    }

    private static byte[] pcap(final ByteOrder order)
    {
        return new CaptureBytes(order).pcapHeader(0xA1B2C3D4, 1).pcapRecord(CaptureBytes.frame(60, 1))
            .pcapRecord().pcapRecord(CaptureBytes.frame(70, 3)).toByteArray();
    }

    private static byte[] pcapng(final ByteOrder order)
    {
        return new CaptureBytes(order).section(new byte[8]).interfaceDescription(1, 64, new byte[8])
            .enhancedPacket(0, CaptureBytes.frame(61, 1), new byte[4]).simplePacket(60, CaptureBytes.frame(60, 2))
            .section().interfaceDescription(1, 0).obsoletePacket(0, CaptureBytes.frame(62, 3)).toByteArray();
    }
}
