package org.fibnuma.core.frame;

import java.util.Objects;
import java.util.stream.IntStream;

/**
 * Indices of some frames of one {@link FrameBatch}, in ascending order. A stage that handles one class of frames walks
 * the list of that class instead of testing every frame of the batch. Owned by one worker thread.
 */
public final class FrameList
{
    private static final int[] ALL = IntStream.range(0, FrameBatch.CAPACITY).toArray();

    private final int[] indices = new int[FrameBatch.CAPACITY];
    private int size;
    /** Whether each position holds its own number, so that {@link #setAll} need not write them again. */
    private boolean hasAll;

    /** Removes all indices. */
    public void clear()
    {
        size = 0;
    }

    /** Returns the number of indices, 0 to {@link FrameBatch#CAPACITY}. */
    public int size()
    {
        return size;
    }

    /**
     * Returns the index at a position.
     *
     * @param position 0 to {@link #size()} - 1. It is not checked against the size: a list that was cleared can be read
     *                 while it is filled again with some of its own indices.
     * @return index of a frame in the batch.
     */
    public int get(final int position)
    {
        return indices[position];
    }

    /**
     * Adds an index at the end.
     *
     * @param index index of a frame; greater than every index in the list.
     */
    public void add(final int index)
    {
        hasAll = false;
        indices[size++] = index;
    }

    /**
     * Stores an index without changing the size, for a loop that counts the indices itself.
     *
     * @param position 0 to {@link FrameBatch#CAPACITY} - 1; not checked against the size.
     * @param index    index of a frame.
     */
    public void set(final int position, final int index)
    {
        hasAll = false;
        indices[position] = index;
    }

    /**
     * Replaces the list by the indices from 0 on.
     *
     * @param count number of frames, 0 to {@link FrameBatch#CAPACITY}.
     */
    public void setAll(final int count)
    {
        if (!hasAll)
        {
            System.arraycopy(ALL, 0, indices, 0, ALL.length);
            hasAll = true;
        }
        size = Objects.checkIndex(count, ALL.length + 1);
    }

    /**
     * Inserts an index in ascending order.
     *
     * @param index index of a frame that is not in the list.
     */
    public void insert(final int index)
    {
        hasAll = false;
        int position = size++;
        while (position > 0 && indices[position - 1] > index)
        {
            indices[position] = indices[position - 1];
            position--;
        }
        indices[position] = index;
    }

    /**
     * Moves all indices of another list into this one and empties the other.
     *
     * @param other list of frames of the same batch, none of which is in this list.
     */
    public void takeAll(final FrameList other)
    {
        for (int k = 0; k < other.size; k++)
        {
            insert(other.indices[k]);
        }
        other.size = 0;
    }
}
