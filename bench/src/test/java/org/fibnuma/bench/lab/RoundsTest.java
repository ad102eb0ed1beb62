package org.fibnuma.bench.lab;

import org.junit.jupiter.api.Test;

import java.util.List;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

class RoundsTest
{
    @Test
    void shouldTakeTheMiddleValue()
    {
        assertEquals(7, Rounds.median(List.of(7.0)));
        assertEquals(3, Rounds.median(List.of(9.0, 1.0, 3.0)));
    }

    @Test
    void shouldTakeTheMeanOfTheTwoMiddleValues()
    {
        assertEquals(2.5, Rounds.median(List.of(4.0, 1.0, 100.0, 0.5)));
    }

    @Test
    void shouldTakeTheMedianOfTheRatiosOfTheRounds()
    {
        final Rounds<String> rounds = new Rounds<>();
        // The machine is ten times as fast in the second round: the ratio of the medians would be 2.
        for (final double[] round : new double[][] {{2, 1}, {30, 10}, {3, 2}})
        {
            rounds.add("ours", round[0]);
            rounds.add("theirs", round[1]);
        }
        assertEquals(3, rounds.median("ours"));
        assertEquals(2, rounds.ratio("ours", "theirs"));
        assertEquals(List.of(2.0, 30.0, 3.0), rounds.of("ours"));
    }

    @Test
    void shouldHaveNoResultOfAContestantThatWasNotMeasured()
    {
        final Rounds<String> rounds = new Rounds<>();
        rounds.add("ours", 1);
        assertNull(rounds.median("theirs"));
        assertNull(rounds.ratio("ours", "theirs"));
        assertEquals(List.of(), rounds.of("theirs"));
    }

    @Test
    void shouldRoundToDecimals()
    {
        assertEquals(1.235, Rounds.rounded(1.23456, 3));
        assertNull(Rounds.rounded((Double)null, 3));
    }
}
