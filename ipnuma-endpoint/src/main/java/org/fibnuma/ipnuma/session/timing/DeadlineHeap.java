package org.fibnuma.ipnuma.session.timing;

import java.util.Arrays;
import java.util.Collection;

/**
 * Deadlines ordered by time, in a binary heap. Reading the earliest deadline needs one comparison for any number of
 * deadlines. Adding and removing need a number of steps that is logarithmic in the number of deadlines. Unlike a timer
 * wheel, the heap has no tick: deadlines are exact, and a thread that was stopped for a minute does not have to process
 * missed ticks. Times are compared by their difference. For one thread; allocates only to grow.
 *
 * @param <T> type of the deadlines.
 */
public final class DeadlineHeap<T extends Deadline>
{
    /** Time of a deadline that is never due. */
    public static final long NEVER = Long.MAX_VALUE;

    private static final int FIRST_CAPACITY = 16;

    private Deadline[] heap = new Deadline[FIRST_CAPACITY];
    private int size;

    /** Returns the earlier of two times, each of which can be {@link #NEVER}. */
    public static long earlier(final long oneNs, final long otherNs)
    {
        return otherNs == NEVER || oneNs != NEVER && oneNs - otherNs <= 0 ? oneNs : otherNs;
    }

    /** Returns the number of deadlines. */
    public int size()
    {
        return size;
    }

    /** Adds a deadline, or moves it if the heap contains it. */
    public void set(final T deadline, final long dueNs)
    {
        if (deadline.index == Deadline.ABSENT)
        {
            if (size == heap.length)
            {
                heap = Arrays.copyOf(heap, 2 * size);
            }
            place(deadline, size++);
        }
        deadline.dueNs = dueNs;
        raise(deadline);
        sink(deadline);
    }

    /** Adds a deadline. If the heap contains it, moves it only to an earlier time. */
    public void setEarlier(final T deadline, final long dueNs)
    {
        if (deadline.index == Deadline.ABSENT || dueNs - deadline.dueNs < 0)
        {
            set(deadline, dueNs);
        }
    }

    /** Removes a deadline if the heap contains it. */
    public void remove(final T deadline)
    {
        final int index = deadline.index;
        if (index == Deadline.ABSENT)
        {
            return;
        }
        deadline.index = Deadline.ABSENT;
        final Deadline last = heap[--size];
        heap[size] = null;
        if (last != deadline)
        {
            place(last, index);
            raise(last);
            sink(last);
        }
    }

    /** Removes and returns the earliest deadline if it is due, else returns null. */
    @SuppressWarnings("unchecked")
    public T takeDue(final long nowNs)
    {
        if (size == 0 || nowNs - heap[0].dueNs < 0)
        {
            return null;
        }
        // Only set() adds deadlines.
        final T due = (T)heap[0];
        remove(due);
        return due;
    }

    /**
     * Restores the heap after an error has interrupted another method. It then contains exactly these deadlines, each
     * at the time that was set last.
     *
     * @param all every deadline that this heap can contain.
     */
    public void restore(final Collection<? extends T> all)
    {
        Arrays.fill(heap, null);
        size = 0;
        for (final T deadline : all)
        {
            deadline.index = Deadline.ABSENT;
            set(deadline, deadline.dueNs);
        }
    }

    private void raise(final Deadline deadline)
    {
        int index = deadline.index;
        while (index > 0 && deadline.dueNs - heap[index - 1 >> 1].dueNs < 0)
        {
            place(heap[index - 1 >> 1], index);
            index = index - 1 >> 1;
        }
        place(deadline, index);
    }

    private void sink(final Deadline deadline)
    {
        int index = deadline.index;
        int child = earlierChild(index);
        while (child < size && heap[child].dueNs - deadline.dueNs < 0)
        {
            place(heap[child], index);
            index = child;
            child = earlierChild(index);
        }
        place(deadline, index);
    }

    private int earlierChild(final int index)
    {
        final int left = 2 * index + 1;
        return left + 1 < size && heap[left + 1].dueNs - heap[left].dueNs < 0 ? left + 1 : left;
    }

    private void place(final Deadline deadline, final int index)
    {
        heap[index] = deadline;
        deadline.index = index;
    }
}
