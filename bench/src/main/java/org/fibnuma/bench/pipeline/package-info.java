/**
 * {@code fibnuma bench pipeline}: time per packet and latency of one worker between rings in memory.
 * {@link org.fibnuma.bench.pipeline.BenchPipelineCommand} is the entry point.
 */
@org.fibnuma.core.Internal
package org.fibnuma.bench.pipeline;
