package org.fibnuma.fibnic.adjacency;

import org.agrona.concurrent.MessageHandler;
import org.agrona.concurrent.ringbuffer.RingBuffer;

/** The control thread's end of {@link NeighborResolveProxy}. */
public final class NeighborResolvePoller
{
    private final RingBuffer commands;
    private final MessageHandler onMessage;

    /**
     * Reads what workers ask for.
     *
     * @param commands that the proxies write.
     * @param handler  called on the thread that polls.
     */
    public NeighborResolvePoller(final RingBuffer commands, final Handler handler)
    {
        this.commands = commands;
        this.onMessage = (type, buffer, index, length) -> handler.onResolve(
            buffer.getInt(index + NeighborResolveLayout.PORT_OFFSET),
            buffer.getInt(index + NeighborResolveLayout.ADDRESS_OFFSET));
    }

    /**
     * Handles what is there.
     *
     * @param limit at most so many requests.
     * @return how many were handled.
     */
    public int poll(final int limit)
    {
        return commands.read(onMessage, limit);
    }

    /** What to do with a request. */
    @FunctionalInterface
    public interface Handler
    {
        /**
         * A worker has frames for a neighbour that nobody has resolved. The same one is asked for once a second while
         * frames wait.
         *
         * @param port    index of the port that it is behind.
         * @param address its IPv4 address.
         */
        void onResolve(int port, int address);
    }
}
