package org.fibnuma.binding.dpdk.eal;

import org.agrona.UnsafeApi;
import org.fibnuma.binding.dpdk.layout.MbufLayout;
import org.fibnuma.binding.dpdk.layout.MempoolLayout;
import org.fibnuma.binding.libc.StructMemory;
import org.fibnuma.core.memory.PageSource;

/**
 * A pool of mbufs over memory of ours, in which every chunk holds one mbuf as {@link MbufLayout} shows. Made empty: all
 * chunks are with whoever had them before, as mbufs from now on. {@link #put} and {@link #take} are for any thread;
 * closing is for after the last device that uses it.
 */
public final class Mempool implements AutoCloseable
{
    /** Mbufs that each known thread may keep for itself: four bursts, as DPDK's testpmd has it. */
    private static final int CACHE = 256;
    /** Part of the pool that the cache of one thread may hold at most. */
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
     * Makes a pool.
     *
     * @param eal       started.
     * @param address   of the first chunk.
     * @param chunks    how many follow each other.
     * @param chunkSize in bytes, a multiple of a cache line.
     * @return the pool, with no mbuf in it.
     * @throws DpdkException where DPDK has no memory left, or lays mbufs out in another way than is known here.
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
            throw new DpdkException("DPDK cannot make a pool of " + chunks + " frames: " + eal.lastError());
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
            throw new DpdkException("DPDK takes " + added + " of " + chunks + " frames into its pool; " +
                "sysctl -w vm.nr_hugepages=512 gives it more memory");
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
            throw new DpdkException("frames of " + chunkSize + " bytes cross pages, which a card without an IOMMU " +
                "cannot follow: set frame-size = 4096");
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
            throw new DpdkException("this DPDK lays out " + what + " in another way than its release says: " +
                "apt-get install --reinstall dpdk");
        }
    }

    /**
     * Gives mbufs to the pool.
     *
     * @param mbufs address of an array of pointers.
     * @param count how many, 1 or more.
     */
    public void put(final long mbufs, final int count)
    {
        FunctionPointer.exchange(enqueue, pool, mbufs, count);
    }

    /**
     * Takes mbufs out of the pool, past the caches of threads.
     *
     * @param mbufs receives pointers.
     * @param count how many, 1 or more.
     * @return false where there are not so many: then none is taken.
     */
    public boolean take(final long mbufs, final int count)
    {
        return FunctionPointer.exchange(dequeue, pool, mbufs, count) == 0;
    }

    /**
     * Gives frames back to the pools that their mbufs are from, with all their segments.
     *
     * @param mbufs address of an array of pointers.
     * @param count how many, 1 or more.
     */
    public void freeFrames(final long mbufs, final int count)
    {
        mbufLibrary.rte_pktmbuf_free_bulk(mbufs, count);
    }

    /**
     * How many mbufs are in the pool, without those in the caches of threads.
     *
     * @return 0 or more.
     */
    public int count()
    {
        return FunctionPointer.count(getCount, pool);
    }

    /** Puts what threads have in their caches into the pool. While no thread uses it. */
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

    /** Gives the pool's own memory back; the chunks are whose they were. */
    @Override
    public void close()
    {
        library.rte_mempool_free(pool);
    }
}
