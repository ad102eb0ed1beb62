package org.fibnuma.fibnic.control;

import org.fibnuma.fibnic.fib.Ipv4Fib;
import org.fibnuma.fibnic.fib.ReaderEpochs;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;

import static org.junit.jupiter.api.Assertions.assertEquals;

/** A real table on a clock of the test's own. */
class TableWidthTest
{
    private final Ipv4Fib fib = new Ipv4Fib(new ReaderEpochs());
    private final List<String> lines = new ArrayList<>();
    private long nowMs = 1_000_000;
    private final TableWidth width = new TableWidth(fib, () -> nowMs, lines::add);

    @AfterEach
    void close()
    {
        fib.close();
    }

    @Test
    void shouldNarrowWhenTheNextHopsHaveBeenGoneForAWhile()
    {
        useNextHops(300);
        assertEquals(16, fib.codeBits());
        useNextHops(100);
        assertEquals(0, width.poll());
        nowMs += TableWidth.PATIENCE_MS - 1;
        assertEquals(0, width.poll());
        assertEquals(16, fib.codeBits());
        nowMs++;
        assertEquals(1, width.poll());
        assertEquals(8, fib.codeBits());
        assertEquals(100, fib.lookup(100 << 8));
        assertEquals(0, fib.lookup(101 << 8));
        assertEquals(List.of(
            "table: 8 bits a code instead of 16, 16384 KiB, as fewer next hops are in use"), lines);
        nowMs += 2 * TableWidth.PATIENCE_MS;
        assertEquals(0, width.poll());
    }

    @Test
    void shouldLeaveATableThatIsSoonWideAgain()
    {
        useNextHops(300);
        useNextHops(100);
        width.poll();
        nowMs += TableWidth.PATIENCE_MS - 1;
        useNextHops(300);
        assertEquals(0, width.poll());
        useNextHops(100);
        nowMs++;
        assertEquals(0, width.poll());
        assertEquals(16, fib.codeBits());
        assertEquals(List.of(), lines);
    }

    @Test
    void shouldLeaveATableThatIsOnlyJustTooWide()
    {
        useNextHops(300);
        useNextHops(200);
        width.poll();
        nowMs += 2 * TableWidth.PATIENCE_MS;
        assertEquals(0, width.poll());
        assertEquals(16, fib.codeBits());
    }

    /** Leaves routes to just as many next hops. */
    private void useNextHops(final int count)
    {
        for (int adjacency = 1; adjacency <= count; adjacency++)
        {
            fib.announce(adjacency << 8, 24, adjacency);
        }
        for (int adjacency = count + 1; fib.withdraw(adjacency << 8, 24); adjacency++)
        {
            assertEquals(0, fib.lookup(adjacency << 8));
        }
    }
}
