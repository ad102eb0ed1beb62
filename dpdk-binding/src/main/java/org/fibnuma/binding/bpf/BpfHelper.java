package org.fibnuma.binding.bpf;

/** Functions of the kernel that programs may call, by number (enum bpf_func_id of linux/bpf.h, Linux 6.1). */
public enum BpfHelper
{
    /** {@code void *bpf_map_lookup_elem(map, const void *key)}: address of the value or 0. */
    MAP_LOOKUP_ELEM(1),
    /** {@code u32 bpf_get_prandom_u32(void)}. */
    GET_PRANDOM_U32(7),
    /** {@code long bpf_tail_call(ctx, map, u32 index)}: continues in another program; returns if there is none. */
    TAIL_CALL(12),
    /** {@code long bpf_redirect(u32 ifindex, u64 flags)}: the program returns the result. */
    REDIRECT(23),
    /** {@code long bpf_redirect_map(map, u64 key, u64 flags)}: the program returns the result. */
    REDIRECT_MAP(51),
    /** {@code long bpf_xdp_adjust_meta(xdp_md, int delta)}: packet pointers become invalid. */
    XDP_ADJUST_META(54),
    /** {@code long bpf_xdp_adjust_tail(xdp_md, int delta)}: packet pointers become invalid. */
    XDP_ADJUST_TAIL(65),
    /** {@code u64 bpf_xdp_get_buff_len(xdp_md)}: length of the frame, since Linux 5.18. */
    XDP_GET_BUFF_LEN(188),
    /** {@code long bpf_xdp_store_bytes(xdp_md, u32 offset, void *buf, u32 len)}, since Linux 5.18. */
    XDP_STORE_BYTES(190);

    private final int number;

    BpfHelper(final int number)
    {
        this.number = number;
    }

    int number()
    {
        return number;
    }
}
