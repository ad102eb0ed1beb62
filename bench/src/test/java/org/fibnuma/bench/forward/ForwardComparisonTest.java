package org.fibnuma.bench.forward;

import org.fibnuma.core.UserException;
import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

class ForwardComparisonTest
{
    @Test
    void shouldAcceptFramesUnderWay()
    {
        ForwardComparison.requireAll("l3fwd", 1_000_000, 1_000_100);
        ForwardComparison.requireAll("l3fwd", 1_000_000, 999_000);
    }

    /** l3fwd sends a frame without a route back out of the port that received it. */
    @Test
    void shouldRefuseAContestantThatSendsOnlySomeOfItsFramesToTheSink()
    {
        final UserException refusal = assertThrows(UserException.class,
            () -> ForwardComparison.requireAll("l3fwd", 1_000_000, 900_000));
        assertEquals("l3fwd received 1000000 frames and sent only 900000 of them to the next hops: " +
            "a rate of such a run cannot be compared", refusal.getMessage());
    }
}
