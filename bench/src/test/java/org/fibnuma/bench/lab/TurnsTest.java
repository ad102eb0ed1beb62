package org.fibnuma.bench.lab;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

class TurnsTest
{
    private final List<String> lines = new ArrayList<>();
    private final Turns turns = new Turns(lines::add);

    @Test
    void shouldMeasureEachContestantOnceInEveryRound() throws IOException
    {
        turns.add("ours", Duration.ofSeconds(2), () -> "1 Mpps");
        turns.add("theirs, tuned", Duration.ofSeconds(1), () -> "2 Mpps");
        turns.run("round", 2);

        assertEquals("rounds: 2, each of ours; theirs, tuned; at least 6 s", lines.get(0));
        assertEquals("round 1 of 2: ours           1 Mpps", lines.get(1));
        assertEquals("round 1 of 2: theirs, tuned  2 Mpps", lines.get(2));
        assertTrue(lines.get(3).startsWith("1 of 2 rounds took "), lines::toString);
        assertEquals("round 2 of 2: ours           1 Mpps", lines.get(4));
        assertEquals("round 2 of 2: theirs, tuned  2 Mpps", lines.get(5));
        assertEquals(6, lines.size());
    }

    @Test
    void shouldSayWhyAContestantIsLeftOut()
    {
        assertTrue(turns.includes(contestant(null)));
        assertFalse(turns.includes(contestant("it is not installed")));
        assertEquals(List.of("left out: theirs: it is not installed"), lines);
    }

    private static Contestant<Void> contestant(final String missing)
    {
        return new Contestant<>()
        {
            @Override
            public String name()
            {
                return "theirs";
            }

            @Override
            public String missing()
            {
                return missing;
            }

            @Override
            public Running start(final Void rig)
            {
                throw new AssertionError("it is not started");
            }
        };
    }
}
