package org.fibnuma.core.kernel;

/**
 * Routes that a routing daemon hands to this process itself, so that the kernel's tables are not needed for them. One
 * daemon at a time. Used by the control thread only.
 */
public interface RouteFeed extends AutoCloseable
{
    /**
     * Accepts a daemon's connection and delivers what has arrived, for a few ms at most, without blocking.
     *
     * @param listener to notify, the same with each call.
     * @return number of messages handled; above 0 if more may wait.
     */
    int poll(RouteFeedListener listener);

    /** Ends the connection and stops listening. The listener is not notified. */
    @Override
    void close();
}
