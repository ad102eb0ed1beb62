/**
 * {@code fibnuma bench forward}: measures how fast the router and DPDK's {@code testpmd} forward between the same
 * virtual devices of DPDK on one core, in turn: IPv4, IPv6, and both alternating. With {@code --l3fwd} it also
 * measures DPDK's sample router, which {@link org.fibnuma.bench.forward.L3fwdProgram} builds from its source.
 * <pre>
 *   frames of a pcap file,     one core:               counted by the driver
 *   replayed without end       router, testpmd mac,    and freed
 *   net_pcap (infinite_rx) --> testpmd io (, l3fwd) --> net_null (no-rx)
 * </pre>
 * {@link org.fibnuma.bench.forward.ForwardRig} provides the devices, a {@link org.fibnuma.bench.lab.Contestant}
 * forwards between them; {@link org.fibnuma.bench.forward.StageCosts} measures the parts of the router's time.
 */
@org.fibnuma.core.Internal
package org.fibnuma.bench.forward;
