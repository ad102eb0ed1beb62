package org.fibnuma.pfc.policy;

import java.util.Locale;

/**
 * The divisor of the pause-time law. The paper's two equations differ by a factor of four, and a third reading by a
 * factor of two; each is the same law with a scaled gain.
 */
public enum PauseTimeDivisor
{
    /** Equation (2) in its last form, as printed: bytes times 8 over 512, without the 4 of equation (1). */
    PRINTED(64),
    /** Equation (1) put into (2) with its factor 4. */
    WITH_FACTOR_FOUR(16),
    /** The middle form of (2) with sizes in bytes: 4 over 512. */
    BYTES_OVER_512(128);

    private final int value;

    PauseTimeDivisor(final int value)
    {
        this.value = value;
    }

    /** {@return the divisor with a value} Throws IllegalArgumentException if it is not 64, 16 or 128. */
    public static PauseTimeDivisor of(final int value)
    {
        for (final PauseTimeDivisor divisor : values())
        {
            if (divisor.value == value)
            {
                return divisor;
            }
        }
        throw new IllegalArgumentException(
            String.format(Locale.ROOT, "unknown divisor %d; use 64 (as printed), 16 or 128", value));
    }

    /** {@return 64, 16 or 128} */
    public int value()
    {
        return value;
    }
}
