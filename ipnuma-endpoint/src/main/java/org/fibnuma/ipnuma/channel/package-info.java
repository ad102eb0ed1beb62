/**
 * The traffic with each peer: one {@link org.fibnuma.ipnuma.channel.PeerChannel} per peer, in the format of the peer.
 * <pre>
 *   application, PageWindow --> PeerChannel --> PeerOutput --> FrameOutput --> TxQueue
 *            UdpInput ------------^   |
 *                                     v
 *                        RegionTable, ChannelListener
 * </pre>
 * {@link org.fibnuma.ipnuma.channel.PeerSchedule} decides which channels a duty cycle polls. All classes are for the
 * endpoint's thread.
 */
package org.fibnuma.ipnuma.channel;
