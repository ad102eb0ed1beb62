package org.fibnuma.ipnuma.session;

/** Sends the datagrams of a session to its peer. */
public interface DatagramOutput
{
    /**
     * Reserves room for one datagram.
     *
     * @param length of the UDP payload in bytes, at most {@link SessionSettings#datagramLength()}.
     * @return native address of the payload, or 0 if nothing can be sent now.
     */
    long claim(int length);

    /**
     * Sends the datagram written at the claimed address.
     *
     * @param length     the claimed length.
     * @param ecnCapable whether routers may mark the datagram instead of dropping it.
     */
    void commit(int length, boolean ecnCapable);
}
