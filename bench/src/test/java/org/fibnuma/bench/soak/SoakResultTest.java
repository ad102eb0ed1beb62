package org.fibnuma.bench.soak;

import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.Map;

import static org.junit.jupiter.api.Assertions.assertEquals;

class SoakResultTest
{
    private static final FrameBalance BEFORE = new FrameBalance(Map.of("ipv6-no-route", 5L, "filter", 1L));

    private final SoakResult result = new SoakResult();

    @Test
    void shouldExplainLostFramesByTheCountersThatRose()
    {
        result.sent = 100;
        result.received = 90;
        result.explained = new FrameBalance(Map.of("ipv6-no-route", 12L, "filter", 1L)).since(BEFORE, 3);
        result.addFailures();

        assertEquals(Map.of("ipv6-no-route", 7L, "tester", 3L), result.explained);
        assertEquals(List.of(), result.failures);
    }

    @Test
    void shouldFindAFrameThatNoCounterExplains()
    {
        result.sent = 100;
        result.received = 90;
        result.explained = new FrameBalance(Map.of("ipv6-no-route", 14L, "filter", 1L)).since(BEFORE, 0);
        result.addFailures();

        assertEquals(List.of("1 test frames were lost that no counter of drops explains"), result.failures);
    }

    @Test
    void shouldFindFramesThatWereNotSentWrongNextHopsAndLostConnections()
    {
        result.sent = 10;
        result.received = 11;
        result.explained = Map.of();
        result.wrongNextHop = 2;
        result.connections = 7;
        result.connectionsLost = 3;
        result.addFailures();

        assertEquals(List.of("1 frames arrived that were not sent", "2 test frames arrived at a wrong next hop",
            "3 of 7 connections were lost"), result.failures);
    }

    @Test
    void shouldFailWithoutTestFrames()
    {
        result.explained = Map.of();
        result.addFailures();

        assertEquals(List.of("of 0 test frames 0 arrived"), result.failures);
    }
}
