package org.fibnuma.pfc.quanta;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.Test;

import java.math.BigInteger;

import static org.junit.jupiter.api.Assertions.assertEquals;

/** Compares with published durations of quanta and with exact arithmetic. */
class PauseQuantaTest
{
    private static final long GBPS = 1_000_000_000L;

    @Test
    void shouldKnowTheLengthOfAQuantum()
    {
        assertEquals(512.0, PauseQuanta.nanosPerQuantum(GBPS));
        assertEquals(51.2, PauseQuanta.nanosPerQuantum(10 * GBPS));
        assertEquals(20.48, PauseQuanta.nanosPerQuantum(25 * GBPS));
        assertEquals(5.12, PauseQuanta.nanosPerQuantum(100 * GBPS));
    }

    @Test
    void shouldKnowTheLongestPause()
    {
        assertEquals(33_553_920, PauseQuanta.toNanos(65_535, GBPS));
        assertEquals(3_355_392, PauseQuanta.toNanos(65_535, 10 * GBPS));
    }

    @Test
    void shouldKnowThePauseOfTheStandardsExample()
    {
        assertEquals(238_592_000, PauseQuanta.toNanos(0x1234, 10_000_000));
    }

    @Test
    void shouldRoundUpSoThatNobodySendsEarly()
    {
        assertEquals(6, PauseQuanta.toNanos(1, 100 * GBPS));
    }

    @Property
    void shouldBeExact(
        @ForAll @IntRange(max = 65_535) final int quanta,
        @ForAll @LongRange(min = 1, max = 1_000_000_000_000_000L) final long bitsPerSecond)
    {
        final BigInteger[] nanos = BigInteger.valueOf(quanta).multiply(BigInteger.valueOf(512 * GBPS))
            .divideAndRemainder(BigInteger.valueOf(bitsPerSecond));
        assertEquals(
            nanos[0].longValueExact() + nanos[1].signum(), PauseQuanta.toNanos(quanta, bitsPerSecond));
    }
}
