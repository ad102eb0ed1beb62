/**
 * What goes to and comes from one peer: one {@link org.fibnuma.ipnuma.channel.PeerChannel} for each, of the format that
 * the peer speaks.
 * <pre>
 *   application, PageWindow --> PeerChannel --> PeerOutput --> FrameOutput --> TxQueue
 *            UdpInput ------------^   |
 *                                     v
 *                        RegionTable, ChannelListener
 * </pre>
 * All of it belongs to the endpoint's thread.
 */
package org.fibnuma.ipnuma.channel;
