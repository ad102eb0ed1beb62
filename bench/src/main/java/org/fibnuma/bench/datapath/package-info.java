/**
 * JMH benchmarks of the loops of the router's data path. A loop that needs packets gets batches of short frames of
 * 65,536 flows, which are copied before each use.
 */
@org.fibnuma.core.Internal
package org.fibnuma.bench.datapath;
