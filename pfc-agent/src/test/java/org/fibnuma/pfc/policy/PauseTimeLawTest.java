package org.fibnuma.pfc.policy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

/** Reference values of the law for R = 7, 1,518-byte packets, Pktdiff 266.4. */
class PauseTimeLawTest
{
    private static final double PKT_DIFF = 266.4;
    private static final int PKT_SIZE = 1518;

    @ParameterizedTest
    @CsvSource({"100, 65535", "180, 65461", "267, 44131", "540, 21820", "1000, 11783"})
    void shouldComputeTheReferenceValues(final long difference, final int quanta)
    {
        assertEquals(quanta, PauseTimeLaw.DEFAULT.quanta(PKT_DIFF, PKT_SIZE, difference));
    }

    @ParameterizedTest
    @CsvSource({"100, 65535", "180, 65461", "267, 44131", "540, 21820", "1000, 11783"})
    void shouldBeTheSameInBytes(final long difference, final int quanta)
    {
        assertEquals(quanta, PauseTimeLaw.DEFAULT.quanta(PKT_DIFF * PKT_SIZE, 1, difference * PKT_SIZE));
    }

    @Test
    void shouldScaleWithTheDivisor()
    {
        assertEquals(4 * 11_783, law(16).quanta(PKT_DIFF, PKT_SIZE, 1000), 4);
        assertEquals(11_783 / 2.0, law(128).quanta(PKT_DIFF, PKT_SIZE, 1000), 1);
    }

    /** R = 4 as printed is R = 1 with the factor of four and R = 8 with 128. */
    @Test
    void shouldBeOneLawWhoseGainIsScaled()
    {
        for (int difference = 1; difference < 10_000; difference++)
        {
            final int printed = law(64, 4).quanta(PKT_DIFF, PKT_SIZE, difference);
            assertEquals(printed, law(16, 1).quanta(PKT_DIFF, PKT_SIZE, difference));
            assertEquals(printed, law(128, 8).quanta(PKT_DIFF, PKT_SIZE, difference));
        }
    }

    @Test
    void shouldGuardAgainstNoDifferenceAndTooLongAPause()
    {
        assertEquals(65_535, PauseTimeLaw.DEFAULT.quanta(PKT_DIFF, PKT_SIZE, 0));
        assertEquals(65_535, PauseTimeLaw.DEFAULT.quanta(1e12, PKT_SIZE, 1));
    }

    @Test
    void shouldNeverEndAPauseByAskingForNone()
    {
        assertEquals(1, PauseTimeLaw.DEFAULT.quanta(1, 1, Long.MAX_VALUE));
    }

    @Test
    void shouldRefuseWhatIsNoGainOrDivisor()
    {
        assertThrows(IllegalArgumentException.class, () -> new PauseTimeLaw(0, PauseTimeDivisor.PRINTED));
        assertThrows(IllegalArgumentException.class, () -> new PauseTimeLaw(Double.NaN, PauseTimeDivisor.PRINTED));
        assertThrows(IllegalArgumentException.class, () -> PauseTimeDivisor.of(32));
    }

    private static PauseTimeLaw law(final int divisor)
    {
        return law(divisor, 7);
    }

    private static PauseTimeLaw law(final int divisor, final double gain)
    {
        return new PauseTimeLaw(gain, PauseTimeDivisor.of(divisor));
    }
}
