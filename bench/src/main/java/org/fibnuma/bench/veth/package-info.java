/**
 * {@code fibnuma bench veth}: measures how fast the router, DPDK's testpmd and the kernel forward between the same two
 * veth pairs.
 * <pre>
 *   source a0 ==== r0 router r1 ==== b0 sink
 *   generator,        forwarder,        counted by b0, discarded by the
 *   one core          another core      kernel or an XDP program
 * </pre>
 * {@link org.fibnuma.bench.veth.VethRig} makes the interfaces; a {@link org.fibnuma.bench.veth.Contestant} forwards
 * between them.
 */
package org.fibnuma.bench.veth;
