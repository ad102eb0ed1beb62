package org.fibnuma.fibnic.acl;

import java.util.HashMap;
import java.util.Map;

/**
 * The class of each value of a field of up to 16 bits. Blocks of 256 values with the same classes are stored once, so
 * that the classes of all ports stay in the first-level cache. Immutable; any number of threads.
 */
final class ValueClasses
{
    private static final int BLOCK_BITS = 8;
    private static final int BLOCK = 1 << BLOCK_BITS;

    /** By the upper bits of a value: where its block begins. */
    private final char[] starts;
    private final char[] blocks;

    /** Takes the class of each value; their number is a multiple of 256, at most 65,536. */
    ValueClasses(final char[] classes)
    {
        starts = new char[classes.length >>> BLOCK_BITS];
        final Map<String, Integer> startOf = new HashMap<>();
        final StringBuilder distinct = new StringBuilder();
        for (int block = 0; block < starts.length; block++)
        {
            final String text = new String(classes, block << BLOCK_BITS, BLOCK);
            final Integer known = startOf.putIfAbsent(text, distinct.length());
            starts[block] = (char)(known == null ? distinct.length() : known);
            distinct.append(known == null ? text : "");
        }
        blocks = distinct.toString().toCharArray();
    }

    long bytes()
    {
        return 2L * (starts.length + blocks.length);
    }

    /** Stores the class of each value of a column. */
    void read(final int[] values, final int count, final int[] result)
    {
        for (int k = 0; k < count; k++)
        {
            result[k] = blocks[starts[values[k] >>> BLOCK_BITS] + (values[k] & BLOCK - 1)];
        }
    }
}
