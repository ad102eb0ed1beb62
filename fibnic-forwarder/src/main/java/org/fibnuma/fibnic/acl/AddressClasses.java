package org.fibnuma.fibnic.acl;

import org.fibnuma.core.wire.IpPrefix;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import java.util.stream.LongStream;

/**
 * The set of rules that match an address, by intervals of addresses with the same set. The first 16 bits of an address
 * select the intervals that a binary search compares; IPv4 addresses have an {@link AddressTrie}. An IPv4 address is
 * the upper half of the first eight bytes.
 */
final class AddressClasses
{
    private static final int INDEX_BITS = 16;
    private static final int INDEX_SHIFT = Long.SIZE - INDEX_BITS;

    /** The lowest address of each interval, ascending as unsigned numbers; the first is 0. */
    private final long[] highs;
    private final long[] lows;
    /** The set of rules of each interval. */
    private final char[] sets;
    /**
     * By the first bits of an address: the interval of the lowest address with them. The last element is the last
     * interval. Null if there is a trie.
     */
    private final char[] index;
    private final RuleSets distinct;
    /** Of IPv4; null of IPv6, and of IPv4 if it would be too large. */
    private final AddressTrie trie;

    private AddressClasses(
        final long[] highs,
        final long[] lows,
        final char[] sets,
        final RuleSets distinct,
        final boolean isIpv6)
    {
        this.highs = highs;
        this.lows = lows;
        this.sets = sets;
        this.distinct = distinct;
        trie = isIpv6 ? null : AddressTrie.of(
            LongStream.of(highs).map(high -> high >>> Integer.SIZE).toArray(), sets, distinct.size());
        index = trie == null ? index() : null;
    }

    private char[] index()
    {
        final char[] intervals = new char[(1 << INDEX_BITS) + 1];
        int interval = 0;
        for (int first = 0; first < 1 << INDEX_BITS; first++)
        {
            while (interval + 1 < highs.length && isAtMost(interval + 1, (long)first << INDEX_SHIFT, 0))
            {
                interval++;
            }
            intervals[first] = (char)interval;
        }
        intervals[1 << INDEX_BITS] = (char)(highs.length - 1);
        return intervals;
    }

    /** Computes the intervals of one address of some rules; a rule without a prefix matches all addresses. */
    static AddressClasses of(
        final List<AccessRule> rules, final boolean isIpv6, final Function<AccessRule, IpPrefix> field)
    {
        final List<Edge> edges = new ArrayList<>();
        final long[] set = new long[RuleSets.wordsOf(rules.size())];
        for (int rule = 0; rule < rules.size(); rule++)
        {
            final IpPrefix prefix = field.apply(rules.get(rule));
            if (prefix == null || prefix.length() == 0)
            {
                toggle(set, rule);
            }
            else
            {
                addEdges(edges, prefix, isIpv6, rule);
            }
        }
        edges.sort(null);
        return sweep(edges, set, rules.size(), isIpv6);
    }

    private static void addEdges(final List<Edge> edges, final IpPrefix prefix, final boolean isIpv6, final int rule)
    {
        final long firstHigh = isIpv6 ? prefix.high() : prefix.low() << Integer.SIZE;
        final long lastHigh = isIpv6 ? prefix.last().high() : prefix.last().low() << Integer.SIZE;
        edges.add(new Edge(firstHigh, isIpv6 ? prefix.low() : 0, rule));
        final long endLow = isIpv6 ? prefix.last().low() + 1 : 0;
        final long endHigh = isIpv6 ? endLow == 0 ? lastHigh + 1 : lastHigh : lastHigh + (1L << Integer.SIZE);
        if (endHigh != 0 || endLow != 0)
        {
            edges.add(new Edge(endHigh, endLow, rule));
        }
    }

    private static AddressClasses sweep(
        final List<Edge> edges, final long[] set, final int ruleCount, final boolean isIpv6)
    {
        final RuleSets distinct = new RuleSets(ruleCount);
        final long[] highs = new long[edges.size() + 1];
        final long[] lows = new long[edges.size() + 1];
        final char[] sets = new char[edges.size() + 1];
        int intervals = 0;
        int e = 0;
        while (e < edges.size() && edges.get(e).high == 0 && edges.get(e).low == 0)
        {
            toggle(set, edges.get(e++).rule);
        }
        sets[intervals++] = (char)distinct.numberOf(set);
        while (e < edges.size())
        {
            final Edge edge = edges.get(e);
            while (e < edges.size() && edges.get(e).compareTo(edge) == 0)
            {
                toggle(set, edges.get(e++).rule);
            }
            final int number = distinct.numberOf(set);
            if (number != sets[intervals - 1])
            {
                highs[intervals] = edge.high;
                lows[intervals] = edge.low;
                sets[intervals++] = (char)number;
            }
        }
        return new AddressClasses(
            Arrays.copyOf(highs, intervals), Arrays.copyOf(lows, intervals),
            Arrays.copyOf(sets, intervals), distinct, isIpv6);
    }

    private static void toggle(final long[] set, final int rule)
    {
        set[rule / Long.SIZE] ^= 1L << rule;
    }

    long bytes()
    {
        return 2L * sets.length + 16L * highs.length + (trie == null ? 2L * index.length : trie.bytes());
    }

    RuleSets distinct()
    {
        return distinct;
    }

    private boolean isAtMost(final int interval, final long high, final long low)
    {
        final int byHigh = Long.compareUnsigned(highs[interval], high);
        return byHigh < 0 || byHigh == 0 && Long.compareUnsigned(lows[interval], low) <= 0;
    }

    /** Stores the set of rules for each address. */
    void find(final long[] addressHighs, final long[] addressLows, final int count, final int[] result)
    {
        if (trie == null)
        {
            search(addressHighs, addressLows, count, result);
        }
        else
        {
            trie.find(addressHighs, count, result);
        }
    }

    private void search(final long[] addressHighs, final long[] addressLows, final int count, final int[] result)
    {
        for (int k = 0; k < count; k++)
        {
            final int bucket = (int)(addressHighs[k] >>> INDEX_SHIFT);
            int low = index[bucket];
            int high = index[bucket + 1];
            while (low < high)
            {
                final int middle = low + high + 1 >>> 1;
                if (isAtMost(middle, addressHighs[k], addressLows[k]))
                {
                    low = middle;
                }
                else
                {
                    high = middle - 1;
                }
            }
            result[k] = sets[low];
        }
    }

    /** An address from which on a rule matches, or no longer matches. */
    private record Edge(long high, long low, int rule) implements Comparable<Edge>
    {
        @Override
        public int compareTo(final Edge other)
        {
            final int byHigh = Long.compareUnsigned(high, other.high);
            return byHigh != 0 ? byHigh : Long.compareUnsigned(low, other.low);
        }
    }
}
