package org.fibnuma.binding.bpf;

/** What is done to a destination register with a source (linux/bpf_common.h and bpf.h, Linux 6.1). */
public enum BpfArithmetic
{
    /** Adds. */
    ADD(0x00),
    /** Subtracts. */
    SUB(0x10),
    /** Multiplies. */
    MUL(0x20),
    /** Divides, unsigned; by 0 gives 0. */
    DIV(0x30),
    /** Bits of either. */
    OR(0x40),
    /** Bits of both. */
    AND(0x50),
    /** Shifts left. */
    LSH(0x60),
    /** Shifts right, zeros come in. */
    RSH(0x70),
    /** Remainder, unsigned. */
    MOD(0x90),
    /** Bits that differ. */
    XOR(0xA0),
    /** Copies. */
    MOV(0xB0),
    /** Shifts right, the sign comes in. */
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
