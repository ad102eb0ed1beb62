package org.fibnuma.binding.pcap;

import jnr.ffi.types.u_int32_t;

/** Functions of libpcap 1.x (pcap/pcap.h). Addresses are native. */
public interface PcapLibrary
{
    /** {@code pcap_t *pcap_open_dead(int linktype, int snaplen)}. */
    long pcap_open_dead(int linkType, int snapLength);

    /**
     * {@code int pcap_compile(pcap_t *p, struct bpf_program *fp, const char *str, int optimize, bpf_u_int32 netmask)};
     * below 0 if the expression is wrong.
     */
    int pcap_compile(long pcap, long program, String expression, int optimize, @u_int32_t int netmask);

    /** {@code char *pcap_geterr(pcap_t *p)}. */
    String pcap_geterr(long pcap);

    /** {@code void pcap_freecode(struct bpf_program *fp)}. */
    void pcap_freecode(long program);

    /** {@code void pcap_close(pcap_t *p)}. */
    void pcap_close(long pcap);

    /**
     * {@code int pcap_offline_filter(const struct bpf_program *fp, const struct pcap_pkthdr *h, const u_char *pkt)}:
     * the reference for the interpreter.
     */
    int pcap_offline_filter(long program, long header, long packet);
}
