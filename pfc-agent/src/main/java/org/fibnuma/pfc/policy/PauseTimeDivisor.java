package org.fibnuma.pfc.policy;

import java.util.Locale;

/**
 * What the pause-time law divides by. The paper's two equations disagree by a factor of four, and a third reading is
 * off by two; each is the same law with its gain scaled.
 */
public enum PauseTimeDivisor
{
    /** Equation (2) in its last form, as printed: bytes times 8 over 512, the 4 of equation (1) left out. */
    PRINTED(64),
    /** Equation (1) put into (2) with its 4. */
    WITH_FACTOR_FOUR(16),
    /** The middle form of (2) with sizes in bytes: 4 over 512. */
    BYTES_OVER_512(128);

    private final int value;

    PauseTimeDivisor(final int value)
    {
        this.value = value;
    }

    /**
     * The divisor of a number.
     *
     * @param value 64, 16 or 128.
     * @return the divisor.
     * @throws IllegalArgumentException naming the three for any other number.
     */
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
            String.format(Locale.ROOT, "divisor %d is not known; give 64 (as printed), 16 or 128", value));
    }

    /**
     * The number itself.
     *
     * @return 64, 16 or 128.
     */
    public int value()
    {
        return value;
    }
}
