package org.fibnuma.fibnic.fib;

import org.agrona.collections.IntArrayList;
import org.fibnuma.core.wire.Ipv6Address;
import org.fibnuma.core.wire.Ipv6Prefix;

import java.util.Arrays;
import java.util.List;

/**
 * A sequence of changes of IPv6 routes, and for each of some watched addresses which adjacency is right after how many
 * changes. Change number n, counted from 1, makes the state after n changes.
 */
final class ChangeScript6
{
    /** One announcement, or a withdrawal where the adjacency is 0. */
    record Change(Ipv6Prefix prefix, int adjacency)
    {
    }

    private final List<Change> changes;
    private final Ipv6Address[] watched;
    private final int[][] times;
    private final int[][] adjacencies;

    ChangeScript6(final List<Change> changes, final Ipv6Address[] watched)
    {
        this.changes = changes;
        this.watched = watched;
        this.times = new int[watched.length][];
        this.adjacencies = new int[watched.length][];
        writeHistory();
    }

    List<Change> changes()
    {
        return changes;
    }

    /** The addresses whose history is known. */
    Ipv6Address[] watched()
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
        final HashLpm6 routes = new HashLpm6();
        final IntArrayList[] timesSoFar = new IntArrayList[watched.length];
        final IntArrayList[] adjacenciesSoFar = new IntArrayList[watched.length];
        Arrays.setAll(timesSoFar, i -> new IntArrayList(new int[]{0, 0}, 1, -1));
        Arrays.setAll(adjacenciesSoFar, i -> new IntArrayList(new int[]{0, 0}, 1, -1));
        for (int time = 1; time <= changes.size(); time++)
        {
            final Change change = changes.get(time - 1);
            routes.change(change.prefix, change.adjacency);
            for (int i = 0; i < watched.length; i++)
            {
                final long high = watched[i].high();
                final long low = watched[i].low();
                if (change.prefix.contains(high, low))
                {
                    timesSoFar[i].addInt(time);
                    adjacenciesSoFar[i].addInt(routes.lookup(high, low));
                }
            }
        }
        Arrays.setAll(times, i -> timesSoFar[i].toIntArray());
        Arrays.setAll(adjacencies, i -> adjacenciesSoFar[i].toIntArray());
    }
}
