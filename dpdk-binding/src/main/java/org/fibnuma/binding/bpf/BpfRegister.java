package org.fibnuma.binding.bpf;

/** Registers of eBPF; the ordinal is the number in an instruction. */
public enum BpfRegister
{
    /** Result of a helper and of the program. */
    R0,
    /** First of five arguments of a helper, R1 to R5; the context when the program starts. */
    R1,
    R2,
    R3,
    R4,
    R5,
    /** R6 to R9 are preserved by helpers. */
    R6,
    R7,
    R8,
    R9,
    /** Frame pointer: end of a stack of 512 bytes; read-only. */
    R10
}
