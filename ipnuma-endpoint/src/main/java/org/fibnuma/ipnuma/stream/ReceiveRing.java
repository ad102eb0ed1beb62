package org.fibnuma.ipnuma.stream;

/** Positions of the receiver of a ring, in bytes from the beginning of the connection. */
final class ReceiveRing
{
    /** The sender gets credits for at least a quarter of the ring, so that credits are rarer than data. */
    private static final int CREDIT_SHARE = 4;

    private final int capacity;
    private long received;
    private long consumed;
    private long credited;

    /** Creates the positions of an empty ring, whose capacity is a power of two. */
    ReceiveRing(final int capacity)
    {
        this.capacity = capacity;
    }

    int available()
    {
        return (int)(received - consumed);
    }

    /** Returns the index in the ring of the next byte to consume. */
    int index()
    {
        return (int)consumed & capacity - 1;
    }

    /** Returns the number of bytes available from {@link #index} on without a wrap. */
    int contiguous()
    {
        return Math.min(available(), capacity - index());
    }

    /** Records bytes as consumed, at most {@link #available}. */
    void consume(final int bytes)
    {
        consumed += bytes;
    }

    /** Returns whether {@link #consumed} has to be sent as credits. */
    boolean isCreditDue()
    {
        return consumed - credited >= capacity / CREDIT_SHARE;
    }

    long consumed()
    {
        return consumed;
    }

    /** Records that {@link #consumed} was sent as credits. */
    void onCredited()
    {
        credited = consumed;
    }

    long received()
    {
        return received;
    }

    /** Processes a position that the sender has stored. Returns false, without effect, if it is impossible. */
    boolean onWritten(final long position)
    {
        final boolean possible = position >= received && position - credited <= capacity;
        received = possible ? position : received;
        return possible;
    }
}
