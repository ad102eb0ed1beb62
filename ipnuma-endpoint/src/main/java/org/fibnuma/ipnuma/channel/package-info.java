/**
 * What an application on the endpoint's thread uses of the traffic with a peer:
 * <ol>
 * <li>{@link org.fibnuma.ipnuma.channel.PeerChannel} takes stores, reads and atomics. Its contract holds for everything
 * that passes them on to it: page windows, clients in other processes, streams.
 * <li>{@link org.fibnuma.ipnuma.channel.ChannelListener} receives answers and events.
 * </ol>
 * The package {@code endpoint} implements the channels, and says the way of a store in one list.
 */
package org.fibnuma.ipnuma.channel;
