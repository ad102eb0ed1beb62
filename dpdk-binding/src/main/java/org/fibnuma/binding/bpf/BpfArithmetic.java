package org.fibnuma.binding.bpf;

/** Operations on a destination and a source register (linux/bpf_common.h and bpf.h, Linux 6.1). */
public enum BpfArithmetic
{
    ADD(0x00),
    SUB(0x10),
    MUL(0x20),
    /** Unsigned division; a division by 0 gives 0. */
    DIV(0x30),
    /** Bitwise or. */
    OR(0x40),
    /** Bitwise and. */
    AND(0x50),
    /** Left shift. */
    LSH(0x60),
    /** Logical right shift. */
    RSH(0x70),
    /** Unsigned remainder. */
    MOD(0x90),
    /** Bitwise exclusive or. */
    XOR(0xA0),
    MOV(0xB0),
    /** Arithmetic right shift. */
    ARSH(0xC0);

    private final int code;

    BpfArithmetic(final int code)
    {
        this.code = code;
    }

    int code()
    {
        return code;
    }
}
