package org.fibnuma.binding.bpf;

/** Types of maps (enum bpf_map_type of linux/bpf.h, Linux 6.1). */
public enum BpfMapType
{
    /** Keys are arbitrary bytes. */
    HASH(1),
    /** Keys are indices from 0. */
    ARRAY(2),
    /** Programs by index, for {@link BpfHelper#TAIL_CALL}. */
    PROG_ARRAY(3),
    /** Interfaces by index, for {@link BpfHelper#REDIRECT_MAP}. */
    DEVMAP(14),
    /** AF_XDP sockets by index, for {@link BpfHelper#REDIRECT_MAP}. */
    XSKMAP(17);

    private final int number;

    BpfMapType(final int number)
    {
        this.number = number;
    }

    int number()
    {
        return number;
    }
}
