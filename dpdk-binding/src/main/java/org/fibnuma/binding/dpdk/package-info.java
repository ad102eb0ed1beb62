/**
 * Ports over DPDK's drivers, {@code dpdk:VDEV-OR-PCI[,ARGUMENTS]}.
 * <pre>
 *   DpdkRxQueue --> batch ... --> DpdkTxQueue        one burst call each, frames stay in their mbuf
 *        |            | dropped, or sent elsewhere          |
 *        |            v                                     |
 *     driver      FramePool of the worker                 driver
 *        ^            | PoolShare: surplus                  |
 *        |            v                                     v
 *        +------- MbufPool: a mempool over the same region -+
 * </pre>
 * Every chunk of the region is an mbuf ({@link org.fibnuma.binding.dpdk.layout.MbufLayout}). Therefore a driver can
 * send any frame of the router without a copy, and any port can send a frame that a driver received. Chunks that move
 * between the mempool and a pool in this way are balanced in bulk.
 */
@org.fibnuma.core.Internal
package org.fibnuma.binding.dpdk;
