/**
 * A deadlock of real routers, and its absence: {@link org.fibnuma.bench.ring.MemoryRing} has four routers on a ring in
 * this process, on a virtual clock, with the tables that {@code fabric plan} exports or with shortest paths.
 * {@link org.fibnuma.bench.ring.WaitingRouters} finds out from their counters which of them wait for which.
 * <pre>
 *   hosts 0, 1        hosts 2, 3
 *       |                 |
 *      S0 -------------- S1        every host sends to one at the switch across,
 *       |                 |        as fast as its link, and obeys pauses
 *      S3 -------------- S2
 *       |                 |
 *   hosts 6, 7        hosts 4, 5
 * </pre>
 * Each router has two hosts and serves the inputs of a full link in turn: of three frames, one ends at the next router,
 * and two from its own hosts have a further router to pass. These fill the buffers of the ring.
 */
@org.fibnuma.core.Internal
package org.fibnuma.bench.ring;
