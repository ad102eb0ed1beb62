package org.fibnuma.binding.bpf;

/** The registers of eBPF; the ordinal is the number in an instruction. */
public enum BpfRegister
{
    /** Result of a helper and of the program. */
    R0,
    /** First argument of a helper; the context when the program starts. */
    R1,
    /** Second argument of a helper. */
    R2,
    /** Third argument of a helper. */
    R3,
    /** Fourth argument of a helper. */
    R4,
    /** Fifth argument of a helper. */
    R5,
    /** Survives helpers. */
    R6,
    /** Survives helpers. */
    R7,
    /** Survives helpers. */
    R8,
    /** Survives helpers. */
    R9,
    /** Frame pointer: end of a stack of 512 bytes; cannot be written. */
    R10
}
