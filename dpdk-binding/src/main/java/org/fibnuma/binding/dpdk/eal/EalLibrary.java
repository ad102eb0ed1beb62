package org.fibnuma.binding.dpdk.eal;

/**
 * librte_eal (rte_eal.h, rte_version.h, rte_lcore.h, rte_memory.h, rte_dev.h, rte_log.h, rte_errno.h, rte_alarm.h;
 * 22.11 to 24.11). Pointers and {@code size_t} are {@code long}. A negative result is a negated errno, unless stated
 * otherwise. Public because jnr-ffi implements it from another class loader.
 */
public interface EalLibrary
{
    /** {@code const char *rte_version(void)}. */
    String rte_version();

    /** {@code int rte_eal_init(int argc, char **argv)}: -1 with {@code rte_errno}. */
    int rte_eal_init(int argc, long argv);

    /** {@code const char *rte_eal_get_runtime_dir(void)}: of this process's file prefix. */
    String rte_eal_get_runtime_dir();

    /** {@code int rte_thread_register(void)}: assigns an lcore to the calling thread; -1 with {@code rte_errno}. */
    int rte_thread_register();

    /** {@code void rte_thread_unregister(void)}: releases the lcore of the calling thread. */
    void rte_thread_unregister();

    /** {@code const char *rte_strerror(int errnum)}. */
    String rte_strerror(int errnum);

    /** {@code enum rte_iova_mode rte_eal_iova_mode(void)}. */
    int rte_eal_iova_mode();

    /** {@code rte_iova_t rte_mem_virt2iova(const void *virt)}. */
    long rte_mem_virt2iova(long virt);

    /**
     * {@code int rte_extmem_register(void *va_addr, size_t len, rte_iova_t iova_addrs[], unsigned int n_pages,
     * size_t page_sz)}: -1 with {@code rte_errno}.
     */
    int rte_extmem_register(long vaAddr, long len, long iovaAddrs, int pages, long pageSize);

    /** {@code int rte_extmem_unregister(void *va_addr, size_t len)}: -1 with {@code rte_errno}. */
    int rte_extmem_unregister(long vaAddr, long len);

    /** {@code int rte_dev_dma_map(struct rte_device *dev, void *addr, uint64_t iova, size_t len)}. */
    int rte_dev_dma_map(long device, long address, long iova, long length);

    /** {@code int rte_dev_dma_unmap(struct rte_device *dev, void *addr, uint64_t iova, size_t len)}. */
    int rte_dev_dma_unmap(long device, long address, long iova, long length);

    /** {@code int rte_dev_probe(const char *devargs)}. */
    int rte_dev_probe(String devargs);

    /** {@code int rte_dev_remove(struct rte_device *dev)}. */
    int rte_dev_remove(long device);

    /** {@code int rte_openlog_stream(FILE *f)}. */
    int rte_openlog_stream(long stream);

    /**
     * {@code int rte_eal_alarm_set(uint64_t us, rte_eal_alarm_callback cb, void *cb_arg)}: calls
     * {@code void (*cb)(void *)} on the interrupt thread after 1 us or more.
     */
    int rte_eal_alarm_set(long us, long callback, long argument);

    /**
     * {@code int rte_eal_alarm_cancel(rte_eal_alarm_callback cb_fn, void *cb_arg)}: waits for the end of a call that
     * has begun, and returns the number of alarms that were removed before their call.
     */
    int rte_eal_alarm_cancel(long callback, long argument);
}
