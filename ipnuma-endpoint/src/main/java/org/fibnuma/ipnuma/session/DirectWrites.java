package org.fibnuma.ipnuma.session;

import org.fibnuma.core.ring.LineRingConsumer;
import org.fibnuma.core.ring.LineRingProducer;
import org.fibnuma.ipnuma.session.window.ReceiveWindow;
import org.fibnuma.ipnuma.table.AccessStatus;

/**
 * Writes that a connection passes by {@link DirectRings} instead of datagrams, in both directions. The memory between
 * the two ends neither loses nor reorders, so that these writes need no checksum and no acknowledgement: a write with a
 * tag is answered when the peer has read it. Everything else is sent in datagrams.
 * <p>
 * The order of all operations is kept. A write has the sequence of the datagram that follows it: it takes effect when
 * all datagrams before that have. And before a datagram takes effect, the writes that are in the ring do, because those
 * that were called earlier are among them.
 */
final class DirectWrites implements LineRingConsumer.Handler
{
    /** Set in the first number of a record that has a {@link org.fibnuma.ipnuma.wire.ScatterList}. */
    private static final long SCATTERED = 1L << 63;

    private final DirectPeer peer;
    /** Null, as the consumer, if the port has no rings. */
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

    /** Begins with the connection that was established last, if the rings lead to the peer. */
    void begin(final ConnectionId id)
    {
        awaited.begin();
        isOpen = peer.rings().begin(this, peer.ipv4(), id.own().session(), id.remote().session());
    }

    /** Ends with the connection. */
    void end()
    {
        isOpen = false;
        isDamaged = false;
        peer.rings().end(this);
    }

    /** Returns whether a write can go this way: the peer has to read the rings, too. */
    boolean isOpen()
    {
        return isOpen && producer.isConnected();
    }

    /** Returns the length of the longest write in bytes. */
    int longest()
    {
        return producer.longest();
    }

    /** The rings have lost writes; the connection has to end. */
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

    /** Lets the writes take effect that precede a datagram. */
    void beforeDatagram()
    {
        if (isOpen)
        {
            peer.rings().poll();
        }
    }

    /** Returns whether writes with a tag wait for their answers. */
    boolean isAwaiting()
    {
        return !awaited.isEmpty();
    }

    /** Reports the writes with a tag that the peer has read and that precede the datagram with a sequence. */
    void answer(final int sequence)
    {
        if (!awaited.isEmpty() && isOpen)
        {
            // The note after the position.
            final int consumed = producer.consumed();
            awaited.judge(consumed, producer.note());
            awaited.answer(sequence);
        }
    }

    /** Reports all writes with a tag as unanswered. */
    void reportUnanswered()
    {
        awaited.lose();
    }

    /** Takes a write as {@link Session#write} does. It precedes the datagram with a sequence. */
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

    /** Takes a list of writes as {@link #write} takes one. */
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

    /** Lets a write of the peer, or a list of them, take effect, or wait for the datagrams before it. */
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
            regionInput.take(remoteAddress, key, peer.ipv4(), dataAddress, length) :
            regionInput.takeScattered(remoteAddress & ~SCATTERED, key, peer.ipv4(), dataAddress, length);
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
