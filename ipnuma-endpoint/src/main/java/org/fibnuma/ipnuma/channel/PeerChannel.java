package org.fibnuma.ipnuma.channel;

/**
 * Sends to and receives from one peer of any format. All methods are for the endpoint's thread. Applications on this
 * thread use {@link #write}, {@link #scatter}, {@link #read}, {@link #atomic}, {@link #doorbell} and {@link #flush};
 * the other methods are for the endpoint. Methods allocate only the memory that a peer needs from its first use on.
 * <p>
 * The first five return whether the call was accepted. A rejected call has no effect, and its request tag is not
 * returned. Reasons are: no room, too many unanswered request tags, a closing connection and, in a format without
 * connection, an unknown MAC address of the peer. The caller repeats the call after a duty cycle.
 * <p>
 * The bytes of an accepted call are copied. They are sent by {@link #flush} or when their datagram is full. In the
 * fibnuma format a call takes effect once, unless the peer refuses it or {@link ChannelListener} reports the connection
 * as lost. The other formats do not repeat lost datagrams.
 */
public interface PeerChannel
{
    /** Writes bytes as {@link #write(long, long, long, int, boolean, long)} does, without a request tag. */
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
     * @param ordered       whether the write takes effect after all earlier writes; ignored by formats without
     *                      acknowledgement, whose writes take effect as they arrive.
     * @param tag           0, or a request tag. {@link ChannelListener#onWritten} or {@link
     *                      ChannelListener#onUnanswered} returns it once, in formats without acknowledgement before
     *                      this method returns.
     * @return whether it was accepted.
     */
    boolean write(long remoteAddress, long key, long dataAddress, int length, boolean ordered, long tag);

    /** Returns whether writes currently pass by memory, so that {@link #scatter} can be used. */
    boolean passesByMemory();

    /**
     * Writes all pieces of a list into one region of the peer, if {@link #passesByMemory}. They take effect in their
     * order, after all earlier writes, and are sent at once.
     *
     * @param regionAddress remote address of the first byte of the region.
     * @param key           of the region.
     * @param listAddress   native address of a {@link org.fibnuma.ipnuma.wire.ScatterList}.
     * @param length        of the list in bytes, 1 or more.
     * @param tag           as of a {@link #write}: 0, or a request tag that is returned once. The list is reported as
     *                      refused if a piece is.
     * @return whether it was accepted. If not, the pieces have to be written one by one.
     */
    boolean scatter(long regionAddress, long key, long listAddress, int length, long tag);

    /**
     * Reads bytes of a region of the peer. {@link ChannelListener#onRead} receives them.
     *
     * @param remoteAddress of the first byte.
     * @param key           of the region.
     * @param length        1 to {@link #longestRead()}; the offset of the last byte is below 2^32.
     * @param tag           request tag, returned with the answer.
     * @return whether it was accepted. Always false in a format without requests.
     */
    boolean read(long remoteAddress, long key, int length, long tag);

    /**
     * Changes a number in a region of the peer atomically. {@link ChannelListener#onAtomic} receives the previous
     * value.
     *
     * @param operation     of {@link org.fibnuma.ipnuma.table.AtomicOperation}.
     * @param remoteAddress of the number, aligned to its width.
     * @param key           of the region.
     * @param operand       value to add or store.
     * @param compare       value that a compare-and-swap expects.
     * @param width         4 or 8 bytes.
     * @param tag           request tag, returned with the answer.
     * @return whether it was accepted. Always false in a format without requests.
     */
    boolean atomic(
        int operation, long remoteAddress, long key, long operand, long compare, int width, long tag);

    /**
     * Sends a doorbell to the peer, which is delivered after everything written before has taken effect. Formats
     * without a doorbell ignore it.
     *
     * @return whether it was accepted.
     */
    boolean doorbell();

    /** Sends everything written so far. */
    void flush();

    /** Returns the longest write in bytes, which does not change until the next call of another method. */
    int longestWrite();

    /** Returns the longest read in bytes, 0 for formats without reads. */
    int longestRead();

    /**
     * Returns whether writes can take effect now: with a connection or, for formats without connection, with a resolved
     * MAC address of the peer.
     */
    boolean isUp();

    /** Returns whether the format of the peer uses this UDP port as destination. */
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

    /** Sends what is due in the duty cycle at this time. Returns the number of datagrams sent. */
    int poll(long nowNs);

    /**
     * Returns when {@link #poll} has to be called next if no other method is called before. The time may have passed.
     * {@link org.fibnuma.ipnuma.session.timing.DeadlineHeap#NEVER} means that nothing is due.
     *
     * @param nowNs time of the duty cycle.
     */
    long dueNs(long nowNs);

    /** Called when the MAC address of the peer was resolved, has changed, or is no longer valid. */
    void onMacChange();

    /**
     * Ends the connection, if there is one, as if the network had failed. Called after an error has interrupted a
     * method, possibly this one. The channel then connects again without a call. The listener is notified of both.
     */
    void onFault();

    /** Publishes the counters of the peer to other processes. Returns false if some wait for a later publication. */
    boolean publish(long nowNs);

    /**
     * Ends the connection with a removed peer, reports to the listener which writes may not have taken effect, and
     * releases the memory and the counters of the channel. No other method is called afterwards.
     *
     * @param nowNs time of the duty cycle.
     */
    void remove(long nowNs);

    /** Closes the connection with the peer and releases the memory of the channel. */
    void close(long nowNs);
}
