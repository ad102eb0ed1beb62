/**
 * Ports over DPDK's drivers, {@code dpdk:VDEV-OR-PCI[,ARGUMENTS]}.
 * <pre>
 *   DpdkRxQueue --> batch ... --> DpdkTxQueue        a burst call each, frames stay in their mbuf
 *        |            | dropped, or sent elsewhere          |
 *        |            v                                     |
 *     driver      FramePool of the worker                 driver
 *        ^            | PoolShare: what is too much         |
 *        |            v                                     v
 *        +------- MbufPool: a mempool over the same region -+
 * </pre>
 * Every chunk of the region is an mbuf ({@link org.fibnuma.binding.dpdk.layout.MbufLayout}), so that any frame of the
 * router, whatever port it came from, can be sent by a driver without a copy, and a frame that a driver received can be
 * dropped or sent anywhere. Chunks that thereby pass from the mempool to a pool or back are evened out in bulk.
 */
package org.fibnuma.binding.dpdk;
