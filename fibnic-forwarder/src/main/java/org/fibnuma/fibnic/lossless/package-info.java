/**
 * The parts of a router with lossless priorities: one {@link org.fibnuma.fibnic.lossless.LosslessPort} for each port,
 * which combines the classes of {@code org.fibnuma.pfc}, and published counters. Its stages {@code PriorityTagInput}
 * and {@code PauseInput} and its {@code LosslessEgressQueues} are in the data path. A router without lossless
 * priorities does not create any of them.
 */
@org.fibnuma.core.Internal
package org.fibnuma.fibnic.lossless;
