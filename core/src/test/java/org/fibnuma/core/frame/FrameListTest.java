package org.fibnuma.core.frame;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.UniqueElements;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

class FrameListTest
{
    private final FrameList list = new FrameList();

    @Property
    void shouldKeepInsertedIndicesInOrder(
        @ForAll @UniqueElements final List<@IntRange(max = FrameBatch.CAPACITY - 1) Integer> indices)
    {
        final FrameList inserted = new FrameList();
        indices.forEach(inserted::insert);
        assertEquals(indices.stream().sorted().toList(), contents(inserted));
    }

    @Test
    void shouldHaveTheFirstIndicesOfABatch()
    {
        list.insert(9);
        list.setAll(3);
        assertEquals(List.of(0, 1, 2), contents(list));
        list.setAll(FrameBatch.CAPACITY);
        assertEquals(FrameBatch.CAPACITY, list.size());
        assertEquals(FrameBatch.CAPACITY - 1, list.get(FrameBatch.CAPACITY - 1));
        list.clear();
        assertEquals(List.of(), contents(list));
    }

    @Test
    void shouldHaveTheFirstIndicesAfterEveryKindOfChange()
    {
        list.setAll(5);
        list.clear();
        list.add(7);
        list.setAll(4);
        assertEquals(List.of(0, 1, 2, 3), contents(list));
        list.insert(9);
        list.setAll(5);
        assertEquals(List.of(0, 1, 2, 3, 4), contents(list));
        list.set(0, 3);
        list.setAll(2);
        assertEquals(List.of(0, 1), contents(list));
        final FrameList other = new FrameList();
        other.add(6);
        list.takeAll(other);
        list.setAll(3);
        assertEquals(List.of(0, 1, 2), contents(list));
        other.setAll(1);
        assertEquals(List.of(0), contents(other));
    }

    @Test
    void shouldRefuseMoreIndicesThanABatchHasFrames()
    {
        assertThrows(IndexOutOfBoundsException.class, () -> list.setAll(FrameBatch.CAPACITY + 1));
    }

    @Test
    void shouldBeFilledWithSomeOfItsOwnIndices()
    {
        list.setAll(FrameBatch.CAPACITY);
        list.clear();
        for (int k = 0; k < FrameBatch.CAPACITY; k++)
        {
            if (list.get(k) % 40 == 3)
            {
                list.add(list.get(k));
            }
        }
        assertEquals(List.of(3, 43, 83, 123), contents(list));
    }

    @Test
    void shouldTakeAllOfAnotherList()
    {
        final FrameList other = new FrameList();
        for (final int i : new int[]{1, 4, 6})
        {
            list.insert(i);
            other.insert(i + 1);
        }
        list.takeAll(other);
        assertEquals(List.of(1, 2, 4, 5, 6, 7), contents(list));
        assertEquals(0, other.size());
    }

    private static List<Integer> contents(final FrameList list)
    {
        final List<Integer> contents = new ArrayList<>();
        for (int k = 0; k < list.size(); k++)
        {
            contents.add(list.get(k));
        }
        return contents;
    }
}
