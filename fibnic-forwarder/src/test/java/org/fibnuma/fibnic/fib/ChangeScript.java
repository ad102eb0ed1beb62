package org.fibnuma.fibnic.fib;

import org.fibnuma.core.wire.Ipv4Prefix;

import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A sequence of changes, and for each of some watched addresses which adjacency is right after how many changes. Change
 * number n, counted from 1, makes the state after n changes.
 */
final class ChangeScript
{
    /** One announcement, or a withdrawal where the adjacency is 0. */
    record Change(Ipv4Prefix prefix, int adjacency)
    {
    }

    private static final int LONGEST = 32;

    private final List<Change> changes;
    private final int[] watched;
    private final int[][] times;
    private final int[][] adjacencies;

    ChangeScript(final List<Change> changes, final int[] addresses)
    {
        this.changes = changes;
        this.watched = Arrays.stream(addresses).map(address -> address ^ Integer.MIN_VALUE).sorted().distinct()
            .map(address -> address ^ Integer.MIN_VALUE).toArray();
        this.times = new int[watched.length][];
        this.adjacencies = new int[watched.length][];
        writeHistory();
    }

    List<Change> changes()
    {
        return changes;
    }

    /** The addresses whose history is known. */
    int[] watched()
    {
        return watched;
    }

    /** Whether an adjacency was right for a watched address after {@code first} to {@code last} changes or between. */
    boolean wasRight(final int index, final int adjacency, final int first, final int last)
    {
        final int found = Arrays.binarySearch(times[index], first);
        int entry = found >= 0 ? found : -found - 2;
        boolean right = false;
        while (entry < times[index].length && times[index][entry] <= last)
        {
            right |= adjacencies[index][entry] == adjacency;
            entry++;
        }
        return right;
    }

    private void writeHistory()
    {
        final Map<Ipv4Prefix, Integer> routes = new HashMap<>();
        final int[] lengths = new int[watched.length];
        Arrays.fill(lengths, 1);
        Arrays.setAll(times, i -> new int[4]);
        Arrays.setAll(adjacencies, i -> new int[4]);
        for (int time = 1; time <= changes.size(); time++)
        {
            final Change change = changes.get(time - 1);
            if (change.adjacency == 0)
            {
                routes.remove(change.prefix);
            }
            else
            {
                routes.put(change.prefix, change.adjacency);
            }
            for (int i = firstWatchedFrom(change.prefix.address());
                i < watched.length && change.prefix.contains(watched[i]); i++)
            {
                lengths[i] = append(i, lengths[i], time, lookup(routes, watched[i]));
            }
        }
        for (int i = 0; i < watched.length; i++)
        {
            times[i] = Arrays.copyOf(times[i], lengths[i]);
        }
    }

    private int append(final int index, final int length, final int time, final int adjacency)
    {
        if (adjacencies[index][length - 1] == adjacency)
        {
            return length;
        }
        if (length == times[index].length)
        {
            times[index] = Arrays.copyOf(times[index], 2 * length);
            adjacencies[index] = Arrays.copyOf(adjacencies[index], 2 * length);
        }
        times[index][length] = time;
        adjacencies[index][length] = adjacency;
        return length + 1;
    }

    private int firstWatchedFrom(final int address)
    {
        int low = 0;
        int high = watched.length;
        while (low < high)
        {
            final int middle = low + high >>> 1;
            if (Integer.compareUnsigned(watched[middle], address) < 0)
            {
                low = middle + 1;
            }
            else
            {
                high = middle;
            }
        }
        return low;
    }

    private static int lookup(final Map<Ipv4Prefix, Integer> routes, final int address)
    {
        int adjacency = 0;
        for (int length = LONGEST; length >= 0 && adjacency == 0; length--)
        {
            adjacency = routes.getOrDefault(Ipv4Prefix.of(address, length), 0);
        }
        return adjacency;
    }
}
