package org.fibnuma.binding.fpm;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;

/** Frames of zebra, FRR 8.4.4, on a little-endian machine: objects, a group, routes of both families, a change. */
final class SampleFrames
{
    private static final List<String> FRAMES = List.of(
        "0101 0034 30000000 6800 0105 00000000 00000000 " +
        "02000b00 00000000 08000100 0b000000 08000600 0a000002 08000500 03000000",
        "0101 0034 30000000 6800 0105 00000000 00000000 " +
        "02000b00 00000000 08000100 10000000 08000600 0a000102 08000500 02000000",
        "0101 0038 34000000 6800 0105 00000000 00000000 " +
        "00000b00 00000000 08000100 0f000000 14000200 0b000000 00000000 10000000 00000000",
        "0101 0038 34000000 1800 0105 00000000 00000000 " +
        "02180000 fec40001 00000000 08000100 c6130100 08000600 14000000 08001e00 0b000000",
        "0101 0064 2c000000 1900 0104 00000000 00000000 " +
        "02180000 fec40000 00000000 08000100 c6130100 08000600 14000000 34000000 1800 0105 00000000 00000000 " +
        "02180000 fec40001 00000000 08000100 c6130100 08000600 14000000 08001e00 0f000000",
        "0101 0040 3c000000 6800 0105 00000000 00000000 " +
        "0a000b00 00000000 08000100 13000000 14000600 20010db8000a00000000000000000002 08000500 03000000",
        "0101 0044 40000000 1800 0104 00000000 00000000 " +
        "0a300000 fec40001 00000000 14000100 20010db8009900000000000000000000 08000600 14000000 08001e00 13000000",
        "0101 0054 50000000 1800 0105 00000000 00000000 " +
        "02180000 fec40001 00000000 08000100 c6130400 08000600 14000000 24000900 " +
        "10000000 03000000 08000500 0a000002 10000000 02000000 08000500 0a000102",
        "0101 0030 2c000000 1900 0104 00000000 00000000 " +
        "02180000 fec40000 00000000 08000100 c6130100 08000600 14000000");

    private SampleFrames()
    {
    }

    static byte[] all()
    {
        final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        FRAMES.forEach(frame -> bytes.writeBytes(HexFormat.of().parseHex(frame.replaceAll("\\s", ""))));
        return bytes.toByteArray();
    }

    /** Replaces the length of a frame, message or attribute by another one near it, or by any. */
    static void changeALength(final byte[] bytes, final Random random)
    {
        final ByteBuffer buffer = ByteBuffer.wrap(bytes);
        final List<Integer> frames = new ArrayList<>();
        for (int offset = 0; offset < bytes.length; offset += buffer.getShort(offset + 2))
        {
            frames.add(offset);
        }
        final int frame = frames.get(random.nextInt(frames.size()));
        final int change = random.nextBoolean() ? random.nextInt(17) - 8 : random.nextInt();
        switch (random.nextInt(3))
        {
            case 0 -> buffer.putShort(frame + 2, (short)(buffer.getShort(frame + 2) + change));
            case 1 ->
            {
                buffer.order(ByteOrder.LITTLE_ENDIAN);
                buffer.putInt(frame + 4, buffer.getInt(frame + 4) + change);
            }
            default ->
            {
                buffer.order(ByteOrder.LITTLE_ENDIAN);
                final int attribute = frame + 4 + 16 + (buffer.get(frame + 8) == 0x68 ? 8 : 12);
                buffer.putShort(attribute, (short)(buffer.getShort(attribute) + change));
            }
        }
    }
}
