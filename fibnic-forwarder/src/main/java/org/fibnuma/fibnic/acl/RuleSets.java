package org.fibnuma.fibnic.acl;

import java.util.Arrays;

/** Distinct sets of the rules of one list, numbered from 0, each a bit for each rule. */
final class RuleSets
{
    private static final int MIN_SETS = 16;
    private static final int HASH_FACTOR = 0x9E37_79B9;
    private static final int EMPTY = -1;

    private final int ruleCount;
    private final int words;
    private long[] bits;
    private int[] numbers;
    private int size;

    RuleSets(final int ruleCount)
    {
        this.ruleCount = ruleCount;
        words = wordsOf(ruleCount);
        bits = new long[MIN_SETS * words];
        numbers = new int[2 * MIN_SETS];
        Arrays.fill(numbers, EMPTY);
    }

    /** Returns the length of a set in words of 64 rules, at least 1. */
    static int wordsOf(final int ruleCount)
    {
        return Math.max(1, (ruleCount + Long.SIZE - 1) / Long.SIZE);
    }

    int size()
    {
        return size;
    }

    /** Returns whether the only set has all rules: then the field that the sets belong to decides nothing. */
    boolean areAll()
    {
        int count = 0;
        for (int w = 0; w < words; w++)
        {
            count += Long.bitCount(bits[w]);
        }
        return size == 1 && count == ruleCount;
    }

    void copy(final int set, final long[] to)
    {
        System.arraycopy(bits, set * words, to, 0, words);
    }

    /** Returns the number of a set, which is copied if it is new. */
    int numberOf(final long[] set)
    {
        int place = Arrays.hashCode(set) * HASH_FACTOR & numbers.length - 1;
        while (numbers[place] != EMPTY)
        {
            final int from = numbers[place] * words;
            if (Arrays.equals(bits, from, from + words, set, 0, words))
            {
                return numbers[place];
            }
            place = place + 1 & numbers.length - 1;
        }
        numbers[place] = size;
        if ((size + 1) * words > bits.length)
        {
            bits = Arrays.copyOf(bits, 2 * bits.length);
        }
        System.arraycopy(set, 0, bits, size * words, words);
        size++;
        if (2 * size > numbers.length)
        {
            rehash();
        }
        return size - 1;
    }

    private void rehash()
    {
        final int[] larger = new int[2 * numbers.length];
        Arrays.fill(larger, EMPTY);
        final long[] set = new long[words];
        for (int number = 0; number < size; number++)
        {
            System.arraycopy(bits, number * words, set, 0, words);
            int place = Arrays.hashCode(set) * HASH_FACTOR & larger.length - 1;
            while (larger[place] != EMPTY)
            {
                place = place + 1 & larger.length - 1;
            }
            larger[place] = number;
        }
        numbers = larger;
    }

    /** Stores the intersection of a set with a set of others. */
    void intersect(final int set, final RuleSets others, final int other, final long[] result)
    {
        for (int w = 0; w < words; w++)
        {
            result[w] = bits[set * words + w] & others.bits[other * words + w];
        }
    }

    /** Returns the lowest rule in the intersection of a set with a set of others, the number of rules if none is. */
    int firstOfBoth(final int set, final RuleSets others, final int other)
    {
        for (int w = 0; w < words; w++)
        {
            final long both = bits[set * words + w] & others.bits[other * words + w];
            if (both != 0)
            {
                return w * Long.SIZE + Long.numberOfTrailingZeros(both);
            }
        }
        return ruleCount;
    }

    /** Returns all sets, with spare room removed. */
    long[] toArray()
    {
        return Arrays.copyOf(bits, size * words);
    }

    /** Returns for each set one bit for each of its words that is not 0. */
    long[] summaries()
    {
        final int summaryWords = wordsOf(words);
        final long[] summaries = new long[size * summaryWords];
        for (int set = 0; set < size; set++)
        {
            for (int w = 0; w < words; w++)
            {
                if (bits[set * words + w] != 0)
                {
                    summaries[set * summaryWords + w / Long.SIZE] |= 1L << w;
                }
            }
        }
        return summaries;
    }
}
