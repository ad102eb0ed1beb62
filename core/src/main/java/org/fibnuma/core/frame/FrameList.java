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
     * Returns the index of the frame at a position, 0 to {@link #size()} - 1. The position is not checked against the
     * size: a cleared list can be read while it is filled again with some of its own indices.
     */
    public int get(final int position)
    {
        return indices[position];
    }

    /** Adds an index, greater than every index in the list, at the end. */
    public void add(final int index)
    {
        hasAll = false;
        indices[size++] = index;
    }

    /**
     * Stores the index of a frame at a position without changing the size, for a loop that counts the indices itself.
     * The position, 0 to {@link FrameBatch#CAPACITY} - 1, is not checked against the size.
     */
    public void set(final int position, final int index)
    {
        hasAll = false;
        indices[position] = index;
    }

    /**
     * Replaces the list by the indices from 0 to {@code count} - 1; {@code count} is 0 to {@link FrameBatch#CAPACITY}.
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

    /** Inserts an index that is not in the list, in ascending order. */
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
     * Moves all indices of another list of the same batch into this one and empties the other. No index may be in both.
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
