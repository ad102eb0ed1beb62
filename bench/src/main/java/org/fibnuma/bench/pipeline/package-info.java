/**
 * {@code fibnuma bench pipeline}: measures one worker between rings in memory.
 * <pre>
 *   TestTraffic --&gt; left port, worker, right port --&gt; TestSink      PipelineRig, on one thread
 *
 *   BenchPipelineCommand -- PipelineMeasurement: PipelineSpeed       time of a frame and latency
 *                                                PipelineSlowdown    with exceptions and without
 *                                                PipelineAcl         with an access list and without
 *                                                PipelineRecords     with captures, traces and without
 * </pre>
 */
@org.fibnuma.core.Internal
package org.fibnuma.bench.pipeline;
