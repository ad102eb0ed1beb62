/**
 * Ports over AF_XDP, {@code xdp:eth1}: frames are exchanged with the kernel through rings in shared memory.
 * <pre>
 *   NIC --&gt; TransitProgram --&gt; FILL chunk --&gt; XdpRxQueue --&gt; worker --&gt; XdpTxQueue --&gt; NIC
 *                 | not to be forwarded       FILL, RX rings            TX, COMPLETION rings
 *                 v
 *              kernel &lt;-- PuntProgram &lt;-- XdpKernelQueue &lt;-- worker
 * </pre>
 * Each queue of the interface has an {@link org.fibnuma.binding.afxdp.XdpSocket}. Every socket registers the whole
 * memory region of the workers' pools. Therefore one socket sends a chunk that another one received without a copy,
 * ports in zero-copy and copy mode can be combined, and sockets can be closed independently. An entry of a ring is an
 * offset into the region. Exactly one pool, ring or batch owns a chunk.
 */
@org.fibnuma.core.Internal
package org.fibnuma.binding.afxdp;
