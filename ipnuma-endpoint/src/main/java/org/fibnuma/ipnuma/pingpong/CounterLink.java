package org.fibnuma.ipnuma.pingpong;

/**
 * One end of the connection that transports the counter. Used by one thread, except {@link #wake()}. Allocates nothing
 * while counters are exchanged.
 */
public interface CounterLink extends AutoCloseable
{
    /** Returns the port or address for display, such as {@code xdp:va}. */
    String device();

    /** Sends the counter, which differs from the previous one, to the other end. */
    void send(int counter);

    /**
     * Receives from the other end. Depending on the transport, polls, or blocks until a counter arrives or {@link
     * #wake()} is called.
     *
     * @return the last counter received, which is the previous one if no other has arrived.
     */
    int poll();

    /** Ends the wait in {@link #poll()} and all later ones; for any thread. */
    void wake();

    @Override
    void close();
}
