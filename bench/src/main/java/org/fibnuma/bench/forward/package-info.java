/**
 * {@code fibnuma bench forward}: how fast the router forwards between DPDK's own virtual devices on one core, beside
 * DPDK's {@code testpmd} on the same devices, in turn; with {@code --l3fwd} beside its sample router as well, which
 * {@link org.fibnuma.bench.forward.L3fwdProgram} builds on the spot.
 * <pre>
 *   frames of a pcap file,     one core:               counted by the driver
 *   replayed without end       router, testpmd mac,    and freed
 *   net_pcap (infinite_rx) --> testpmd io (, l3fwd) --> net_null (no-rx)
 * </pre>
 * {@link org.fibnuma.bench.forward.ForwardRig} is the picture, a {@link org.fibnuma.bench.forward.Contender} what is
 * between; {@link org.fibnuma.bench.forward.StageCosts} takes the router's time apart.
 */
package org.fibnuma.bench.forward;
