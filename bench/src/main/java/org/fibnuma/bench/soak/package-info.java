/**
 * {@code fibnuma bench soak}: loads one router with everything at once for an hour and then checks that nothing was
 * lost without a reason, nothing has grown and no frame went to a wrong next hop.
 * <pre>
 *   left h0 ======= r0        r1 ======= h0 right, first next hop
 *   test frames        router
 *   clients h0 ==== r3        r2 ======= h1 right, second next hop
 *   TCP                       r4 ======= h0 servers, answer the clients; loss
 *                             r5 ======= h0 guest, its port comes and goes
 * </pre>
 * {@link org.fibnuma.bench.soak.SoakRig} has the hosts; each {@link org.fibnuma.bench.soak.Load} has its own thread.
 */
@org.fibnuma.core.Internal
package org.fibnuma.bench.soak;
