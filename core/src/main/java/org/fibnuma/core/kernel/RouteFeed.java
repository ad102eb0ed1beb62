package org.fibnuma.core.kernel;

/**
 * Routes that a routing daemon sends to this process directly and not through the kernel's tables. One daemon at a
 * time. Used by the control thread only.
 */
public interface RouteFeed extends AutoCloseable
{
    /**
     * Accepts a daemon's connection and delivers pending messages, for a few ms at most, without blocking. The listener
     * is the same in each call.
     *
     * @return number of messages handled; above 0 if more may wait.
     */
    int poll(RouteFeedListener listener);

    /** Ends the connection and stops listening. The listener is not notified. */
    @Override
    void close();
}
