package org.fibnuma.binding.bpf;

/** Conditions of jumps: destination register compared with source, 64 bits (linux/bpf.h, Linux 6.1). */
public enum BpfCondition
{
    EQUAL(0x10),
    /** Unsigned. */
    ABOVE(0x20),
    /** Unsigned. */
    ABOVE_OR_EQUAL(0x30),
    /** A bit is set in both. */
    ANY_BIT(0x40),
    NOT_EQUAL(0x50),
    /** Unsigned. */
    BELOW(0xA0),
    /** Unsigned. */
    BELOW_OR_EQUAL(0xB0),
    /** Signed. */
    GREATER(0x60),
    /** Signed. */
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
