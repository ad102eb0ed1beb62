package org.fibnuma.binding.dpdk.eal;

import org.fibnuma.binding.libc.StructMemory;
import org.fibnuma.core.UserException;
import org.fibnuma.core.memory.PageSource;

/**
 * Memory of this process that network cards read and write. It is registered with DPDK and mapped in each card's IOMMU.
 * A card without an IOMMU (uio) needs no mapping, and virtual devices need neither. Used by the control thread.
 */
public final class DeviceMemory implements AutoCloseable
{
    /** ENOTSUP: the card's kernel driver is not vfio. */
    private static final int NO_IOMMU = 95;

    private final Eal eal;
    private final long address;
    private final long size;

    private DeviceMemory(final Eal eal, final long address, final long size)
    {
        this.eal = eal;
        this.address = address;
        this.size = size;
    }

    /**
     * Registers a region, which is closed after the last device.
     *
     * @param eal     started.
     * @param address a multiple of the memory page size.
     * @param size    in bytes; the rest of the last memory page is registered too.
     * @throws UserException if DPDK refuses.
     */
    public static DeviceMemory register(final Eal eal, final long address, final long size)
    {
        final int pages = (int)((size + PageSource.PAGE_SIZE - 1) / PageSource.PAGE_SIZE);
        try (StructMemory addresses = new StructMemory(pages * Long.BYTES))
        {
            for (int page = 0; page < pages; page++)
            {
                addresses.putLong(page * Long.BYTES, deviceAddress(eal, address + (long)page * PageSource.PAGE_SIZE));
            }
            final long length = (long)pages * PageSource.PAGE_SIZE;
            if (eal.libraries().eal().rte_extmem_register(
                address, length, addresses.address(), pages, PageSource.PAGE_SIZE) != 0)
            {
                throw new UserException("DPDK refuses to register frame memory for cards: " + eal.lastError());
            }
            return new DeviceMemory(eal, address, length);
        }
    }

    private static long deviceAddress(final Eal eal, final long virtual)
    {
        return eal.usesPhysicalAddresses() ? eal.libraries().eal().rte_mem_virt2iova(virtual) : virtual;
    }

    /**
     * Maps the memory for a card on the PCI bus.
     *
     * @throws UserException if its IOMMU refuses the mapping.
     */
    public void map(final EthDevice device)
    {
        final long step = eal.usesPhysicalAddresses() ? PageSource.PAGE_SIZE : size;
        for (long offset = 0; offset < size; offset += step)
        {
            final long at = address + offset;
            if (eal.libraries().eal().rte_dev_dma_map(device.device(), at, deviceAddress(eal, at), step) != 0)
            {
                if (eal.lastErrorNumber() == NO_IOMMU)
                {
                    return;
                }
                throw new UserException("the IOMMU refuses to map " + (size >> 20) + " MiB of frames: " +
                    eal.lastError() + "; raise the limit of locked memory: ulimit -l unlimited");
            }
        }
    }

    /** Removes the mapping of {@link #map}. */
    public void unmap(final EthDevice device)
    {
        final long step = eal.usesPhysicalAddresses() ? PageSource.PAGE_SIZE : size;
        for (long offset = 0; offset < size; offset += step)
        {
            final long at = address + offset;
            if (eal.libraries().eal().rte_dev_dma_unmap(device.device(), at, deviceAddress(eal, at), step) != 0)
            {
                return;
            }
        }
    }

    @Override
    public void close()
    {
        eal.libraries().eal().rte_extmem_unregister(address, size);
    }
}
