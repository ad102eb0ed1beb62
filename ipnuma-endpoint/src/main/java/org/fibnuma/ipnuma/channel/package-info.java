/**
 * The interface of an application on the endpoint's thread to the traffic with a peer:
 * <ol>
 * <li>{@link org.fibnuma.ipnuma.channel.PeerChannel} accepts stores, reads and atomics. Its contract holds for
 * everything that passes them on to it: page windows, clients in other processes, streams.
 * <li>{@link org.fibnuma.ipnuma.channel.ChannelListener} receives answers and events.
 * </ol>
 * The package {@code endpoint} implements the channels, and lists the path of a write.
 */
package org.fibnuma.ipnuma.channel;
