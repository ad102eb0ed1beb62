package org.fibnuma.binding.dpdk.eal;

/**
 * librte_mempool (rte_mempool.h, 22.11 to 24.11). Pointers and {@code size_t} are {@code long}. Public because jnr-ffi
 * implements it from another class loader.
 */
public interface MempoolLibrary
{
    /**
     * {@code struct rte_mempool *rte_mempool_create_empty(const char *name, unsigned n, unsigned elt_size,
     * unsigned cache_size, unsigned private_data_size, int socket_id, unsigned flags)}: 0 with {@code rte_errno}.
     */
    long rte_mempool_create_empty(
        String name, int n, int eltSize, int cacheSize, int privateDataSize, int socketId, int flags);

    /** {@code int rte_mempool_set_ops_byname(struct rte_mempool *mp, const char *name, void *pool_config)}. */
    int rte_mempool_set_ops_byname(long pool, String name, long config);

    /**
     * {@code int rte_mempool_populate_iova(struct rte_mempool *mp, char *vaddr, rte_iova_t iova, size_t len,
     * rte_mempool_memchunk_free_cb_t *free_cb, void *opaque)}: number of elements added, or negative.
     */
    int rte_mempool_populate_iova(long pool, long address, long iova, long length, long freeCallback, long opaque);

    /**
     * {@code uint32_t rte_mempool_obj_iter(struct rte_mempool *mp, rte_mempool_obj_cb_t *obj_cb, void *obj_cb_arg)}.
     */
    int rte_mempool_obj_iter(long pool, long callback, long argument);

    /** {@code void rte_mempool_free(struct rte_mempool *mp)}. */
    void rte_mempool_free(long pool);
}
