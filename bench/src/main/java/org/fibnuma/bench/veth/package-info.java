/**
 * {@code fibnuma bench veth}: how fast the router forwards between two veth pairs, beside DPDK's testpmd on the same
 * ports and the kernel itself.
 * <pre>
 *   source a0 ==== r0 router r1 ==== b0 sink
 *   generator,        forwarder,        counted by b0, discarded by the
 *   one core          another core      kernel or an XDP program
 * </pre>
 * {@link org.fibnuma.bench.veth.VethRig} is the picture, a {@link org.fibnuma.bench.veth.Contestant} what stands in
 * its middle.
 */
package org.fibnuma.bench.veth;
