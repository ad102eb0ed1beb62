/**
 * What an application on the endpoint's thread uses: a {@link org.fibnuma.ipnuma.channel.PeerChannel} for each peer, in
 * whatever format, and a {@link org.fibnuma.ipnuma.channel.ChannelListener} for answers and events.
 */
package org.fibnuma.ipnuma.channel;
