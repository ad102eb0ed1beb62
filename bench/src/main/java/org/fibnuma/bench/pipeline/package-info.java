/**
 * {@code fibnuma bench pipeline}: what one worker costs a packet, and how long a packet takes through it, with nothing
 * but rings at both ends. {@link org.fibnuma.bench.pipeline.BenchPipelineCommand} is the way in.
 */
package org.fibnuma.bench.pipeline;
