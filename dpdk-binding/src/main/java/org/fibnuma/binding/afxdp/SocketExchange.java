package org.fibnuma.binding.afxdp;

/**
 * The protocol that replaces the socket of a queue pair. The control thread opens and closes sockets; only the worker
 * uses rings and its pool. Each thread takes its own steps, in this order, and neither waits for the other:
 * <pre>
 *   control   requests STOP      closes: CLOSED        opens: OPENED       binds: READY
 *                  \             /        \            /        \          /       \
 *   worker          IDLE: no use          EMPTY: chunks         FILLED: chunks      IN_USE
 *                                         in its pool           in the FILL ring
 * </pre>
 * If the interface refuses the socket, CLOSED follows FILLED. One thread only ends each phase; STOP follows only
 * IN_USE. Writes of a thread before its step are visible to the other thread after it.
 */
final class SocketExchange
{
    enum Phase
    {
        /** No socket; the worker has all chunks. */
        EMPTY,
        /** A socket is open but not bound; the worker must fill its FILL ring. */
        OPENED,
        /** The socket can be bound. */
        FILLED,
        /** The socket is bound; the worker must start to use it. */
        READY,
        IN_USE,
        /** The worker must stop using the socket. */
        STOP,
        /** The socket can be closed. */
        IDLE,
        /** The socket is closed; the worker must return the chunks to its pool. */
        CLOSED
    }

    private volatile Phase phase = Phase.EMPTY;

    Phase phase()
    {
        return phase;
    }

    void phase(final Phase next)
    {
        phase = next;
    }

    boolean isInUse()
    {
        return phase == Phase.IN_USE;
    }
}
