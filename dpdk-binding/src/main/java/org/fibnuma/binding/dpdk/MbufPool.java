package org.fibnuma.binding.dpdk;

import org.fibnuma.binding.dpdk.eal.DeviceMemory;
import org.fibnuma.binding.dpdk.eal.Eal;
import org.fibnuma.binding.dpdk.eal.EthDevice;
import org.fibnuma.binding.dpdk.eal.Mempool;
import org.fibnuma.core.UserException;
import org.fibnuma.core.frame.FramePool;

import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;

/**
 * The mempool over a router's frame memory, shared by all its DPDK ports: created with the first port, freed with the
 * last. The workers' {@link FramePool}s contribute its chunks and get them back at the end. Used by the control thread.
 */
final class MbufPool
{
    /** Open pools by address of the region; guarded by this class. */
    private static final Map<Long, MbufPool> OPEN = new HashMap<>();

    private final long region;
    private final Mempool mempool;
    private final long size;
    private final Eal eal;
    private final Map<FramePool, PoolShare> shares = new IdentityHashMap<>();
    private DeviceMemory deviceMemory;
    private int users;

    private MbufPool(final Eal eal, final long region, final long size, final Mempool mempool)
    {
        this.eal = eal;
        this.region = region;
        this.size = size;
        this.mempool = mempool;
    }

    /**
     * Returns the pool over the memory of the workers' frame pools, all in one region, and adds a port to its users.
     * The port closes it.
     */
    static synchronized MbufPool open(final Eal eal, final List<FramePool> pools)
    {
        final FramePool any = pools.get(0);
        final long address = any.region().address();
        MbufPool pool = OPEN.get(address);
        if (pool == null)
        {
            pool = new MbufPool(eal, address, any.region().size(), Mempool.over(
                eal, address, (int)(any.region().size() / any.chunkSize()), any.chunkSize()));
            OPEN.put(address, pool);
        }
        pool.users++;
        return pool;
    }

    Mempool mempool()
    {
        return mempool;
    }

    /**
     * Maps the frames for a card on the PCI bus.
     *
     * @throws UserException if that is not possible.
     */
    void map(final EthDevice card)
    {
        synchronized (MbufPool.class)
        {
            if (deviceMemory == null)
            {
                deviceMemory = DeviceMemory.register(eal, region, size);
            }
            deviceMemory.map(card);
        }
    }

    /** Unmaps the frames of {@link #map} before the card is closed. */
    void unmap(final EthDevice card)
    {
        deviceMemory.unmap(card);
    }

    /** Returns the share of one worker, the same for all its queues. */
    PoolShare shareOf(final FramePool framePool)
    {
        return shares.computeIfAbsent(framePool, pool -> new PoolShare(pool, mempool));
    }

    /** Removes a port after its device was closed and all workers have stopped. The last port returns every chunk. */
    void close()
    {
        synchronized (MbufPool.class)
        {
            if (--users == 0)
            {
                OPEN.remove(region);
                mempool.emptyCaches();
                shares.values().forEach(PoolShare::giveSurplus);
                shares.values().forEach(PoolShare::fillUp);
                shares.values().forEach(PoolShare::close);
                mempool.close();
                if (deviceMemory != null)
                {
                    deviceMemory.close();
                }
            }
        }
    }
}
