/**
 * {@code fibnuma bench flows}: measures how fast the packets of established connections are forwarded on a host with a
 * stateful packet filter and masquerading, beside the kernel alone, also with a flowtable, and beside the router
 * on a host without filters.
 * <pre>
 *   left h0 ==== r0 router r1 ==== h0 right
 *   generator,        forwarder,        answers until the connections are established,
 *   one core          another core      then counts and discards in an XDP program
 * </pre>
 * {@link org.fibnuma.bench.flows.FlowsRig} makes the connections; a {@link org.fibnuma.bench.lab.Contestant} forwards.
 */
@org.fibnuma.core.Internal
package org.fibnuma.bench.flows;
