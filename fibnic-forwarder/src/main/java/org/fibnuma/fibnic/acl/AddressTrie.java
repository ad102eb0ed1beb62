package org.fibnuma.fibnic.acl;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The class of each IPv4 address by a trie of four levels, one for each byte of an address. A lookup reads four entries
 * without a branch, so that a CPU overlaps the lookups of many packets. Equal nodes are stored once. Immutable; any
 * number of threads.
 * <p>
 * Nodes are numbered from the number of classes on. An entry below that number is a class: all addresses from there on
 * have it. The node with the number of a class has this entry alone, so that a lookup stays there.
 */
final class AddressTrie
{
    /** Numbers of nodes that an entry can store: 32 MB of memory. */
    private static final int MAX_NODES = 1 << Character.SIZE;
    private static final int NODE_BITS = Byte.SIZE;
    private static final int NODE = 1 << NODE_BITS;
    private static final int BYTE_MASK = NODE - 1;
    private static final int ROOT_SHIFT = Integer.SIZE - NODE_BITS;

    private final char[] entries;
    private final int root;

    private AddressTrie(final List<String> nodes, final int root)
    {
        this.root = root << NODE_BITS;
        entries = new char[nodes.size() << NODE_BITS];
        for (int node = 0; node < nodes.size(); node++)
        {
            nodes.get(node).getChars(0, NODE, entries, node << NODE_BITS);
        }
    }

    /**
     * Builds the trie.
     *
     * @param lowest  the lowest address of each interval, unsigned and ascending; the first is 0.
     * @param classes the class of each interval.
     * @param count   number of classes.
     * @return the trie; null if it would have too many nodes.
     */
    static AddressTrie of(final long[] lowest, final char[] classes, final int count)
    {
        final List<String> nodes = new ArrayList<>();
        final Map<String, Integer> numbers = new HashMap<>();
        for (int number = 0; number < count; number++)
        {
            final char[] same = new char[NODE];
            Arrays.fill(same, (char)number);
            nodes.add(new String(same));
        }
        final int root = node(lowest, classes, 0, ROOT_SHIFT, nodes, numbers);
        return nodes.size() > MAX_NODES ? null : new AddressTrie(nodes, root);
    }

    /** Returns the number of the node for the addresses from one on, or the class that all of them have. */
    private static int node(
        final long[] lowest,
        final char[] classes,
        final long first,
        final int shift,
        final List<String> nodes,
        final Map<String, Integer> numbers)
    {
        final char[] node = new char[NODE];
        int interval = intervalOf(lowest, first);
        for (int value = 0; value < NODE; value++)
        {
            final long start = first + ((long)value << shift);
            while (interval + 1 < lowest.length && lowest[interval + 1] <= start)
            {
                interval++;
            }
            final long end = start + (1L << shift);
            final boolean isOne = interval + 1 == lowest.length || lowest[interval + 1] >= end;
            node[value] = isOne ? classes[interval] :
                (char)node(lowest, classes, start, shift - NODE_BITS, nodes, numbers);
        }
        if (shift == ROOT_SHIFT || nodes.size() > MAX_NODES)
        {
            nodes.add(new String(node));
            return nodes.size() - 1;
        }
        return numbers.computeIfAbsent(new String(node), text ->
        {
            nodes.add(text);
            return nodes.size() - 1;
        });
    }

    private static int intervalOf(final long[] lowest, final long address)
    {
        final int found = Arrays.binarySearch(lowest, address);
        return found >= 0 ? found : -found - 2;
    }

    /** Returns the memory in bytes. */
    long bytes()
    {
        return 2L * entries.length;
    }

    /**
     * Stores the class of each address.
     *
     * @param addresses in the upper halves.
     * @param count     number of addresses.
     * @param result    receives the classes.
     */
    void find(final long[] addresses, final int count, final int[] result)
    {
        for (int k = 0; k < count; k++)
        {
            final int address = (int)(addresses[k] >>> Integer.SIZE);
            final int second = entries[root + (address >>> ROOT_SHIFT)] << NODE_BITS;
            final int third = entries[second + (address >>> 2 * NODE_BITS & BYTE_MASK)] << NODE_BITS;
            final int fourth = entries[third + (address >>> NODE_BITS & BYTE_MASK)] << NODE_BITS;
            result[k] = entries[fourth + (address & BYTE_MASK)];
        }
    }
}
