package org.fibnuma.ipnuma.session;

import org.fibnuma.core.port.DirectLink;
import org.fibnuma.core.port.Port;
import org.fibnuma.core.ring.LineRingConsumer;
import org.fibnuma.core.ring.LineRingProducer;

/**
 * The rings of an endpoint whose port is a {@link DirectLink}, for writes that need no datagram. The connection with
 * the endpoint at the other end of the link uses them. Endpoint's thread.
 */
public final class DirectRings
{
    private final DirectLink link;
    private final LineRingProducer producer;
    private final LineRingConsumer consumer;
    /** Null while no connection uses the rings. */
    private DirectWrites user;

    private DirectRings(final DirectLink link)
    {
        this.link = link;
        this.producer = link == null ? null : link.producer();
        this.consumer = link == null ? null : link.consumer();
    }

    /**
     * Makes the rings of a port and announces the endpoint to the other end.
     *
     * @param port of the endpoint; one without rings is possible.
     * @param ipv4 address of the endpoint.
     */
    public static DirectRings of(final Port port, final int ipv4)
    {
        final DirectLink link = port.capability(DirectLink.class).orElse(null);
        if (link != null)
        {
            link.announce(ipv4);
        }
        return new DirectRings(link);
    }

    /**
     * Lets the writes take effect that have arrived and wait for no datagram.
     *
     * @return their number.
     */
    public int poll()
    {
        return user == null ? 0 : consumer.poll(user);
    }

    /** Gives the rings to a connection that begins; returns false if they do not lead to the peer. */
    boolean begin(final DirectWrites connection, final int peerIpv4, final int ownSession, final int remoteSession)
    {
        if (link == null || user != null && user != connection || !link.leadsTo(peerIpv4))
        {
            return false;
        }
        user = connection;
        producer.connect(remoteSession);
        consumer.connect(ownSession);
        return true;
    }

    /** Ends the connection that uses the rings if they are damaged: writes are lost then. */
    public void check()
    {
        if (user != null && !(consumer.isIntact() && producer.isIntact()))
        {
            user.onDamage();
        }
    }

    /** Takes the rings back from a connection, if it has them. */
    void end(final DirectWrites connection)
    {
        if (user == connection)
        {
            user = null;
            consumer.disconnect();
        }
    }

    /** Returns whether the peer reads the rings in this connection. */
    boolean isConnected()
    {
        return producer.isConnected();
    }

    /** Returns the length of the longest write in bytes. */
    int longest()
    {
        return producer.longest();
    }

    /** Returns the number of writes that the peer has not read. */
    int unread()
    {
        return producer.unread();
    }

    /** Tells the peer that the write is refused which is taking effect. */
    void refuse(final int status)
    {
        consumer.refuse(status);
    }

    /** Returns the position behind the last write. */
    int position()
    {
        return producer.position();
    }

    /** Judges the writes that the peer has read. */
    void judge(final AwaitedRecords awaited)
    {
        // The note after the position.
        final int consumed = producer.consumed();
        awaited.judge(consumed, producer.note());
    }

    boolean offer(
        final long remoteAddress, final long key, final int sequence, final long dataAddress, final int length)
    {
        return producer.offer(remoteAddress, key, sequence, dataAddress, length);
    }
}
