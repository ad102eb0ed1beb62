/**
 * The part of {@code fibnuma bench forward} with two processes or threads that share memory through DPDK's net_memif,
 * each on a core of its own.
 * <pre>
 *   testpmd flowgen,  left   one core: router,   in turn                returned frames are counted
 *   another core     =====>  or testpmd mac      =====&gt; right, and back   by the generator
 * </pre>
 * {@link org.fibnuma.bench.memif.MemifThroughput} measures this; {@link org.fibnuma.bench.memif.MemifLatency} has a
 * generator with a configurable rate that records when each frame was due.
 */
@org.fibnuma.core.Internal
package org.fibnuma.bench.memif;
