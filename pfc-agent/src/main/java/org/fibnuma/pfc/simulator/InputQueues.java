package org.fibnuma.pfc.simulator;

/**
 * The FIFOs at the inputs of the switch: {@link #CLASSES} for each input, {@link #CAPACITY} packets each (table 1 of
 * the paper). The queue index is {@code input * CLASSES + class}. A packet is its destination and arrival slot.
 */
final class InputQueues
{
    /** Queues of an input. */
    static final int CLASSES = 3;
    /** Packets that a queue holds. */
    static final int CAPACITY = 333;

    private final int[] destinations;
    private final int[] arrivals;
    private final int[] head;
    private final int[] length;

    InputQueues(final int ports)
    {
        final int queues = ports * CLASSES;
        destinations = new int[queues * CAPACITY];
        arrivals = new int[queues * CAPACITY];
        head = new int[queues];
        length = new int[queues];
    }

    boolean isEmpty(final int queue)
    {
        return length[queue] == 0;
    }

    /** Adds a packet; returns false if the queue is full. */
    boolean add(final int queue, final int destination, final int slot)
    {
        if (length[queue] == CAPACITY)
        {
            return false;
        }
        final int place = head[queue] + length[queue];
        final int entry = queue * CAPACITY + (place < CAPACITY ? place : place - CAPACITY);
        destinations[entry] = destination;
        arrivals[entry] = slot;
        length[queue]++;
        return true;
    }

    int headDestination(final int queue)
    {
        return destinations[queue * CAPACITY + head[queue]];
    }

    int headArrival(final int queue)
    {
        return arrivals[queue * CAPACITY + head[queue]];
    }

    void removeHead(final int queue)
    {
        head[queue] = head[queue] + 1 == CAPACITY ? 0 : head[queue] + 1;
        length[queue]--;
    }
}
