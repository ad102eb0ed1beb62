/**
 * The part of {@code fibnuma bench forward} with two processes or threads that meet in shared memory, by DPDK's
 * net_memif, each on a core of its own.
 * <pre>
 *   testpmd flowgen,  left   one core: router,   in turn                what comes back is counted
 *   another core     =====>  or testpmd mac      =====&gt; right, and back   by the generator
 * </pre>
 * {@link org.fibnuma.bench.memif.MemifThroughput} is that picture; {@link org.fibnuma.bench.memif.MemifLatency} has a
 * generator of our own, which can be told how fast to go and knows when each frame was due.
 */
package org.fibnuma.bench.memif;
