/**
 * The traffic with each peer: one {@link org.fibnuma.ipnuma.channel.PeerChannel} per peer, in the format of the peer.
 * <pre>
 *   application, PageWindow --> PeerChannel --> PeerOutput --> FrameOutput --> TxQueue
 *            UdpInput ------------^   |
 *                                     v
 *                        RegionTable, ChannelListener
 * </pre>
 * All classes are for the endpoint's thread.
 */
package org.fibnuma.ipnuma.channel;
