package org.fibnuma.binding.afxdp;

/**
 * Whose turn it is while a queue pair gets another socket. The control thread opens and closes sockets, the worker
 * alone uses rings and its pool; each takes the steps of its side, in this order, and neither waits for the other:
 * <pre>
 *   control   asks: STOP         closes: CLOSED        opens: OPENED       binds: READY
 *                  \             /        \            /        \          /       \
 *   worker          IDLE: no use          EMPTY: chunks         FILLED: chunks      IN_USE
 *                                         in its pool           in the FILL ring
 * </pre>
 * From FILLED it also goes back to CLOSED, where the interface refuses the socket. Each phase ends by the step of one
 * side alone: STOP is asked for where the socket is IN_USE, not before. What one side wrote before its step the other
 * sees after it.
 */
final class SocketExchange
{
    /** Where a queue pair is. */
    enum Phase
    {
        /** There is no socket, and the worker has all chunks. */
        EMPTY,
        /** There is a socket that is not bound yet: the worker is to fill its FILL ring. */
        OPENED,
        /** The socket can be bound. */
        FILLED,
        /** The socket is bound: the worker is to use it. */
        READY,
        /** The worker uses the socket. */
        IN_USE,
        /** The worker is to stop to use the socket. */
        STOP,
        /** The socket can be closed. */
        IDLE,
        /** The socket is closed: the worker is to take the chunks back. */
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
