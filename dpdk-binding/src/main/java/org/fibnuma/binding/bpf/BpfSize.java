package org.fibnuma.binding.bpf;

/** Sizes of loads and stores (linux/bpf_common.h and bpf.h, Linux 6.1). */
public enum BpfSize
{
    BYTE(0x10),
    /** Two bytes. */
    HALF(0x08),
    /** Four bytes. */
    WORD(0x00),
    /** Eight bytes. */
    DOUBLE(0x18);

    private final int code;

    BpfSize(final int code)
    {
        this.code = code;
    }

    int code()
    {
        return code;
    }
}
