package org.fibnuma.fibnic.fib;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.Random;

import static org.junit.jupiter.api.Assertions.assertEquals;

class Ipv4FibTableTest
{
    private static final int WRITTEN = 100_000;

    /** Widths follow from how many adjacencies the codes are made for; 3, 15 and 255 are those without spare codes. */
    @ParameterizedTest
    @CsvSource({
        "2, 3", "2, 10", "2, 200", "2, 300", "3, 10", "10, 15", "10, 200", "10, 300", "15, 200", "200, 255", "200, 300",
        "255, 300", "300, 200", "300, 10", "300, 2", "200, 10", "200, 2", "10, 2" })
    void shouldTakeOverEverySlot(final int before, final int after)
    {
        final ReaderEpochs epochs = new ReaderEpochs();
        final int adjacencies = Math.min(before, after);
        try (
            Ipv4FibTable source = table(before, adjacencies, epochs);
            Ipv4FibTable copy = table(after, adjacencies, epochs))
        {
            final long seed = System.nanoTime();
            final Random random = new Random(seed);
            for (int i = 0; i < WRITTEN; i++)
            {
                // Dense at both ends and sparse between, the last slot included.
                final int slot = i % 3 == 0 ? i : i % 3 == 1 ? Ipv4FibLayout.SLOT_COUNT - i : random.nextInt(1 << 24);
                source.put(slot, source.codes().codeOf(random.nextInt(adjacencies + 1)));
            }
            final int longer = random.nextInt(1 << 24);
            source.put(longer, source.codes().longerCode());

            copy.copyFrom(source);

            for (int slot = 0; slot < Ipv4FibLayout.SLOT_COUNT; slot++)
            {
                final int adjacency = source.codes().decode(source.code(slot));
                final int expected = adjacency == Ipv4FibLayout.LONGER ? Ipv4FibLayout.NO_ROUTE : adjacency;
                final int actual = copy.code(slot) == Ipv4FibLayout.NO_ROUTE ?
                    Ipv4FibLayout.NO_ROUTE : copy.codes().decode(copy.code(slot));
                if (expected != actual)
                {
                    assertEquals(expected, actual, "slot " + slot + ", seed " + seed);
                }
            }
        }
    }

    private static Ipv4FibTable table(final int capacity, final int adjacencies, final ReaderEpochs epochs)
    {
        final NextHopCodes codes = NextHopCodes.narrowestFor(capacity, epochs);
        for (int adjacency = 1; adjacency <= adjacencies; adjacency++)
        {
            codes.assign(adjacency);
        }
        return new Ipv4FibTable(codes);
    }
}
