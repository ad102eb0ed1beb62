package org.fibnuma.ipnuma.session;

import org.fibnuma.core.port.DirectLink;
import org.fibnuma.core.port.Port;
import org.fibnuma.core.ring.LineRingConsumer;
import org.fibnuma.core.ring.LineRingProducer;

/**
 * The rings of an endpoint whose port is a {@link DirectLink}, for writes that need no datagram. At most one connection
 * uses them: that with the endpoint at the other end of the link. All methods are for the endpoint's thread.
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
     * Creates the rings of a port, with or without a {@link DirectLink}, and announces the endpoint's address to the
     * other end.
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
     * Executes the arrived writes up to the first that has to wait for a datagram. Returns the number of executed
     * writes.
     */
    public int poll()
    {
        return user == null ? 0 : consumer.poll(user);
    }

    /** Assigns the rings to a connection that begins. Returns false if they do not lead to the peer. */
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

    /** Ends the connection that uses the rings if they are damaged, because writes are lost then. */
    public void check()
    {
        if (user != null && !(consumer.isIntact() && producer.isIntact()))
        {
            user.onDamage();
        }
    }

    /** Ends the use of the rings by a connection. No effect if it does not use them. */
    void end(final DirectWrites connection)
    {
        if (user == connection)
        {
            user = null;
            consumer.disconnect();
        }
    }

    /** Returns the ring of the writes to the other end, or null if the port has no rings. */
    LineRingProducer producer()
    {
        return producer;
    }

    /** Returns the ring of the writes from the other end, or null if the port has no rings. */
    LineRingConsumer consumer()
    {
        return consumer;
    }
}
