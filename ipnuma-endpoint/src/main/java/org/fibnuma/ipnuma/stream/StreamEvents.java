package org.fibnuma.ipnuma.stream;

/**
 * Receives readiness, on the agent's thread, during {@link StreamAgent#doWork}. After an event a call may succeed, but
 * need not. One event may represent several changes. Methods may use channels and acceptors.
 */
public interface StreamEvents
{
    /** Ignores all events. The owner polls its channels instead. */
    StreamEvents NONE = new StreamEvents()
    {
    };

    /** Called when a channel is connected, has data or room, or has ended or failed. */
    default void onReady(final StreamChannel channel)
    {
    }

    /** Called when a connection waits in the backlog. */
    default void onAcceptable(final StreamAcceptor acceptor)
    {
    }
}
