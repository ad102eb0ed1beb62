/**
 * Ports over AF_XDP, {@code xdp:eth1}: frames come and go through rings in memory that the kernel shares with us.
 * <pre>
 *   NIC --&gt; TransitProgram --&gt; FILL chunk --&gt; XdpRxQueue --&gt; worker --&gt; XdpTxQueue --&gt; NIC
 *                 | not for us to forward      FILL, RX rings           TX, COMPLETION rings
 *                 v
 *              kernel
 * </pre>
 * One {@link org.fibnuma.binding.afxdp.XdpSocket} for each queue of the interface. Every socket registers the whole
 * memory region of the workers' pools, so that a chunk received by one is sent by another without a copy, ports in
 * zero-copy and copy mode mix, and a socket may go without the others. An entry of a ring is an offset into the region;
 * a chunk belongs to the pool, to a ring or to a batch, never to two of them.
 */
package org.fibnuma.binding.afxdp;
