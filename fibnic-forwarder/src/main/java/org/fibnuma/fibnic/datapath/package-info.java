/**
 * The data path: the stages of one worker and its duty cycle. Start with {@code ForwarderAgent.doWork()}, then read
 * {@code Pipeline.process()}, then the stages in the order in which it calls them.
 * {@link org.fibnuma.fibnic.stage.Stage} has the same order, with counter and drop reasons of each stage.
 * <pre>
 *  RxQueue -> ChecksumCompletion
 *                                     v
 *                                   PriorityTagInput         (only with lossless priorities: removes priority tags)
 *                                     v
 *                                   VlanInput                (from here on frames that their interfaces receive alike)
 *                                     v
 *                                   FrameClassifier
 *                                     |    |    |
 *                       ordinary IPv4 |    |    | exceptions
 *                                     |    |    v
 *                                     |    |  EthernetInput
 *                                     |    |    |        |
 *                                     |    |   IPv6     IPv4
 *                       ordinary IPv6 |    |    v        v
 *                                     |    | Ipv6Input  Ipv4Input
 *                                     |    |    |        |
 *                        +------------+    |    |        |
 *                        v                 v    v        v
 *                     AccessInput          (both families; only on a port with an access list)
 *                        v                 |
 *                     Ipv4ReversePath      |                 (only on a port with rp_filter)
 *                        v                 v
 *                     FlowInput            (both families; only on a host with packet filters)
 *                        v                 v
 *                     Ipv4Lookup         Ipv6Lookup
 *                        v                 v
 *                     MultipathSelection   (both families; only while a route has several next hops)
 *                        |                 |
 *                     Ipv4Options          |                 (exceptions only)
 *                        v                 v
 *                     Ipv4Rewrite        Ipv6Rewrite         ordinary frames that the adjacency does not forward as
 *                        |                 |                 they are become exceptions
 *                        v                 v
 *                     AccessOutput         (both families; only if a port of the batch has an access list)
 *                        |                 |
 *                        +-> IcmpErrors    +-> Icmpv6Errors  (a message to the sender of a dropped frame)
 *                        |                 |
 *                        +-----------------+-> NeighborHold  (exceptions: waits until the neighbour is resolved)
 *                        |                 |-> PauseInput    (only with lossless priorities: PAUSE and PFC frames)
 *                        |                 |-> PuntOutput    (to the kernel)
 *                        |                 |-> DropOutput    (counted by reason)
 *                        v                 v
 *                     frames to forward, in the order in which they were received
 *                        |
 *                        v
 *                     IcmpRedirects -> VlanOutput -> Ipv4Fragmenter -> EgressQueues -> TxQueue
 *
 *  HostInput (frames that the kernel sends through the interface that represents a port) -> EgressQueues
 * </pre>
 * All frames of a batch stay in one {@link org.fibnuma.core.frame.FrameBatch}; each class is a
 * {@link org.fibnuma.core.frame.FrameList} of indices into it. A frame that is not forwarded stays in the batch with
 * its disposition until {@code EgressQueues} overwrites its position. Frames that {@code NeighborHold} releases and the
 * router's own ICMP messages take the stages from the lookup of their family on.
 * <p>
 * While a capture runs, {@link org.fibnuma.fibnic.capture.CapturePoint} copies frames where they are received, sent and
 * dropped. {@code TraceObserver} records what each stage did to the traced frames of a batch. {@code StageClock} times
 * the stages for one batch in some thousand.
 * <p>
 * A router with lossless priorities has two more stages, and {@code LosslessEgressQueues} as egress. The egress and
 * {@code PauseInput} use one {@link org.fibnuma.fibnic.lossless.LosslessPort} for each port, which sends the PFC
 * pauses.
 * <p>
 * Each family has loops of its own, so that neither slows the other; the stages after the rewrite are shared. A router
 * whose context does not forward IPv6 leaves every IPv6 frame to the kernel in {@code EthernetInput}.
 */
@org.fibnuma.core.Internal
package org.fibnuma.fibnic.datapath;
