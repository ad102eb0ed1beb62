package org.fibnuma.ipnuma.pingpong;

/**
 * The way of the counter, at one end. Used by one thread, apart from {@link #wake()}; allocates nothing while counters
 * go back and forth.
 */
interface CounterLink extends AutoCloseable
{
    /** What it goes over, for people, such as {@code xdp:va}. */
    String device();

    /**
     * Sends the counter to the other end.
     *
     * @param counter any value other than the one before.
     */
    void send(int counter);

    /**
     * Looks for what the other end sent: at once where the transport is polled, else when something came or
     * {@link #wake()} was called.
     *
     * @return the counter that came last, so the same one again where nothing new came.
     */
    int poll();

    /** Ends a wait in {@link #poll()} for good; any thread. */
    void wake();

    @Override
    void close();
}
