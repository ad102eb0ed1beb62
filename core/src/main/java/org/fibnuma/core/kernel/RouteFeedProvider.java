package org.fibnuma.core.kernel;

import org.fibnuma.core.UserException;

import java.net.InetSocketAddress;

/** Opens {@link RouteFeed}; found through {@link java.util.ServiceLoader}. */
public interface RouteFeedProvider
{
    /**
     * Listens for a routing daemon.
     *
     * @param address to listen on, resolved; port 0 for any free one.
     * @throws UserException with one line for the user if it cannot listen there.
     */
    RouteFeed listen(InetSocketAddress address);
}
