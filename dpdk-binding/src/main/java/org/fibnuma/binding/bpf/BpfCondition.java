package org.fibnuma.binding.bpf;

/** When a jump is taken: destination register against source, 64 bits (linux/bpf.h, Linux 6.1). */
public enum BpfCondition
{
    /** Equal. */
    EQUAL(0x10),
    /** Above, unsigned. */
    ABOVE(0x20),
    /** Above or equal, unsigned. */
    ABOVE_OR_EQUAL(0x30),
    /** Some bit is set in both. */
    ANY_BIT(0x40),
    /** Different. */
    NOT_EQUAL(0x50),
    /** Below, unsigned. */
    BELOW(0xA0),
    /** Below or equal, unsigned. */
    BELOW_OR_EQUAL(0xB0),
    /** Greater, signed. */
    GREATER(0x60),
    /** Less, signed. */
    LESS(0xC0);

    private final int code;

    BpfCondition(final int code)
    {
        this.code = code;
    }

    int code()
    {
        return code;
    }
}
