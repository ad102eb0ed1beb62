package org.fibnuma.core.port;

import org.fibnuma.core.ring.LineRingConsumer;
import org.fibnuma.core.ring.LineRingProducer;

/**
 * Capability of a port whose other end is another process of this machine: records pass between two endpoints without
 * frames, beside the frames of the port. Records are delivered once and in order while both processes live. One
 * connection at a time uses the rings.
 * <p>
 * Each end announces the address of its endpoint. A router announces none: an endpoint behind the router must not be
 * taken for the other end. A record that was offered before a frame was flushed is readable when the frame is received.
 */
public interface DirectLink
{
    /**
     * Announces the IPv4 address of the endpoint of this end, or 0 for none, before the port is started; any thread.
     */
    void announce(int ipv4);

    /** Returns whether the process at the other end has announced an IPv4 address, and no other one; any thread. */
    boolean leadsTo(int ipv4);

    /** Makes the sending end of the ring to the other process, for the thread of the endpoint; called once. */
    LineRingProducer producer();

    /** Makes the receiving end of the ring from the other process, for the thread of the endpoint; called once. */
    LineRingConsumer consumer();
}
