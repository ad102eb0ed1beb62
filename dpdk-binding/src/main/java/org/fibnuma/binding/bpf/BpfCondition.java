package org.fibnuma.binding.bpf;

/** Conditions of jumps: destination register compared with source, 64 bits (linux/bpf.h, Linux 6.1). */
public enum BpfCondition
{
    EQUAL(0x10),
    /** The destination is greater, both unsigned. */
    ABOVE(0x20),
    /** The destination is greater or equal, both unsigned. */
    ABOVE_OR_EQUAL(0x30),
    /** At least one bit is set in both. */
    ANY_BIT(0x40),
    NOT_EQUAL(0x50),
    /** The destination is less, both unsigned. */
    BELOW(0xA0),
    /** The destination is less or equal, both unsigned. */
    BELOW_OR_EQUAL(0xB0),
    /** The destination is greater, both signed. */
    GREATER(0x60),
    /** The destination is less, both signed. */
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
