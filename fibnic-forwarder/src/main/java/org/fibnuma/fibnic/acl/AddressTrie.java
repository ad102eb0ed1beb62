package org.fibnuma.fibnic.acl;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Maps each IPv4 address to its class by a trie of three levels: for the first two bytes of an address, the third and
 * the last. A lookup reads three entries without a branch, so that a CPU overlaps the lookups of many packets. Equal
 * nodes are stored once. Immutable; any number of threads.
 * <p>
 * Nodes of the lower levels are numbered from the number of classes on. An entry below that number is a class: all
 * addresses of the entry have this class. All entries of the node with the number of a class are this class, so that
 * the lookup reads the same class again.
 */
final class AddressTrie
{
    /** Most nodes, because an entry stores the number of a node in 16 bits: 32 MB of memory. */
    private static final int MAX_NODES = 1 << Character.SIZE;
    private static final int NODE_BITS = Byte.SIZE;
    private static final int NODE = 1 << NODE_BITS;
    private static final int BYTE_MASK = NODE - 1;
    private static final int ROOT_BITS = 16;
    private static final int ROOT_SHIFT = Integer.SIZE - ROOT_BITS;

    /** The node of the first level. */
    private final char[] root;
    /** The other nodes. */
    private final char[] entries;

    private AddressTrie(final char[] root, final List<String> nodes)
    {
        this.root = root;
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
        final char[] root = entriesOf(lowest, classes, 0, ROOT_BITS, ROOT_SHIFT, nodes, numbers);
        return nodes.size() > MAX_NODES ? null : new AddressTrie(root, nodes);
    }

    /** Adds the nodes below a node, whose addresses begin at {@code first}, and returns the entries of the node. */
    private static char[] entriesOf(
        final long[] lowest,
        final char[] classes,
        final long first,
        final int bits,
        final int shift,
        final List<String> nodes,
        final Map<String, Integer> numbers)
    {
        final char[] node = new char[1 << bits];
        int interval = intervalOf(lowest, first);
        for (int value = 0; value < node.length; value++)
        {
            final long start = first + ((long)value << shift);
            while (interval + 1 < lowest.length && lowest[interval + 1] <= start)
            {
                interval++;
            }
            final long end = start + (1L << shift);
            final boolean isOne = interval + 1 == lowest.length || lowest[interval + 1] >= end;
            node[value] = isOne ? classes[interval] :
                numberOf(
                    entriesOf(lowest, classes, start, NODE_BITS, shift - NODE_BITS, nodes, numbers), nodes, numbers);
        }
        return node;
    }

    private static char numberOf(final char[] node, final List<String> nodes, final Map<String, Integer> numbers)
    {
        final String text = new String(node);
        final Integer known = numbers.putIfAbsent(text, nodes.size());
        if (known == null)
        {
            nodes.add(text);
        }
        return (char)(known == null ? nodes.size() - 1 : known);
    }

    private static int intervalOf(final long[] lowest, final long address)
    {
        final int found = Arrays.binarySearch(lowest, address);
        return found >= 0 ? found : -found - 2;
    }

    long bytes()
    {
        return 2L * (root.length + entries.length);
    }

    /** Stores the class of each address, which is in the upper half of its number. */
    void find(final long[] addresses, final int count, final int[] result)
    {
        for (int k = 0; k < count; k++)
        {
            final int address = (int)(addresses[k] >>> Integer.SIZE);
            final int second = root[address >>> ROOT_SHIFT] << NODE_BITS;
            final int third = entries[second + (address >>> NODE_BITS & BYTE_MASK)] << NODE_BITS;
            result[k] = entries[third + (address & BYTE_MASK)];
        }
    }
}
