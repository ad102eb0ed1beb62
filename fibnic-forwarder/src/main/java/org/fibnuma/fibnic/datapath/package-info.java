/**
 * The data path: the stages of one worker and its duty cycle. Start with
 * {@code PlainForwarderAgent.doWork()}, which names every step in the order in which a frame takes it; then read the
 * stages in that order.
 * <pre>
 *  RxQueue -> ChecksumCompletion -> VlanInput               (from here on the frames of one interface at a time)
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
 *                        |                 |-> PuntOutput    (to the kernel)
 *                        |                 |-> DropOutput    (counted by reason)
 *                        v                 v
 *                     frames to forward, in the order in which they were received
 *                        |
 *                        v
 *                     IcmpRedirects -> VlanOutput -> Ipv4Fragmenter -> EgressQueues -> TxQueue
 *
 *  HostInput (frames that the kernel sends through the interface that represents a port) -> EgressQueues
 *  PriorityTagInput (only with lossless priorities: removes priority tags, before VlanInput)
 *  PauseInput (only with lossless priorities: consumes PAUSE and PFC frames, before PuntOutput)
 * </pre>
 * All frames of a batch stay in one {@link org.fibnuma.core.frame.FrameBatch}; each class is a
 * {@link org.fibnuma.core.frame.FrameList} of indices into it. A frame that is not forwarded stays in the batch with
 * its disposition until {@code EgressQueues} overwrites its position. Frames that {@code NeighborHold} releases and the
 * router's own ICMP messages take the stages from the lookup of their family on.
 * <p>
 * While a capture runs, {@link org.fibnuma.fibnic.capture.CaptureTap} copies frames where they are received, sent and
 * dropped. A batch with frames of a trace is processed by {@code ObservedStages}, which runs the same stages, and
 * {@code TraceObserver} records what each did to the traced frames. So is one batch in some thousand, whose stages
 * {@code StageClock} times.
 * <p>
 * A router with lossless priorities uses {@code LosslessForwarderAgent} and {@code LosslessEgressQueues}. Both
 * {@code LosslessEgressQueues} and {@link org.fibnuma.fibnic.lossless.PauseInput} use one
 * {@link org.fibnuma.fibnic.lossless.LosslessPort} for each port, which sends the pauses.
 * <p>
 * Each family has loops of its own, so that neither slows the other; the stages after the rewrite are shared. A router
 * whose context does not forward IPv6 leaves every IPv6 frame to the kernel in {@code EthernetInput}.
 */
package org.fibnuma.fibnic.datapath;
