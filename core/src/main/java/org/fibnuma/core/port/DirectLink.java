package org.fibnuma.core.port;

import org.fibnuma.core.ring.LineRingConsumer;
import org.fibnuma.core.ring.LineRingProducer;

/**
 * Capability of a port whose other end is another process of this machine: records pass between two endpoints without
 * frames, beside the frames of the port. Each end announces the address of its endpoint; a router at an end announces
 * none, so that no endpoint behind it is taken for the other end. Records are delivered once and in order while both
 * processes live. One connection at a time uses the rings.
 * <p>
 * A record that was offered before a frame was flushed is readable when the frame is received.
 */
public interface DirectLink
{
    /**
     * Announces the endpoint of this end, before the port is started; any thread.
     *
     * @param ipv4 its address; 0 for none.
     */
    void announce(int ipv4);

    /**
     * Returns whether the process at the other end has announced an address; any thread.
     *
     * @param ipv4 address of an endpoint.
     * @return false if it has announced another one or none.
     */
    boolean leadsTo(int ipv4);

    /**
     * Makes the sending end of the ring to the other process; called once.
     *
     * @return for the thread of the endpoint.
     */
    LineRingProducer producer();

    /**
     * Makes the receiving end of the ring from the other process; called once.
     *
     * @return for the thread of the endpoint.
     */
    LineRingConsumer consumer();
}
