package org.fibnuma.pfc.quanta;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.Test;

import java.math.BigInteger;

import static org.junit.jupiter.api.Assertions.assertEquals;

/** Published lengths of quanta, and exact arithmetic beside ours. */
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
        assertEquals(1, PauseQuanta.fromNanos(5, 100 * GBPS));
        assertEquals(2, PauseQuanta.fromNanos(6, 100 * GBPS));
        assertEquals(0, PauseQuanta.fromNanos(0, GBPS));
    }

    @Test
    void shouldAskForTheLongestWhereThatIsTooShort()
    {
        assertEquals(65_535, PauseQuanta.fromNanos(33_553_920, GBPS));
        assertEquals(65_534, PauseQuanta.fromNanos(33_553_920 - 512, GBPS));
        assertEquals(65_535, PauseQuanta.fromNanos(Long.MAX_VALUE, 800 * GBPS));
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

    @Property
    void shouldAskForEnoughAndNotForMore(
        @ForAll @LongRange(max = 100_000_000) final long nanos,
        @ForAll @LongRange(min = 1_000_000, max = 1_000_000_000_000L) final long bitsPerSecond)
    {
        final BigInteger bits = BigInteger.valueOf(nanos).multiply(BigInteger.valueOf(bitsPerSecond));
        final BigInteger[] exact = bits.divideAndRemainder(BigInteger.valueOf(512 * GBPS));
        assertEquals(
            exact[0].add(BigInteger.valueOf(exact[1].signum())).min(BigInteger.valueOf(65_535)).intValue(),
            PauseQuanta.fromNanos(nanos, bitsPerSecond));
    }
}
