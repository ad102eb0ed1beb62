/**
 * Frames in, frames out: the stages of one worker and its duty cycle. Start with
 * {@link org.fibnuma.fibnic.datapath.ForwarderAgent#doWork()}; then read the stages in the order in which it names
 * them.
 * <pre>
 *  RxQueue -> Ipv4FastPath ------------- ordinary frames of a batch, first -----------------+
 *  (port)          | all others of the batch, after them                                    |
 *                  v                                                                        v
 *             EthernetInput -> Ipv4Input -> Ipv4Lookup -> Ipv4Options -> Ipv4Rewrite -> EgressQueues -> TxQueue
 *                  |               |  (1)    ^      ^                      |  |  |       ^     |        (port)
 *                  |               |         |      |                      |  |  v       |     |
 *                  | ARP, IPv6     | to many |      |                      |  | Ipv4Fragmenter |
 *                  v               v         |      |                      |  |  (too long)    |
 *              PuntOutput <------------------+------+----------------------+  |                |
 *               (kernel)                     |      |  to us                  | no MAC address |
 *                                            |      |                         v yet            |
 *                                            |   NeighborHold <---------------+                |
 *                                            |      | late                                     |
 *                                   messages |      v                                          |
 *  each stage, each reason -------------> IcmpErrors                                           |
 *  out by the port it came in by -------> IcmpRedirects                                        |
 *                                            |                                                 |
 *                                            v                                                 |
 *                                        DropOutput <------------------------------------------+ full
 *
 *  ChecksumCompletion (only with veth, tun and virtio ports: completes checksums right after RxQueue)
 *  (1) Ipv4ReversePath (only on a port whose rp_filter is on: drops what has a source from elsewhere)
 *  HostInput (what the kernel sends by the interface that stands for a port) -> EgressQueues
 *  PauseInput (only with lossless priorities: ends what is PAUSE or PFC before PuntOutput)
 *  PriorityTagInput (only then: takes priority tags off before EthernetInput)
 * </pre>
 * In a router with lossless priorities {@link org.fibnuma.fibnic.datapath.LosslessEgressQueues} stand in the place of
 * {@link org.fibnuma.fibnic.datapath.EgressQueues}, and {@link org.fibnuma.fibnic.lossless.PauseInput} before
 * {@link org.fibnuma.fibnic.datapath.PuntOutput}; both speak to one
 * {@link org.fibnuma.fibnic.lossless.LosslessPort} for each port, which sends the pauses.
 * A frame that is not to be forwarded stays in its {@link org.fibnuma.core.frame.FrameBatch} with its fate beside it;
 * the stages on the way pass over it, and the exits take it after the egress. A second {@code Ipv6Input} would stand
 * beside {@link org.fibnuma.fibnic.datapath.Ipv4Input}.
 */
package org.fibnuma.fibnic.datapath;
