package org.fibnuma.ipnuma.session;

import org.fibnuma.ipnuma.table.AccessStatus;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Notes are written out: position behind the record, status, number of refused records. */
class AwaitedRecordsTest
{
    private final AwaitedRecords awaited = new AwaitedRecords();
    private final List<String> events = new ArrayList<>();
    private final SessionListener listener = new QuietListener()
    {
        @Override
        public void onWritten(final long tag, final int status)
        {
            events.add(tag + " " + AccessStatus.label(status));
        }

        @Override
        public void onUnanswered(final long tag)
        {
            events.add(tag + " unanswered");
        }
    };

    private static long note(final int position, final int status, final int count)
    {
        return (long)position << 32 | (long)status << 24 | count;
    }

    private void addAt(final int... positions)
    {
        for (final int position : positions)
        {
            awaited.add(position, 1000 + position);
        }
    }

    private void assertEvents(final String... expected)
    {
        assertEquals(List.of(expected), events);
        events.clear();
    }

    @Test
    void shouldAnswerWhatThePeerHasRead()
    {
        addAt(1, 2, 4);
        awaited.answer(0, 0, listener);
        assertEvents();
        awaited.answer(3, 0, listener);
        assertEvents("1001 ok", "1002 ok");
        awaited.answer(4, 0, listener);
        assertEvents("1004 ok");
        assertTrue(awaited.isEmpty());
    }

    @Test
    void shouldNameTheOneThatWasRefused()
    {
        addAt(1, 2, 4);
        // The note is of a record whose position is not told yet.
        awaited.answer(1, note(4, AccessStatus.REVOKED, 1), listener);
        awaited.answer(4, note(4, AccessStatus.REVOKED, 1), listener);
        assertEvents("1001 ok", "1002 ok", "1004 revoked");
        addAt(5, 7);
        // One without a tag.
        awaited.answer(7, note(6, AccessStatus.WRONG_KEY, 2), listener);
        assertEvents("1005 ok", "1007 ok");
    }

    @Test
    void shouldBeUncertainAboutAllBeforeTheLastOfSeveral()
    {
        addAt(1, 2, 4, 5);
        awaited.answer(1, 0, listener);
        awaited.answer(5, note(4, AccessStatus.OUT_OF_RANGE, 2), listener);
        assertEvents("1001 ok", "1002 " + AccessStatus.label(AccessStatus.UNCERTAIN),
            "1004 " + AccessStatus.label(AccessStatus.OUT_OF_RANGE), "1005 ok");
    }

    @Test
    void shouldTakeNoStatusThatIsNone()
    {
        for (final int status : new int[] {0, AccessStatus.COUNT, 255})
        {
            awaited.begin();
            addAt(3);
            awaited.answer(3, note(3, status, 1), listener);
            assertEvents("1003 " + AccessStatus.label(AccessStatus.UNCERTAIN));
        }
    }

    @Test
    void shouldCountPositionsAndRefusalsAcrossTheirEnds()
    {
        for (int i = 1; i < 1 << 24; i++)
        {
            awaited.answer(0, note(0, AccessStatus.REVOKED, i), listener);
        }
        awaited.add(Integer.MAX_VALUE, 1);
        awaited.add(Integer.MIN_VALUE, 2);
        awaited.answer(Integer.MAX_VALUE, 0, listener);
        assertEvents("1 ok");
        awaited.answer(Integer.MIN_VALUE + 5, 0, listener);
        assertEvents("2 ok");
    }

    @Test
    void shouldReportWhatIsLeft()
    {
        assertFalse(awaited.isFull());
        for (int i = 0; i < AwaitedRecords.CAPACITY; i++)
        {
            awaited.add(i, i);
        }
        assertTrue(awaited.isFull());
        awaited.answer(AwaitedRecords.CAPACITY - 3, 0, listener);
        events.clear();
        awaited.lose(listener);
        assertEvents("1022 unanswered", "1023 unanswered");
        assertTrue(awaited.isEmpty());
    }
}
