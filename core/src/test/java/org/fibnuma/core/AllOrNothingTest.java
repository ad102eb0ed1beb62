package org.fibnuma.core;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

class AllOrNothingTest
{
    private final List<String> events = new ArrayList<>();
    private final AutoCloseable whole = () -> events.add("closed");

    @Test
    void shouldLeaveOpenWhatIsComplete()
    {
        assertSame(whole, AllOrNothing.open(whole, opening -> events.add("opened")));
        assertEquals(List.of("opened"), events);
    }

    @Test
    void shouldCloseWhatFailsHalfWay()
    {
        final IOException failure = new IOException("second part");
        assertSame(failure, assertThrows(IOException.class, () -> AllOrNothing.open(whole, opening ->
        {
            events.add("first part");
            throw failure;
        })));
        assertEquals(List.of("first part", "closed"), events);
    }

    @Test
    void shouldSayWhyItFailedEvenWhereClosingFailsToo()
    {
        final AutoCloseable stuck = () ->
        {
            throw new IllegalStateException("does not close");
        };
        final IOException failure = new IOException("first part");
        assertSame(failure, assertThrows(IOException.class, () -> AllOrNothing.open(stuck, opening ->
        {
            throw failure;
        })));
    }
}
