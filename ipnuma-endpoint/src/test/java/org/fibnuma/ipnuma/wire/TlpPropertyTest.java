package org.fibnuma.ipnuma.wire;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;

import java.util.List;
import java.util.Random;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

class TlpPropertyTest
{
    private static final int ROOM = 1472;
    private static final List<DatagramCodec> CODECS =
        List.of(new Ipnuma10gCodec(), new Ipnuma1gCodec(), new NetTlpCodec());

    /** Requests that are split and encoded are decoded to the same bytes, and no datagram is too long. */
    @Property(tries = 500)
    void shouldBringEveryByteOfAWrite(
        @ForAll @LongRange(max = (1L << 40) - 65536) final long remoteAddress,
        @ForAll @IntRange(min = 1, max = 9000) final int length,
        @ForAll @IntRange(min = 64, max = ROOM) final int maxPayload,
        @ForAll @IntRange(max = 2) final int format)
    {
        final DatagramCodec codec = CODECS.get(format);
        try (Payload payload = new Payload())
        {
            int done = 0;
            while (done < length)
            {
                final long from = remoteAddress + done;
                final int part = codec.writeLength(from, length - done, maxPayload);
                assertTrue(part >= 1 && part <= length - done, part + " of " + (length - done));
                assertEquals(from / 4096, (from + part - 1) / 4096, "crosses a boundary");
                final String data = data(part, from);
                final int encoded = codec.encodeWrite(payload.room(ROOM), from, payload.data(data), part);
                assertTrue(encoded <= maxPayload, encoded + " of " + maxPayload);

                final RecordingSink sink = new RecordingSink();
                assertEquals(1, codec.decode(payload.room(encoded), encoded, sink));
                assertEquals(List.of(String.format("write %x %s", from, data)), sink.lines);
                done += part;
            }
        }
    }

    @Property(tries = 500)
    void shouldAskForEveryByteOfARead(
        @ForAll @LongRange(max = (1L << 48) - 1) final long remoteAddress,
        @ForAll @IntRange(min = 1, max = 4096) final int wanted,
        @ForAll @IntRange(max = 255) final int tag)
    {
        final int length = TlpEncoder.nextLength(remoteAddress, wanted, TlpFlyweight.BOUNDARY);
        try (Payload payload = new Payload())
        {
            for (final DatagramCodec codec : List.of(CODECS.get(0), CODECS.get(2)))
            {
                final RecordingSink sink = new RecordingSink();
                final int encoded = codec.encodeRead(payload.room(ROOM), remoteAddress, length, tag);
                assertEquals(1, codec.decode(payload.room(encoded), encoded, sink));
                assertEquals(
                    List.of(String.format("read %x %d for 0 tag %x", remoteAddress, length, tag)), sink.lines);
            }
        }
    }

    @Property(tries = 500)
    void shouldCompleteReadsInPiecesThatEndOn64Bytes(
        @ForAll @LongRange(max = 1L << 40) final long remoteAddress,
        @ForAll @IntRange(min = 1, max = 4096) final int length,
        @ForAll @IntRange(min = 128, max = 4096) final int maxData)
    {
        int done = 0;
        while (done < length)
        {
            final long from = remoteAddress + done;
            final int part = TlpEncoder.nextCompletionLength(from, length - done, maxData);
            assertTrue(part >= 1 && part <= length - done);
            assertTrue(ByteEnables.lengthDw(from, part) * 4 <= maxData);
            assertTrue(done + part == length || (from + part) % 64 == 0);
            done += part;
        }
    }

    /** Compares all byte enables with bits counted one by one. */
    @Property(tries = 1)
    void shouldCountEnabledBytes()
    {
        for (int lengthDw = 1; lengthDw <= 3; lengthDw++)
        {
            for (int byteEnables = 0; byteEnables < 256; byteEnables++)
            {
                final boolean[] enabled = enabled(byteEnables, lengthDw);
                final int first = firstOf(enabled);
                final int last = lastOf(enabled);
                final boolean contiguous = contiguous(enabled, first, last);
                final boolean valid = lengthDw == 1 ?
                    byteEnables < 16 :
                    contiguous && first < 4 && last >= (lengthDw - 1) * 4;
                assertEquals(valid, ByteEnables.isValid(byteEnables, lengthDw), byteEnables + " of " + lengthDw);
                if (valid && first >= 0)
                {
                    assertEquals(first, ByteEnables.leading(byteEnables));
                    assertEquals(last - first + 1, ByteEnables.span(byteEnables, lengthDw));
                    assertEquals(!contiguous, lengthDw == 1 && ByteEnables.hasGap(byteEnables));
                    if (contiguous)
                    {
                        assertEquals(byteEnables, ByteEnables.of(first, last - first + 1));
                        assertEquals(lengthDw, ByteEnables.lengthDw(first, last - first + 1));
                    }
                }
            }
        }
    }

    private static boolean[] enabled(final int byteEnables, final int lengthDw)
    {
        final boolean[] enabled = new boolean[lengthDw * 4];
        for (int i = 0; i < enabled.length; i++)
        {
            final boolean inFirst = i < 4;
            final boolean inLast = lengthDw > 1 && i >= enabled.length - 4;
            enabled[i] = inFirst ? (byteEnables >> i & 1) == 1 : !inLast || (byteEnables >> 4 + i % 4 & 1) == 1;
        }
        return enabled;
    }

    private static int firstOf(final boolean[] enabled)
    {
        for (int i = 0; i < enabled.length; i++)
        {
            if (enabled[i])
            {
                return i;
            }
        }
        return -1;
    }

    private static int lastOf(final boolean[] enabled)
    {
        for (int i = enabled.length - 1; i >= 0; i--)
        {
            if (enabled[i])
            {
                return i;
            }
        }
        return -1;
    }

    private static boolean contiguous(final boolean[] enabled, final int first, final int last)
    {
        boolean contiguous = first >= 0;
        for (int i = Math.max(first, 0); i <= last; i++)
        {
            contiguous &= enabled[i];
        }
        return contiguous;
    }

    private static String data(final int length, final long seed)
    {
        final StringBuilder hex = new StringBuilder();
        final Random random = new Random(seed);
        for (int i = 0; i < length; i++)
        {
            hex.append(String.format("%02x", random.nextInt(256)));
        }
        return hex.toString();
    }
}
