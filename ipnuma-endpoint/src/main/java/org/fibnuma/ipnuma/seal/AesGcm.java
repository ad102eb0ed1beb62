package org.fibnuma.ipnuma.seal;

import org.fibnuma.core.memory.FrameMemory;

import java.nio.ByteOrder;

/**
 * AES-GCM with a 96-bit nonce and a 128-bit tag (NIST SP 800-38D, 7.1 and 7.2) on native memory, in place and without
 * allocation. One thread.
 */
final class AesGcm
{
    static final int TAG_LENGTH = 16;

    private static final boolean LITTLE_ENDIAN = ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN;
    private static final int BLOCK = AesBlocks.BLOCK;
    private static final int BLOCK_MASK = BLOCK - 1;
    private static final int BLOCK_SHIFT = 4;
    /** Counter of the block that masks the tag; the text begins with the next. */
    private static final int TAG_COUNTER = 1;

    private final AesBlocks blocks;
    private final Ghash ghash;
    private final int maxTextLength;
    private long nonceLow;
    private int nonceHigh;

    /**
     * @param key           16 or 32 bytes.
     * @param maxTextLength in bytes.
     */
    AesGcm(final byte[] key, final int maxTextLength)
    {
        this.maxTextLength = maxTextLength;
        this.blocks = new AesBlocks(key, 1 + (maxTextLength + BLOCK_MASK >> BLOCK_SHIFT));
        blocks.zero();
        this.ghash = new Ghash(blocks.word(0), blocks.word(Long.BYTES));
    }

    /** Of the next seal or open; its 12 bytes are these in network order, and never the same twice for sealing. */
    void nonce(final int high, final long low)
    {
        nonceHigh = high;
        nonceLow = low;
    }

    /** Encrypts the text in place and stores its tag. */
    void seal(
        final long associated, final int associatedLength, final long text, final int textLength, final long tag)
    {
        requireLength(textLength);
        blocks.make(nonceHigh, nonceLow, TAG_COUNTER, 1 + (textLength + BLOCK_MASK >> BLOCK_SHIFT));
        cover(text, textLength, BLOCK);
        hash(associated, associatedLength, text, textLength);
        putWord(tag, blocks.word(0) ^ ghash.high());
        putWord(tag + Long.BYTES, blocks.word(Long.BYTES) ^ ghash.low());
    }

    /** Where the tag is that of associated data and text, decrypts the text in place; else changes nothing. */
    boolean open(
        final long associated, final int associatedLength, final long text, final int textLength, final long tag)
    {
        requireLength(textLength);
        blocks.make(nonceHigh, nonceLow, TAG_COUNTER, 1);
        hash(associated, associatedLength, text, textLength);
        // All 128 bits are compared at once: no time depends on how many of them agree.
        final long differences = (getWord(tag) ^ blocks.word(0) ^ ghash.high()) |
            (getWord(tag + Long.BYTES) ^ blocks.word(Long.BYTES) ^ ghash.low());
        if (differences != 0)
        {
            return false;
        }
        blocks.make(nonceHigh, nonceLow, TAG_COUNTER + 1, textLength + BLOCK_MASK >> BLOCK_SHIFT);
        cover(text, textLength, 0);
        return true;
    }

    private void requireLength(final int textLength)
    {
        if (textLength < 0 || textLength > maxTextLength)
        {
            throw new IllegalArgumentException(textLength + " bytes; at most " + maxTextLength + " can be sealed");
        }
    }

    /** Adds the key stream to the text. */
    private void cover(final long text, final int length, final int streamOffset)
    {
        int i = 0;
        for (; i + Long.BYTES <= length; i += Long.BYTES)
        {
            putWord(text + i, getWord(text + i) ^ blocks.word(streamOffset + i));
        }
        for (; i < length; i++)
        {
            FrameMemory.putByte(text + i, FrameMemory.getByte(text + i) ^ blocks.octet(streamOffset + i));
        }
    }

    private void hash(
        final long associated, final int associatedLength, final long text, final int textLength)
    {
        ghash.reset();
        add(associated, associatedLength);
        add(text, textLength);
        ghash.add((long)associatedLength << 3, (long)textLength << 3);
    }

    private void add(final long address, final int length)
    {
        int i = 0;
        for (; i + BLOCK <= length; i += BLOCK)
        {
            ghash.add(getWord(address + i), getWord(address + i + Long.BYTES));
        }
        if (i < length)
        {
            final int inFirst = Math.min(length - i, Long.BYTES);
            ghash.add(partial(address + i, inFirst), partial(address + i + inFirst, length - i - inFirst));
        }
    }

    /** Fewer than eight bytes with zeros behind them. */
    private static long partial(final long address, final int length)
    {
        long word = 0;
        for (int i = 0; i < length; i++)
        {
            word |= (FrameMemory.getByte(address + i) & 0xFFL) << 56 - 8 * i;
        }
        return word;
    }

    private static long getWord(final long address)
    {
        final long word = FrameMemory.getLong(address);
        return LITTLE_ENDIAN ? Long.reverseBytes(word) : word;
    }

    private static void putWord(final long address, final long word)
    {
        FrameMemory.putLong(address, LITTLE_ENDIAN ? Long.reverseBytes(word) : word);
    }
}
