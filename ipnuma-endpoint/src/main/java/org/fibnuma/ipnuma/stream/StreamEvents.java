package org.fibnuma.ipnuma.stream;

/**
 * Receives readiness, on the agent's thread, during {@link StreamAgent#doWork}. An event says that it is worth trying;
 * one event may stand for several changes, and may turn out to be none. Methods may use channels and acceptors.
 */
public interface StreamEvents
{
    /** Ignores everything; the owner tries its channels instead. */
    StreamEvents NONE = new StreamEvents()
    {
    };

    /**
     * A channel is connected, has data or room, or has ended or failed.
     *
     * @param channel to try.
     */
    default void onReady(final StreamChannel channel)
    {
    }

    /**
     * A connection waits in the backlog.
     *
     * @param acceptor to try.
     */
    default void onAcceptable(final StreamAcceptor acceptor)
    {
    }
}
