package org.fibnuma.ipnuma.session;

import org.fibnuma.core.ring.LineRingConsumer;
import org.fibnuma.core.ring.LineRingProducer;
import org.fibnuma.ipnuma.session.window.ReceiveWindow;
import org.fibnuma.ipnuma.table.AccessStatus;

/**
 * Writes that a connection passes by {@link DirectRings} instead of datagrams, in both directions. Shared memory
 * neither loses nor reorders, so these writes need no checksum and no acknowledgement. A write with a request tag is
 * answered when the peer has read it. Everything else is sent in datagrams.
 * <p>
 * The order of all operations is kept. A write has the sequence of the datagram that follows it: it takes effect after
 * all datagrams before that one. Before a datagram takes effect, the writes in the ring are executed, which include all
 * that were called earlier.
 */
final class DirectWrites implements LineRingConsumer.Handler
{
    /** Set in the first field of a record that has a {@link org.fibnuma.ipnuma.wire.ScatterList}. */
    private static final long SCATTERED = 1L << 63;

    private final DirectPeer peer;
    /** Null if the port has no rings, as is the consumer. */
    private final LineRingProducer producer;
    private final LineRingConsumer consumer;
    private final RegionInput regionInput;
    private final ReceiveWindow received;
    private final SessionCounter.Counts counts;
    private final AwaitedRecords awaited;
    private boolean isOpen;
    private boolean isDamaged;
    private boolean isPublished = true;

    DirectWrites(
        final DirectPeer peer,
        final RegionInput regionInput,
        final ReceiveWindow received,
        final AwaitedRecords awaited,
        final SessionCounter.Counts counts)
    {
        this.peer = peer;
        this.producer = peer.rings().producer();
        this.consumer = peer.rings().consumer();
        this.regionInput = regionInput;
        this.received = received;
        this.awaited = awaited;
        this.counts = counts;
    }

    /** Uses the rings for the connection that was established last, if they lead to the peer. */
    void begin(final ConnectionId id)
    {
        awaited.begin();
        isOpen = peer.rings().begin(this, peer.ipv4(), id.own().session(), id.remote().session());
    }

    void end()
    {
        isOpen = false;
        isDamaged = false;
        peer.rings().end(this);
    }

    /** Returns whether a write can pass by memory. The peer has to read the rings too. */
    boolean isOpen()
    {
        return isOpen && producer.isConnected();
    }

    /** Returns the length of the longest write in bytes. */
    int longest()
    {
        return producer.longest();
    }

    /** Marks the rings as damaged: writes are lost and the connection has to end. */
    void onDamage()
    {
        isDamaged = true;
        peer.activity().run();
    }

    boolean isDamaged()
    {
        return isDamaged;
    }

    /** Returns the number of writes that the peer has not read. */
    int pending()
    {
        return isOpen ? producer.unread() : 0;
    }

    void onPublished()
    {
        isPublished = true;
    }

    /** Executes the writes that precede a datagram. */
    void beforeDatagram()
    {
        if (isOpen)
        {
            peer.rings().poll();
        }
    }

    /** Returns whether writes with a request tag are unanswered. */
    boolean isAwaiting()
    {
        return !awaited.isEmpty();
    }

    /**
     * Reports the writes with a request tag that the peer has read and that precede the datagram with this sequence.
     */
    void answer(final int sequence)
    {
        if (!awaited.isEmpty() && isOpen)
        {
            // The note is read after the position.
            final int consumed = producer.consumed();
            awaited.judge(consumed, producer.note());
            awaited.answer(sequence);
        }
    }

    void reportUnanswered()
    {
        awaited.lose();
    }

    /** Accepts a write as {@link Session#write} does. The write precedes the datagram with this sequence. */
    boolean write(
        final long remoteAddress,
        final long key,
        final int sequence,
        final long dataAddress,
        final int length,
        final long tag)
    {
        if (tag != 0 && awaited.isFull() ||
            !producer.offer(remoteAddress, key, sequence, dataAddress, length))
        {
            return false;
        }
        if (tag != 0)
        {
            awaited.add(producer.position(), sequence, tag);
        }
        counts.add(SessionCounter.DIRECT_SENT);
        onActivity();
        return true;
    }

    /** Accepts a list of writes as {@link #write} accepts one. */
    boolean scatter(
        final long regionAddress,
        final long key,
        final int sequence,
        final long listAddress,
        final int length,
        final long tag)
    {
        return write(SCATTERED | regionAddress, key, sequence, listAddress, length, tag);
    }

    /** Executes a write or a list of writes of the peer; returns false if it has to wait for datagrams before it. */
    @Override
    public boolean onRecord(
        final long remoteAddress, final long key, final int sequence, final long dataAddress, final int length)
    {
        if (received.next() - sequence < 0)
        {
            return false;
        }
        counts.add(SessionCounter.DIRECT_RECEIVED);
        final int status = (remoteAddress & SCATTERED) == 0 ?
            regionInput.execute(remoteAddress, key, peer.ipv4(), dataAddress, length) :
            regionInput.executeScattered(remoteAddress & ~SCATTERED, key, peer.ipv4(), dataAddress, length);
        if (status != AccessStatus.OK)
        {
            consumer.refuse(status);
            peer.activity().run();
        }
        onActivity();
        return true;
    }

    private void onActivity()
    {
        if (isPublished)
        {
            isPublished = false;
            peer.activity().run();
        }
    }
}
