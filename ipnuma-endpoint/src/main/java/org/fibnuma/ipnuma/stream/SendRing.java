package org.fibnuma.ipnuma.stream;

/** Positions of the sender of a ring, in bytes from the beginning of the connection. */
final class SendRing
{
    private final int capacity;
    private long sent;
    private long credited;

    /** Creates the positions of an empty ring, whose capacity is a power of two. */
    SendRing(final int capacity)
    {
        this.capacity = capacity;
    }

    /** Returns the free bytes of the receiver's ring. */
    int room()
    {
        return capacity - (int)(sent - credited);
    }

    /** Returns the index in the ring of the next byte to send. */
    int index()
    {
        return (int)sent & capacity - 1;
    }

    /** Returns the number of bytes that fit from {@link #index} on without a wrap. */
    int contiguous()
    {
        return Math.min(room(), capacity - index());
    }

    /** Records bytes as sent, at most {@link #contiguous}. */
    void advance(final int bytes)
    {
        sent += bytes;
    }

    long sent()
    {
        return sent;
    }

    /** Processes a position that the receiver has stored. Returns false, without effect, if it is impossible. */
    boolean onConsumed(final long position)
    {
        final boolean possible = position >= credited && position <= sent;
        credited = possible ? position : credited;
        return possible;
    }
}
