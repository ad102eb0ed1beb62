package org.fibnuma.binding.dpdk.eal;

/**
 * librte_mbuf (rte_mbuf.h, 22.11 to 24.11). Pointers are {@code long}. Public because jnr-ffi implements it from
 * another class loader.
 */
public interface MbufLibrary
{
    /** {@code void rte_pktmbuf_pool_init(struct rte_mempool *mp, void *opaque_arg)}. */
    void rte_pktmbuf_pool_init(long pool, long poolPrivate);

    /** {@code void rte_pktmbuf_free_bulk(struct rte_mbuf **mbufs, unsigned int count)}: all segments of each. */
    void rte_pktmbuf_free_bulk(long mbufs, int count);
}
