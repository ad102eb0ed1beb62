/**
 * {@code fibnuma bench veth}: measures how fast the router, DPDK's testpmd and the kernel forward between the same two
 * veth pairs.
 * <pre>
 *   left h0 ==== r0 router r1 ==== h0 right
 *   generator,        forwarder,        counted by h0, discarded by the
 *   one core          another core      kernel or an XDP program
 * </pre>
 * {@link org.fibnuma.bench.veth.VethRig} generates and counts; a {@link org.fibnuma.bench.lab.Contestant} forwards.
 */
@org.fibnuma.core.Internal
package org.fibnuma.bench.veth;
