package org.fibnuma.pfc.simulator;

import java.util.Arrays;

/**
 * Packets that the sources could not send yet: one unbounded queue for each input and class. Consecutive packets to one
 * destination share an entry, so that a long queue needs little memory.
 */
final class SourceQueues
{
    private static final int FIRST_CAPACITY = 64;

    private final int[][] destinations;
    private final int[][] counts;
    private final int[] head;
    private final int[] entries;
    private final long[] waiting;

    SourceQueues(final int queues)
    {
        destinations = new int[queues][FIRST_CAPACITY];
        counts = new int[queues][FIRST_CAPACITY];
        head = new int[queues];
        entries = new int[queues];
        waiting = new long[queues];
    }

    boolean isEmpty(final int queue)
    {
        return waiting[queue] == 0;
    }

    void add(final int queue, final int destination)
    {
        waiting[queue]++;
        final int mask = counts[queue].length - 1;
        final int last = head[queue] + entries[queue] - 1 & mask;
        if (entries[queue] > 0 && destinations[queue][last] == destination)
        {
            counts[queue][last]++;
            return;
        }
        if (entries[queue] == counts[queue].length)
        {
            grow(queue);
        }
        final int free = head[queue] + entries[queue] & counts[queue].length - 1;
        destinations[queue][free] = destination;
        counts[queue][free] = 1;
        entries[queue]++;
    }

    /** Removes the first packet of a queue that is not empty and returns its destination. */
    int take(final int queue)
    {
        final int first = head[queue];
        waiting[queue]--;
        if (--counts[queue][first] == 0)
        {
            head[queue] = first + 1 & counts[queue].length - 1;
            entries[queue]--;
        }
        return destinations[queue][first];
    }

    private void grow(final int queue)
    {
        destinations[queue] = unrolled(destinations[queue], head[queue]);
        counts[queue] = unrolled(counts[queue], head[queue]);
        head[queue] = 0;
    }

    private static int[] unrolled(final int[] ring, final int head)
    {
        final int[] larger = Arrays.copyOf(Arrays.copyOfRange(ring, head, ring.length), 2 * ring.length);
        System.arraycopy(ring, 0, larger, ring.length - head, head);
        return larger;
    }
}
