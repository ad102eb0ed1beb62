/**
 * Two forwarders, in turn, between two links of DPDK's net_memif: memory that two processes share, each on a core of
 * its own.
 * <pre>
 *   testpmd flowgen,  left   one core: router,   in turn                returned frames are counted
 *   another core     =====>  or testpmd mac      =====&gt; right, and back   by the generator
 * </pre>
 */
@org.fibnuma.core.Internal
package org.fibnuma.bench.memif;
