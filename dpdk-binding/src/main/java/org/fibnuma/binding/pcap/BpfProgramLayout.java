package org.fibnuma.binding.pcap;

/** {@code struct bpf_program} and {@code struct bpf_insn} of libpcap 1.10, pcap/bpf.h, on 64-bit machines. */
final class BpfProgramLayout
{
    /** {@code u_int bf_len}: number of instructions. */
    static final int LENGTH_OFFSET = 0;
    /** {@code struct bpf_insn *bf_insns}, aligned to 8 bytes. */
    static final int INSTRUCTIONS_OFFSET = 8;
    static final int LENGTH = INSTRUCTIONS_OFFSET + Long.BYTES;

    /** {@code u_short code}. */
    static final int CODE_OFFSET = 0;
    /** {@code u_char jt}. */
    static final int WHEN_TRUE_OFFSET = CODE_OFFSET + Short.BYTES;
    /** {@code u_char jf}. */
    static final int WHEN_FALSE_OFFSET = WHEN_TRUE_OFFSET + Byte.BYTES;
    /** {@code bpf_u_int32 k}. */
    static final int CONSTANT_OFFSET = WHEN_FALSE_OFFSET + Byte.BYTES;
    static final int INSTRUCTION_LENGTH = CONSTANT_OFFSET + Integer.BYTES;

    private BpfProgramLayout()
    {
    }
}
