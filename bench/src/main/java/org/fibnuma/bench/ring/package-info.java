/**
 * A deadlock of real routers, and none: {@link org.fibnuma.bench.ring.MemoryRing} has four of them on a ring in this
 * process, on a clock of its own; what they forward by is what {@code fabric plan} exports, or shortest paths.
 * {@link org.fibnuma.bench.ring.WaitingRouters} reads from their counters which of them wait for which.
 * <pre>
 *   hosts 0, 1        hosts 2, 3
 *       |                 |
 *      S0 -------------- S1        every host sends to one at the switch across,
 *       |                 |        as fast as its link, and obeys pauses
 *      S3 -------------- S2
 *       |                 |
 *   hosts 6, 7        hosts 4, 5
 * </pre>
 * Two hosts at each router: at a full link the router takes its inputs in turn, so that two frames begin their way for
 * one that ends it at the next router, and what has a router more to go fills the buffers of the ring.
 */
package org.fibnuma.bench.ring;
