package org.fibnuma.core.port;

/**
 * Capability of a port that keeps its interface when that is renamed, attaches to a new interface of the name that it
 * was given after its interface was deleted, and can give up its interface while the workers run.
 */
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

    /**
     * Gives up the interface until {@link #attach()}: from now on {@link Port#removed()} is true, and calls of
     * {@link #reattach()} take the steps. Further calls do nothing. Control thread, after {@link Port#start()}.
     */
    void detach();

    /**
     * Makes the port wait for its interface again; calls of {@link #reattach()} take the steps. Control thread.
     *
     * @throws org.fibnuma.core.UserException if there is no interface of its name; the port stays detached.
     */
    void attach();

    /**
     * Returns whether the port was told to give up its interface; any thread.
     *
     * @return true from {@link #detach()} to {@link #attach()}.
     */
    boolean isDetached();

    /**
     * Returns whether nothing of the port is on its interface and its sockets are closed; control thread.
     *
     * @return true if the port holds nothing of its interface.
     */
    boolean isAway();
}
