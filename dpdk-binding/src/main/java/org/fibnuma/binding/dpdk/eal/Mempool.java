package org.fibnuma.binding.dpdk.eal;

import org.agrona.UnsafeApi;
import org.fibnuma.binding.dpdk.layout.MbufLayout;
import org.fibnuma.binding.dpdk.layout.MempoolLayout;
import org.fibnuma.binding.libc.StructMemory;
import org.fibnuma.core.UserException;
import org.fibnuma.core.memory.PageSource;

/**
 * A pool of mbufs over memory of this process, in which every chunk contains one mbuf, see {@link MbufLayout}. A new
 * pool is empty: all chunks stay with their owners and are mbufs from now on. Any thread may call {@link #put} and
 * {@link #take}. Closed after the last device that uses it.
 */
public final class Mempool implements AutoCloseable
{
    /** Largest number of mbufs in the cache of each registered thread: four bursts, as in DPDK's testpmd. */
    private static final int CACHE = 256;
    /** Largest share of the pool in the cache of one thread, as a divisor. */
    private static final int CACHE_SHARE = 8;
    private static final int ANY_SOCKET = -1;
    private static final int BURST = 64;

    private final MempoolLibrary library;
    private final MbufLibrary mbufLibrary;
    private final long pool;
    private final long enqueue;
    private final long dequeue;
    private final long getCount;

    private Mempool(final Eal eal, final long pool)
    {
        this.library = eal.libraries().mempool();
        this.mbufLibrary = eal.libraries().mbuf();
        this.pool = pool;
        final long operations = eal.libraries().address("rte_mempool", "rte_mempool_ops_table") +
            MempoolLayout.OPS_TABLE_ENTRIES_OFFSET +
            (long)UnsafeApi.getInt(pool + MempoolLayout.OPS_INDEX_OFFSET) * MempoolLayout.OPS_SIZE;
        enqueue = UnsafeApi.getLong(operations + MempoolLayout.OPS_ENQUEUE_OFFSET);
        dequeue = UnsafeApi.getLong(operations + MempoolLayout.OPS_DEQUEUE_OFFSET);
        getCount = UnsafeApi.getLong(operations + MempoolLayout.OPS_GET_COUNT_OFFSET);
    }

    /**
     * Creates a pool without mbufs.
     *
     * @param eal       started.
     * @param address   native address of the first chunk.
     * @param chunks    number of consecutive chunks.
     * @param chunkSize in bytes, a multiple of a cache line.
     * @throws UserException if DPDK has too little memory, or its mbufs have an unknown layout.
     */
    public static Mempool over(final Eal eal, final long address, final int chunks, final int chunkSize)
    {
        final MempoolLibrary library = eal.libraries().mempool();
        final long pool = library.rte_mempool_create_empty(
            "fibnuma-" + Long.toHexString(address), chunks, chunkSize - MbufLayout.IN_CHUNK,
            Math.min(CACHE, chunks / CACHE_SHARE), MempoolLayout.PRIVATE_SIZE, ANY_SOCKET,
            MempoolLayout.F_NO_SPREAD | MempoolLayout.F_NO_IOVA_CONTIG);
        if (pool == 0)
        {
            throw new UserException("DPDK cannot make a pool of " + chunks + " frames: " + eal.lastError());
        }
        boolean complete = false;
        try
        {
            fill(eal, pool, address, chunks, chunkSize);
            final Mempool made = new Mempool(eal, pool);
            made.empty(address, chunks, chunkSize);
            complete = true;
            return made;
        }
        finally
        {
            if (!complete)
            {
                library.rte_mempool_free(pool);
            }
        }
    }

    private static void fill(
        final Eal eal, final long pool, final long address, final int chunks, final int chunkSize)
    {
        final MempoolLibrary library = eal.libraries().mempool();
        check(UnsafeApi.getInt(pool + MempoolLayout.SIZE_OFFSET) == chunks &&
            UnsafeApi.getInt(pool + MempoolLayout.HEADER_SIZE_OFFSET) == MbufLayout.IN_CHUNK &&
            UnsafeApi.getInt(pool + MempoolLayout.TRAILER_SIZE_OFFSET) == 0, "a pool's element");
        library.rte_mempool_set_ops_byname(pool, "ring_mp_mc", 0);
        try (StructMemory poolPrivate = new StructMemory(MempoolLayout.PRIVATE_SIZE))
        {
            poolPrivate.putShort(MempoolLayout.PRIVATE_DATA_ROOM_OFFSET, chunkSize - MbufLayout.BUFFER_IN_CHUNK);
            eal.libraries().mbuf().rte_pktmbuf_pool_init(pool, poolPrivate.address());
        }
        final int added = eal.usesPhysicalAddresses() ?
            addByPhysicalAddress(eal, pool, address, chunks, chunkSize) :
            library.rte_mempool_populate_iova(pool, address, address, (long)chunks * chunkSize, 0, 0);
        if (added != chunks)
        {
            throw new UserException("DPDK added only " + added + " of " + chunks + " frames to its pool; " +
                "give it more memory: sysctl -w vm.nr_hugepages=512");
        }
        library.rte_mempool_obj_iter(pool, eal.libraries().address("rte_mbuf", "rte_pktmbuf_init"), 0);
        for (final long chunk : new long[]{address, address + (long)(chunks - 1) * chunkSize})
        {
            final long mbuf = chunk + MbufLayout.IN_CHUNK;
            check(UnsafeApi.getLong(mbuf + MbufLayout.POOL_OFFSET) == pool &&
                UnsafeApi.getLong(mbuf + MbufLayout.BUF_ADDR_OFFSET) == chunk + MbufLayout.BUFFER_IN_CHUNK, "an mbuf");
        }
    }

    private static int addByPhysicalAddress(
        final Eal eal, final long pool, final long address, final int chunks, final int chunkSize)
    {
        if (PageSource.PAGE_SIZE % chunkSize != 0)
        {
            throw new UserException("frames of " + chunkSize + " bytes cross pages, which a card without an IOMMU " +
                "cannot address: set frame-size = 4096");
        }
        int added = 0;
        for (int i = 0; i < chunks; i++)
        {
            final long chunk = address + (long)i * chunkSize;
            added += Math.max(0, eal.libraries().mempool().rte_mempool_populate_iova(
                pool, chunk, eal.libraries().eal().rte_mem_virt2iova(chunk), chunkSize, 0, 0));
        }
        return added;
    }

    private void empty(final long address, final int chunks, final int chunkSize)
    {
        try (StructMemory burst = new StructMemory(BURST * Long.BYTES))
        {
            int left = chunks;
            long lowest = Long.MAX_VALUE;
            while (left > 0)
            {
                final int count = Math.min(BURST, left);
                check(take(burst.address(), count), "a pool's operations");
                for (int i = 0; i < count; i++)
                {
                    lowest = Math.min(lowest, burst.getLong(i * Long.BYTES));
                }
                left -= count;
            }
            check(lowest == address + MbufLayout.IN_CHUNK && count() == 0, "a pool of " + chunkSize + " bytes");
        }
    }

    private static void check(final boolean asExpected, final String what)
    {
        if (!asExpected)
        {
            throw new UserException("this DPDK has another layout of " + what + " than its release: " +
                "apt-get install --reinstall dpdk");
        }
    }

    /** Returns mbufs to the pool: {@code count} pointers, 1 or more, in an array at a native address. */
    public void put(final long mbufs, final int count)
    {
        FunctionPointer.exchange(enqueue, pool, mbufs, count);
    }

    /**
     * Takes mbufs out of the pool, bypassing the caches of threads, into an array at a native address.
     *
     * @param count number of pointers, 1 or more.
     * @return false if the pool has fewer; then none is taken.
     */
    public boolean take(final long mbufs, final int count)
    {
        return FunctionPointer.exchange(dequeue, pool, mbufs, count) == 0;
    }

    /**
     * Frees frames with all their segments to the pools of their mbufs: {@code count} pointers, 1 or more, in an array
     * at a native address.
     */
    public void freeFrames(final long mbufs, final int count)
    {
        mbufLibrary.rte_pktmbuf_free_bulk(mbufs, count);
    }

    /** Returns the number of mbufs in the pool, without those in the caches of threads. */
    public int count()
    {
        return FunctionPointer.count(getCount, pool);
    }

    /** Returns the mbufs in the caches of threads to the pool. No thread may use the pool meanwhile. */
    public void emptyCaches()
    {
        final long caches = UnsafeApi.getLong(pool + MempoolLayout.LOCAL_CACHE_OFFSET);
        for (int i = 0; caches != 0 && i < MempoolLayout.MAX_LCORES; i++)
        {
            final long cache = caches + (long)i * MempoolLayout.CACHE_SIZE;
            final int count = UnsafeApi.getInt(cache + MempoolLayout.CACHE_LENGTH_OFFSET);
            if (count > 0)
            {
                put(cache + MempoolLayout.CACHE_OBJECTS_OFFSET, count);
                UnsafeApi.putInt(cache + MempoolLayout.CACHE_LENGTH_OFFSET, 0);
            }
        }
    }

    long address()
    {
        return pool;
    }

    /** Frees the pool's own memory; the chunks stay with their owners. */
    @Override
    public void close()
    {
        library.rte_mempool_free(pool);
    }
}
