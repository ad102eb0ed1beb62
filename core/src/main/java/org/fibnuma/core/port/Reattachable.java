package org.fibnuma.core.port;

/** Capability of a port that attaches to a new interface of the same name after its interface was deleted. */
public interface Reattachable
{
    /**
     * Returns the interface that {@link #reattach()} waits for; any thread.
     *
     * @return the interface's name.
     */
    String interfaceName();

    /**
     * Takes the next step from the deleted interface to the new one: closes the old sockets, then opens the interface
     * that has the name now. It never blocks, so it is called repeatedly until it returns true. Control thread, after
     * {@link Port#start()}.
     *
     * @return whether the port is attached. {@link Port#interfaceIndex()}, {@link Port#macAddress()} and
     * {@link Port#mtu()} are then those of the new interface.
     * @throws org.fibnuma.core.UserException if the interface exists and cannot be used.
     */
    boolean reattach();
}
