package org.fibnuma.ipnuma.session;

/** Where a session's datagrams leave: frames to one peer, with the headers before the UDP payload as it knows them. */
public interface DatagramOutput
{
    /**
     * Makes room for one datagram.
     *
     * @param length of the UDP payload in bytes, at most what {@link SessionSettings#datagramLength()} says.
     * @return native address of the payload, or 0 where nothing can be sent now.
     */
    long claim(int length);

    /**
     * Sends what was written where {@link #claim} said.
     *
     * @param length     as it was claimed.
     * @param ecnCapable whether routers may mark it instead of dropping it.
     */
    void commit(int length, boolean ecnCapable);
}
