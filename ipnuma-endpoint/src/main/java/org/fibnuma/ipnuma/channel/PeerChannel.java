package org.fibnuma.ipnuma.channel;

/**
 * Everything that goes to and comes from one peer, whatever its format. Used by the endpoint's thread alone, by
 * applications on it too: {@link #write}, {@link #read}, {@link #atomic}, {@link #doorbell} and {@link #flush} are
 * theirs, the rest is the endpoint's. Nothing here allocates.
 */
public interface PeerChannel
{
    /**
     * Writes bytes as {@link #write(long, long, long, int, boolean, long)} does, and wants no word of them.
     *
     * @param remoteAddress of the first byte.
     * @param key           of the region.
     * @param dataAddress   native address of the bytes.
     * @param length        1 to {@link #longestWrite()}.
     * @param ordered       whether it lands after all writes before it.
     * @return false where it was not taken.
     */
    default boolean write(
        final long remoteAddress, final long key, final long dataAddress, final int length, final boolean ordered)
    {
        return write(remoteAddress, key, dataAddress, length, ordered, 0);
    }

    /**
     * Writes bytes into a region of the peer; they may wait for {@link #flush} or for more writes that fit beside them.
     *
     * @param remoteAddress of the first byte.
     * @param key           of the region, {@link org.fibnuma.ipnuma.table.Region#NO_KEY} for none; formats without
     *                      keys show none.
     * @param dataAddress   native address of the bytes, which are copied before this returns.
     * @param length        1 to {@link #longestWrite()}.
     * @param ordered       whether it lands after all writes before it; formats that repeat nothing land as the
     *                      network brings them.
     * @param tag           0, or given back once with {@link ChannelListener#onWritten} or
     *                      {@link ChannelListener#onUnanswered}; formats that acknowledge nothing do so before this
     *                      returns.
     * @return false where it was not taken, because there is no room now, too many tags are out or the peer cannot be
     *         reached: nothing was done, try again after a duty cycle.
     */
    boolean write(long remoteAddress, long key, long dataAddress, int length, boolean ordered, long tag);

    /**
     * Asks for bytes of a region of the peer; they come to {@link ChannelListener#onRead}.
     *
     * @param remoteAddress of the first byte.
     * @param key           of the region.
     * @param length        1 to {@link #longestRead()}.
     * @param tag           given back with the answer.
     * @return false where it was not taken: no room now, no connection, or a format that cannot ask.
     */
    boolean read(long remoteAddress, long key, int length, long tag);

    /**
     * Changes a number in a region of the peer in one step; the value before comes to
     * {@link ChannelListener#onAtomic}.
     *
     * @param operation     of {@link org.fibnuma.ipnuma.table.AtomicOperation}.
     * @param remoteAddress of the number, aligned to its width.
     * @param key           of the region.
     * @param operand       to add or store.
     * @param compare       for compare and swap.
     * @param width         4 or 8 bytes.
     * @param tag           given back with the answer.
     * @return false where it was not taken: no room now, no connection, or a format that cannot ask.
     */
    boolean atomic(
        int operation, long remoteAddress, long key, long operand, long compare, int width, long tag);

    /**
     * Rings at the peer once everything written before has landed; formats without a doorbell ignore it.
     *
     * @return false where there is no room now.
     */
    boolean doorbell();

    /** Lets everything written so far leave now. */
    void flush();

    /**
     * Longest write.
     *
     * @return bytes.
     */
    int longestWrite();

    /**
     * Longest read.
     *
     * @return bytes; 0 where the format cannot ask.
     */
    int longestRead();

    /**
     * Whether writes can land now.
     *
     * @return true while the connection stands; always for formats without one, once the peer's station is known.
     */
    boolean isUp();

    /**
     * Whether the peer's format uses a UDP port.
     *
     * @param destinationPort of a datagram received from it.
     * @return false where the datagram is not for this channel.
     */
    boolean usesPort(int destinationPort);

    /**
     * Takes a datagram that the peer sent.
     *
     * @param payloadAddress  of its first byte behind the UDP header.
     * @param length          of the payload in bytes.
     * @param destinationPort that it came to.
     * @param ce              whether the network marked it as having met congestion.
     * @param nowNs           the time of the duty cycle.
     */
    void onDatagram(long payloadAddress, int length, int destinationPort, boolean ce, long nowNs);

    /**
     * Sends what is due.
     *
     * @param nowNs the time of the duty cycle.
     * @return how many datagrams were sent.
     */
    int poll(long nowNs);

    /** The peer's station has become known, another one, or unknown. */
    void onStation();

    /**
     * Ends the connection, if there is one, as if the network had failed: a call was interrupted by an error. It comes
     * up again by itself, and the listener is told both.
     */
    void onFault();

    /** Shows others how the peer is doing; now and then. */
    void publish();

    /**
     * Says goodbye to the peer, and gives the channel's memory back.
     *
     * @param nowNs the time of the duty cycle.
     */
    void close(long nowNs);
}
