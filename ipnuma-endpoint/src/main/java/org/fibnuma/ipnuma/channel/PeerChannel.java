package org.fibnuma.ipnuma.channel;

/**
 * Sends to and receives from one peer, whatever its format. All methods are for the endpoint's thread. Applications on
 * this thread use {@link #write}, {@link #scatter}, {@link #read}, {@link #atomic}, {@link #doorbell} and {@link
 * #flush}; the other methods are for the endpoint. No method allocates, except for what a peer needs from its first use
 * on.
 * <p>
 * The first five return whether the call was taken. A call that was not taken has no effect, and its tag is not
 * returned. There is no room then, too many tags are outstanding, the connection is being closed or, in a format
 * without connection, the MAC address of the peer is unknown. The caller repeats it after a duty cycle.
 * <p>
 * The bytes of a call that was taken are copied. They leave with {@link #flush} or when their datagram is full. In the
 * fibnuma format a call takes effect once, unless the peer refuses it or {@link ChannelListener} reports the connection
 * as lost. The other formats do not repeat what the network loses.
 */
public interface PeerChannel
{
    /** Writes bytes as {@link #write(long, long, long, int, boolean, long)}, without a tag. */
    default boolean write(
        final long remoteAddress, final long key, final long dataAddress, final int length, final boolean ordered)
    {
        return write(remoteAddress, key, dataAddress, length, ordered, 0);
    }

    /**
     * Writes bytes into a region of the peer.
     *
     * @param remoteAddress of the first byte.
     * @param key           of the region, {@link org.fibnuma.ipnuma.table.Region#NO_KEY} for none; ignored by formats
     *                      without keys.
     * @param dataAddress   native address of the bytes.
     * @param length        1 to {@link #longestWrite()}.
     * @param ordered       whether it takes effect after all writes before it; ignored by formats without
     *                      acknowledgement, whose writes take effect as they arrive.
     * @param tag           0, or returned once by {@link ChannelListener#onWritten} or
     *                      {@link ChannelListener#onUnanswered}; formats without acknowledgement do so before this
     *                      returns.
     * @return whether it was taken.
     */
    boolean write(long remoteAddress, long key, long dataAddress, int length, boolean ordered, long tag);

    /** Returns whether writes pass by memory now, and so {@link #scatter} can be used. */
    boolean passesByMemory();

    /**
     * Writes all pieces of a list into one region of the peer, if {@link #passesByMemory}. They take effect in their
     * order, after all writes before, and leave at once.
     *
     * @param regionAddress remote address of the first byte of the region.
     * @param key           of the region.
     * @param listAddress   native address of a {@link org.fibnuma.ipnuma.wire.ScatterList}.
     * @param length        of the list in bytes, 1 or more.
     * @param tag           as of a {@link #write}: 0, or returned once; refused if a piece is.
     * @return whether it was taken; if not, the pieces have to be written one by one.
     */
    boolean scatter(long regionAddress, long key, long listAddress, int length, long tag);

    /**
     * Reads bytes of a region of the peer. {@link ChannelListener#onRead} receives them.
     *
     * @param remoteAddress of the first byte.
     * @param key           of the region.
     * @param length        1 to {@link #longestRead()}; the offset of the last byte is below 2^32.
     * @param tag           returned with the answer.
     * @return whether it was taken; in a format without requests it never is.
     */
    boolean read(long remoteAddress, long key, int length, long tag);

    /**
     * Changes a number in a region of the peer atomically. {@link ChannelListener#onAtomic} receives the value before.
     *
     * @param operation     of {@link org.fibnuma.ipnuma.table.AtomicOperation}.
     * @param remoteAddress of the number, aligned to its width.
     * @param key           of the region.
     * @param operand       value to add or store.
     * @param compare       value that a compare-and-swap expects.
     * @param width         4 or 8 bytes.
     * @param tag           returned with the answer.
     * @return whether it was taken; in a format without requests it never is.
     */
    boolean atomic(
        int operation, long remoteAddress, long key, long operand, long compare, int width, long tag);

    /**
     * Rings the doorbell of the peer after everything written before has taken effect; formats without a doorbell
     * ignore it.
     *
     * @return whether it was taken.
     */
    boolean doorbell();

    /** Sends everything written so far. */
    void flush();

    /** Returns the longest write in bytes, which is the same until the next call of another method. */
    int longestWrite();

    /** Returns the longest read in bytes, 0 for formats without reads. */
    int longestRead();

    /**
     * Returns whether writes can take effect now: while there is a connection or, for formats without one, while the
     * MAC address of the peer is known.
     */
    boolean isUp();

    /** Returns whether the format of the peer uses a UDP port, the destination of a received datagram. */
    boolean usesPort(int destinationPort);

    /**
     * Processes a datagram of the peer.
     *
     * @param payloadAddress  of the first byte after the UDP header.
     * @param length          of the payload in bytes.
     * @param destinationPort UDP port to which it was sent.
     * @param ce              whether it is marked with congestion experienced.
     * @param nowNs           time of the duty cycle.
     */
    void onDatagram(long payloadAddress, int length, int destinationPort, boolean ce, long nowNs);

    /**
     * Sends what is due; returns the number of datagrams sent.
     *
     * @param nowNs time of the duty cycle.
     */
    int poll(long nowNs);

    /**
     * Returns when {@link #poll} has something to do, unless another method is called before: a time that has passed if
     * it has something to do now, {@link org.fibnuma.ipnuma.session.timing.DeadlineHeap#NEVER} if nothing.
     *
     * @param nowNs time of the duty cycle.
     */
    long dueNs(long nowNs);

    /** The MAC address of the peer is now known, has changed, or is unknown again. */
    void onMacChange();

    /**
     * Ends the connection, if there is one, as if the network had failed, because an error has interrupted a call of a
     * method, maybe of this one. The connection comes up again by itself; the listener is notified of both.
     */
    void onFault();

    /**
     * Publishes the counters of the peer to other processes.
     *
     * @param nowNs time of the duty cycle.
     * @return false if something waits for a later publication.
     */
    boolean publish(long nowNs);

    /**
     * Ends the connection with a peer that is removed, tells the listener what is not known to have taken effect, and
     * releases the memory and the counters of the channel. No other method is called afterwards.
     *
     * @param nowNs time of the duty cycle.
     */
    void remove(long nowNs);

    /**
     * Closes the connection with the peer and releases the memory of the channel.
     *
     * @param nowNs time of the duty cycle.
     */
    void close(long nowNs);
}
