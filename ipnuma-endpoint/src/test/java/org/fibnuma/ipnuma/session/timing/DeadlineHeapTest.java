package org.fibnuma.ipnuma.session.timing;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;

class DeadlineHeapTest
{
    private static final int ENTRIES = 24;

    private final DeadlineHeap<Entry> heap = new DeadlineHeap<>();

    /** An entry that knows when it should be due. */
    private static final class Entry extends Deadline
    {
        private long expectedNs;
        private boolean isIn;
    }

    @Property(tries = 300)
    void shouldTakeWhatASortedListTakes(@ForAll @Size(max = 200) final List<Integer> steps)
    {
        final DeadlineHeap<Entry> tested = new DeadlineHeap<>();
        final List<Entry> entries = new ArrayList<>();
        for (int i = 0; i < ENTRIES; i++)
        {
            entries.add(new Entry());
        }
        // Near the end of the range, so that times wrap.
        long nowNs = Long.MAX_VALUE - 500;
        for (final int step : steps)
        {
            final Entry entry = entries.get(Math.floorMod(step, ENTRIES));
            final long dueNs = nowNs + Math.floorMod(step >> 8, 100);
            switch (Math.floorMod(step >> 5, 4))
            {
                case 0:
                    tested.set(entry, dueNs);
                    entry.expectedNs = dueNs;
                    entry.isIn = true;
                    break;
                case 1:
                    tested.setEarlier(entry, dueNs);
                    entry.expectedNs = entry.isIn && entry.expectedNs - dueNs < 0 ? entry.expectedNs : dueNs;
                    entry.isIn = true;
                    break;
                case 2:
                    tested.remove(entry);
                    entry.isIn = false;
                    break;
                default:
                    nowNs += 30;
                    takeAll(tested, entries, nowNs);
                    break;
            }
            assertEquals(entries.stream().filter(each -> each.isIn).count(), tested.size());
        }
        takeAll(tested, entries, nowNs + 1000);
        assertEquals(0, tested.size());
    }

    private static void takeAll(final DeadlineHeap<Entry> tested, final List<Entry> entries, final long nowNs)
    {
        Entry last = null;
        for (Entry due = tested.takeDue(nowNs); due != null; due = tested.takeDue(nowNs))
        {
            assertEquals(true, due.isIn && due.expectedNs - nowNs <= 0);
            assertEquals(true, last == null || last.expectedNs - due.expectedNs <= 0, "in order");
            due.isIn = false;
            last = due;
        }
        assertEquals(0, entries.stream().filter(each -> each.isIn && each.expectedNs - nowNs <= 0).count());
    }

    @Test
    void shouldKeepTheEarlierTime()
    {
        final Entry entry = new Entry();
        heap.set(entry, 10);
        heap.setEarlier(entry, 20);
        assertNull(heap.takeDue(9));
        assertSame(entry, heap.takeDue(10));
        heap.remove(entry);
        assertNull(heap.takeDue(30));
    }

    @Test
    void shouldCompareTimesThatAreNever()
    {
        assertEquals(5, DeadlineHeap.earlier(5, DeadlineHeap.NEVER));
        assertEquals(5, DeadlineHeap.earlier(DeadlineHeap.NEVER, 5));
        assertEquals(-5, DeadlineHeap.earlier(DeadlineHeap.NEVER, -5));
        assertEquals(3, DeadlineHeap.earlier(3, 5));
        assertEquals(DeadlineHeap.NEVER, DeadlineHeap.earlier(DeadlineHeap.NEVER, DeadlineHeap.NEVER));
    }

    @Test
    void shouldContainWhatItIsGivenAfterAnInterruptedCall()
    {
        final List<Entry> entries = List.of(new Entry(), new Entry(), new Entry());
        for (int i = 0; i < entries.size(); i++)
        {
            heap.set(entries.get(i), 10 - i);
        }
        // As if take had been interrupted, and before it a removal.
        entries.get(2).index = Deadline.ABSENT;
        entries.get(1).index = 0;
        heap.restore(entries);
        assertEquals(3, heap.size());
        for (int i = entries.size() - 1; i >= 0; i--)
        {
            assertNull(heap.takeDue(10 - i - 1));
            assertSame(entries.get(i), heap.takeDue(10 - i));
        }
        assertEquals(0, heap.size());
    }
}
