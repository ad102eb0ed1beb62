package org.fibnuma.fibnic.fib;

import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;

import static org.junit.jupiter.api.Assertions.assertEquals;

class ReaderEpochsTest
{
    private final ReaderEpochs epochs = new ReaderEpochs();
    private final List<String> released = new ArrayList<>();

    @Test
    void shouldReleaseAtOnceWithoutReaders()
    {
        epochs.retire(() -> released.add("a"));
        assertEquals(1, epochs.pending());

        assertEquals(1, epochs.reclaim());

        assertEquals(List.of("a"), released);
        assertEquals(0, epochs.pending());
    }

    @Test
    void shouldWaitForEveryReader()
    {
        final ReaderEpochs.Reader first = epochs.register();
        final ReaderEpochs.Reader second = epochs.register();
        epochs.retire(() -> released.add("a"));

        first.quiesce();
        assertEquals(0, epochs.reclaim());
        second.quiesce();
        assertEquals(1, epochs.reclaim());
    }

    @Test
    void shouldNotCountAReportMadeBeforeTheRetirement()
    {
        final ReaderEpochs.Reader reader = epochs.register();
        reader.quiesce();
        epochs.retire(() -> released.add("a"));

        assertEquals(0, epochs.reclaim());
        reader.quiesce();
        assertEquals(1, epochs.reclaim());
    }

    @Test
    void shouldReleaseInOrderAndOnlyWhatTheReaderHasPassed()
    {
        final ReaderEpochs.Reader reader = epochs.register();
        epochs.retire(() -> released.add("a"));
        epochs.retire(() -> released.add("b"));
        reader.quiesce();
        epochs.retire(() -> released.add("c"));

        assertEquals(2, epochs.reclaim());
        assertEquals(List.of("a", "b"), released);
    }

    @Test
    void shouldNotWaitForAReaderThatHasClosedOrCameLater()
    {
        final ReaderEpochs.Reader gone = epochs.register();
        epochs.retire(() -> released.add("a"));
        epochs.register();
        assertEquals(0, epochs.reclaim());

        gone.close();

        assertEquals(1, epochs.reclaim());
    }
}
