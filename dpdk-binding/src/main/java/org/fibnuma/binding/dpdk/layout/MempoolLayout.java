package org.fibnuma.binding.dpdk.layout;

/** {@code struct rte_mempool} and related structures of rte_mempool.h and rte_mbuf_core.h (22.11, 23.11, 24.11). */
public final class MempoolLayout
{
    /** {@code uint32_t size}: capacity in elements. */
    public static final int SIZE_OFFSET = 64;
    /** {@code uint32_t header_size}: bytes before each element. */
    public static final int HEADER_SIZE_OFFSET = 76;
    /** {@code uint32_t trailer_size}: bytes after each element. */
    public static final int TRAILER_SIZE_OFFSET = 80;
    /** {@code int32_t ops_index}: entry of {@code rte_mempool_ops_table}. */
    public static final int OPS_INDEX_OFFSET = 88;
    /** {@code struct rte_mempool_cache *local_cache}: {@link #MAX_LCORES} consecutive caches. */
    public static final int LOCAL_CACHE_OFFSET = 96;
    /** {@code uint32_t populated_size}: number of elements. */
    public static final int POPULATED_SIZE_OFFSET = 104;

    /** RTE_MAX_LCORE, rte_config.h as built by Debian. */
    public static final int MAX_LCORES = 128;
    /** Bytes of {@code struct rte_mempool_cache}. */
    public static final int CACHE_SIZE = 8256;
    /** {@code uint32_t size}: capacity of the cache. */
    public static final int CACHE_SIZE_OFFSET = 0;
    /** {@code uint32_t len}: elements in the cache. */
    public static final int CACHE_LENGTH_OFFSET = 8;
    /** {@code void *objs[]}: the elements. */
    public static final int CACHE_OBJECTS_OFFSET = 64;

    /** {@code struct rte_mempool_ops ops[]} in {@code rte_mempool_ops_table}. */
    public static final int OPS_TABLE_ENTRIES_OFFSET = 64;
    /** Bytes of {@code struct rte_mempool_ops}. */
    public static final int OPS_SIZE = 128;
    /** {@code int enqueue(mp, void *const *obj_table, unsigned n)}. */
    public static final int OPS_ENQUEUE_OFFSET = 48;
    /** {@code int dequeue(mp, void **obj_table, unsigned n)}. */
    public static final int OPS_DEQUEUE_OFFSET = 56;
    /** {@code unsigned get_count(const mp)}. */
    public static final int OPS_GET_COUNT_OFFSET = 64;

    /** RTE_MEMPOOL_F_NO_SPREAD: elements follow each other without padding for memory channels. */
    public static final int F_NO_SPREAD = 0x0001;
    /** RTE_MEMPOOL_F_NO_IOVA_CONTIG: an element may cross a page, so that elements are not moved. */
    public static final int F_NO_IOVA_CONTIG = 0x0020;

    /** Bytes of {@code struct rte_pktmbuf_pool_private}. */
    public static final int PRIVATE_SIZE = 8;
    /** {@code uint16_t mbuf_data_room_size}. */
    public static final int PRIVATE_DATA_ROOM_OFFSET = 0;

    private MempoolLayout()
    {
    }
}
