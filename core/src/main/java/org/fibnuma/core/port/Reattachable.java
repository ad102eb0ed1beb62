package org.fibnuma.core.port;

/**
 * Capability of a port that survives changes of its interface. It keeps the interface when that is renamed. After a
 * deletion it attaches to a new interface with the name of the request. It can release its interface while the workers
 * run. All methods but those marked "any thread" are for the control thread, after {@link Port#start()}.
 */
public interface Reattachable
{
    /** Returns the name of the interface that {@link #reattach()} waits for; any thread. */
    String interfaceName();

    /**
     * Takes the next step from the deleted interface to the new one: closes the old sockets, then opens the interface
     * that has the name now. It never blocks and is called repeatedly until it returns true.
     *
     * @return whether the port is attached. {@link Port#interfaceIndex()}, {@link Port#macAddress()} and
     * {@link Port#mtu()} are then those of the new interface.
     * @throws org.fibnuma.core.UserException if the interface exists and cannot be used.
     */
    boolean reattach();

    /**
     * Releases the interface until {@link #attach()}: {@link Port#removed()} is true from now on, and calls of
     * {@link #reattach()} take the steps. Further calls have no effect.
     */
    void detach();

    /**
     * Makes the port wait for its interface again; calls of {@link #reattach()} take the steps.
     *
     * @throws org.fibnuma.core.UserException if there is no interface of its name; the port stays detached.
     */
    void attach();

    /** Returns true from {@link #detach()} to {@link #attach()}; any thread. */
    boolean isDetached();

    /** Returns whether the port's sockets are closed and its interface has no program or setting of the port. */
    boolean isAway();
}
