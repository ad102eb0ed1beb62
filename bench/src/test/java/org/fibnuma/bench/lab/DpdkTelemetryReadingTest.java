package org.fibnuma.bench.lab;

import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertEquals;

class DpdkTelemetryReadingTest
{
    @Test
    void shouldTellMillionsASecondFromTheTimesOfTheReadings()
    {
        final DpdkTelemetry.Reading before = new DpdkTelemetry.Reading(1_000_000, 5_000_000_000L);
        final DpdkTelemetry.Reading after = new DpdkTelemetry.Reading(101_000_000, 7_500_000_000L);

        assertEquals(40.0, after.rateSince(before), 1e-9);
    }
}
