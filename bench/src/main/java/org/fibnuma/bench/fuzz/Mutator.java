package org.fibnuma.bench.fuzz;

import org.fibnuma.core.memory.FrameBounds;
import org.fibnuma.core.memory.FrameMemory;

import java.util.SplittableRandom;

/** Changes a datagram in place: flips bits, replaces bytes, writes edge values, moves parts or changes the length. */
final class Mutator
{
    /** Length of the longest datagram in bytes. */
    static final int MAX_LENGTH = 1472;

    private static final int HEADERS = 96;
    private static final int[] EDGES = {
        0, 1, 0x7F, 0x80, 0xFF, 0x3FF, 0x400, 0xFFF, 0x1000, 0xFFFF, 0x7FFF_FFFF, 0x8000_0000, -1, -4};

    private final SplittableRandom random;

    Mutator(final SplittableRandom random)
    {
        this.random = random;
    }

    /** Mutates a datagram and returns its length; one in four is not changed, one in 32 is replaced by random bytes. */
    int mutate(final long address, final int length)
    {
        final int choice = random.nextInt(32);
        if (choice < 8)
        {
            return length;
        }
        if (choice == 8)
        {
            return randomBytes(address, random.nextInt(MAX_LENGTH + 1));
        }
        int now = length;
        for (int i = 1 + random.nextInt(3); i > 0; i--)
        {
            now = change(address, now);
        }
        return now;
    }

    /** Writes random bytes and returns their number. */
    int randomBytes(final long address, final int length)
    {
        frame(address, length);
        fill(address, length);
        return length;
    }

    /** Registers the length of a datagram in its chunk, so that the bounds checks detect reads beyond its end. */
    static void frame(final long address, final int length)
    {
        if (FrameMemory.BOUNDS_CHECKS)
        {
            FrameBounds.frame(address, length);
        }
    }

    private int change(final long address, final int length)
    {
        if (length < Integer.BYTES)
        {
            return resize(address, length, random.nextInt(HEADERS));
        }
        switch (random.nextInt(8))
        {
            case 0, 1 -> flip(address + position(length, Byte.BYTES));
            case 2 -> FrameMemory.putByte(address + position(length, Byte.BYTES), random.nextInt());
            case 3 -> FrameMemory.putByte(address + position(length, Byte.BYTES), EDGES[random.nextInt(EDGES.length)]);
            case 4 -> FrameMemory.putIntBE(
                address + position(length, Integer.BYTES), EDGES[random.nextInt(EDGES.length)]);
            case 5 -> FrameMemory.putIntLE(
                address + position(length, Integer.BYTES), EDGES[random.nextInt(EDGES.length)]);
            case 6 -> move(address, length);
            default ->
            {
                return resize(address, length, random.nextInt(4) == 0 ?
                    random.nextInt(MAX_LENGTH + 1) :
                    Math.max(0, Math.min(MAX_LENGTH, length + random.nextInt(41) - 20)));
            }
        }
        return length;
    }

    private void flip(final long address)
    {
        FrameMemory.putByte(address, FrameMemory.getByte(address) ^ 1 << random.nextInt(Byte.SIZE));
    }

    private void move(final long address, final int length)
    {
        final int count = 1 + random.nextInt(Math.min(length, 32));
        FrameMemory.copy(address + position(length, count), address + position(length, count), count);
    }

    private int resize(final long address, final int length, final int wanted)
    {
        frame(address, wanted);
        if (wanted > length)
        {
            fill(address + length, wanted - length);
        }
        return wanted;
    }

    /** Returns a random position; half of the positions are in the headers. */
    private int position(final int length, final int width)
    {
        final int positions = length - width + 1;
        return random.nextInt(random.nextBoolean() ? Math.min(positions, HEADERS) : positions);
    }

    private void fill(final long address, final int length)
    {
        int offset = 0;
        for (; offset + Long.BYTES <= length; offset += Long.BYTES)
        {
            FrameMemory.putLong(address + offset, random.nextLong());
        }
        for (; offset < length; offset++)
        {
            FrameMemory.putByte(address + offset, random.nextInt());
        }
    }
}
