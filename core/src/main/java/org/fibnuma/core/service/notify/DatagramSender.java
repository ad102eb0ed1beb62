package org.fibnuma.core.service.notify;

/** Sends datagrams to UNIX sockets, which the JDK does not support. The binding module implements it. */
@FunctionalInterface
public interface DatagramSender
{
    /**
     * Sends one datagram. Any thread.
     *
     * @param socket     absolute path of the socket, or {@code @} and its name in the abstract namespace (unix(7)).
     * @param datagram   content.
     * @param patienceMs longest time in ms to block while the receiver's queue is full; not negative.
     * @return false if no process receives there, the queue stays full, or the socket's name is too long.
     */
    boolean send(String socket, byte[] datagram, int patienceMs);
}
