package org.fibnuma.ipnuma.session;

import org.fibnuma.ipnuma.channel.ChannelListener;
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
    private final List<String> events = new ArrayList<>();
    private final AwaitedRecords awaited = new AwaitedRecords(7, new ChannelListener()
    {
        @Override
        public void onWritten(final int pcId, final long tag, final int status)
        {
            events.add(tag + " " + AccessStatus.label(status));
        }

        @Override
        public void onUnanswered(final int pcId, final long tag)
        {
            events.add(tag + " unanswered");
        }
    });

    private static long note(final int position, final int status, final int count)
    {
        return (long)position << 32 | (long)status << 24 | count;
    }

    private void addAt(final int... positions)
    {
        for (final int position : positions)
        {
            awaited.add(position, 1, 1000 + position);
        }
    }

    /** The peer has read up to a position, and has all datagrams that were sent. */
    private void read(final int consumed, final long note)
    {
        awaited.judge(consumed, note);
        awaited.answer(1);
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
        read(0, 0);
        assertEvents();
        read(3, 0);
        assertEvents("1001 ok", "1002 ok");
        read(4, 0);
        assertEvents("1004 ok");
        assertTrue(awaited.isEmpty());
    }

    @Test
    void shouldNameTheOneThatWasRefused()
    {
        addAt(1, 2, 4);
        // The note is of a record whose position is not told yet.
        read(1, note(4, AccessStatus.REVOKED, 1));
        read(4, note(4, AccessStatus.REVOKED, 1));
        assertEvents("1001 ok", "1002 ok", "1004 revoked");
        addAt(5, 7);
        // One without a tag.
        read(7, note(6, AccessStatus.WRONG_KEY, 2));
        assertEvents("1005 ok", "1007 ok");
    }

    @Test
    void shouldBeUncertainAboutAllBeforeTheLastOfSeveral()
    {
        addAt(1, 2, 4, 5);
        read(1, 0);
        read(5, note(4, AccessStatus.OUT_OF_RANGE, 2));
        assertEvents("1001 ok", "1002 " + AccessStatus.label(AccessStatus.UNCERTAIN),
            "1004 " + AccessStatus.label(AccessStatus.OUT_OF_RANGE), "1005 ok");
    }

    /** Datagrams were called between the writes, and their acknowledgements come later than the peer's position. */
    @Test
    void shouldWaitForTheDatagramsBefore()
    {
        awaited.add(1, -1, 1);
        awaited.add(2, -1, 2);
        awaited.add(3, 0, 3);
        awaited.add(4, 2, 4);
        awaited.judge(2, note(1, AccessStatus.REVOKED, 1));
        awaited.answer(-2);
        assertEvents();
        // What is judged keeps its status.
        awaited.judge(4, note(4, AccessStatus.WRONG_KEY, 3));
        awaited.answer(-1);
        assertEvents("1 " + AccessStatus.label(AccessStatus.REVOKED), "2 ok");
        awaited.answer(1);
        assertEvents("3 " + AccessStatus.label(AccessStatus.UNCERTAIN));
        awaited.lose();
        assertEvents("4 unanswered");
    }

    @Test
    void shouldTakeNoStatusThatIsNone()
    {
        for (final int status : new int[] {0, AccessStatus.COUNT, 255})
        {
            awaited.begin();
            addAt(3);
            read(3, note(3, status, 1));
            assertEvents("1003 " + AccessStatus.label(AccessStatus.UNCERTAIN));
        }
    }

    @Test
    void shouldCountPositionsAndRefusalsAcrossTheirEnds()
    {
        for (int i = 1; i < 1 << 24; i++)
        {
            read(0, note(0, AccessStatus.REVOKED, i));
        }
        awaited.add(Integer.MAX_VALUE, 1, 1);
        awaited.add(Integer.MIN_VALUE, 1, 2);
        read(Integer.MAX_VALUE, 0);
        assertEvents("1 ok");
        read(Integer.MIN_VALUE + 5, 0);
        assertEvents("2 ok");
    }

    @Test
    void shouldReportWhatIsLeft()
    {
        assertFalse(awaited.isFull());
        for (int i = 0; i < AwaitedRecords.CAPACITY; i++)
        {
            awaited.add(i, 1, i);
        }
        assertTrue(awaited.isFull());
        read(AwaitedRecords.CAPACITY - 3, 0);
        events.clear();
        awaited.lose();
        assertEvents("1022 unanswered", "1023 unanswered");
        assertTrue(awaited.isEmpty());
    }
}
