package org.fibnuma.core.port;

import org.fibnuma.core.UserException;

/**
 * An open port: a set of receive and transmit queues with one link-layer address. Opened, configured and closed by
 * the control thread; each queue is then used by one worker.
 */
public interface Port extends AutoCloseable
{
    /**
     * The name that the configuration gives it.
     *
     * @return such as {@code left}.
     */
    String name();

    /**
     * The device that it was opened by.
     *
     * @return such as {@code xdp:eth1}.
     */
    String device();

    /**
     * How frames really move, for people to read.
     *
     * @return such as {@code zero-copy}, {@code copy}, {@code memory}.
     */
    String mode();

    /**
     * The kernel's index of the interface behind it.
     *
     * @return 1 or more, or 0 where the kernel does not know the port.
     */
    int interfaceIndex();

    /**
     * Its own link-layer address.
     *
     * @return as in {@link org.fibnuma.core.wire.MacAddress}, or 0 where the configuration has to give one.
     */
    long macAddress();

    /**
     * Longest IP packet that it carries.
     *
     * @return bytes, without the Ethernet header.
     */
    int mtu();

    /**
     * How many pairs of queues it was opened with.
     *
     * @return 1 or more.
     */
    int queueCount();

    /**
     * A receive queue.
     *
     * @param queue 0 to {@link #queueCount()} - 1.
     * @return the queue.
     */
    RxQueue rxQueue(int queue);

    /**
     * A transmit queue.
     *
     * @param queue 0 to {@link #queueCount()} - 1.
     * @return the queue.
     */
    TxQueue txQueue(int queue);

    /** Starts to take frames. Until then none is received, so that tables can be filled first. */
    void start();

    /**
     * Whether it has received the last frame that it ever will, as a capture file has at its end; any thread.
     *
     * @return false for everything that lives.
     */
    default boolean exhausted()
    {
        return false;
    }

    /**
     * Whether its link carries frames now; control thread.
     *
     * @return true where the device does not know.
     */
    default boolean linkUp()
    {
        return true;
    }

    /**
     * Has the device's own MAC send pauses when its receive buffer fills and obey those that come; control thread,
     * after {@link #start()}.
     *
     * @param priorities bit n for priority n (IEEE 802.1Qbb); 0 for the whole link (IEEE 802.3 Annex 31B).
     * @return whether it does; {@link FlowControlAnswer.Outcome#NOT_NOW} where asking again may succeed.
     */
    default FlowControlAnswer macFlowControl(final int priorities)
    {
        return FlowControlAnswer.notPossible("the port has no MAC of its own");
    }

    /**
     * Whether {@link #macFlowControl} was asked for and is done; any thread.
     *
     * @return false where pauses are this process's matter alone.
     */
    default boolean hasMacFlowControl()
    {
        return false;
    }

    /**
     * Whether received frames may carry partial checksums, see {@link org.fibnuma.core.wire.PartialChecksum}; any
     * thread.
     *
     * @return false where every frame has its checksums complete, as on a wire.
     */
    default boolean deliversPartialChecksums()
    {
        return false;
    }

    /**
     * Whether its device has been taken away; control thread. Only {@link #takeUp()} ends that.
     *
     * @return false where the device does not know.
     */
    default boolean removed()
    {
        return false;
    }

    /**
     * The interface that {@link #takeUp()} waits for; any thread.
     *
     * @return its name; empty where a port that was removed stays so.
     */
    default String interfaceName()
    {
        return "";
    }

    /**
     * Goes on with taking up the device of a port that was removed: lets go of the old one, then opens the one that has
     * its name now as at the start. It does not wait, neither for the device nor for the workers, so it is called again
     * and again. Control thread, after {@link #start()}.
     *
     * @return whether the port has its device: from then on {@link #interfaceIndex()}, {@link #macAddress()} and
     * {@link #mtu()} are those of the new one.
     * @throws UserException with one line for the user where the device is there and cannot be taken up.
     */
    default boolean takeUp()
    {
        return false;
    }

    /**
     * Takes the link-layer address that somebody has given to the interface which the port is; control thread.
     *
     * @return whether {@link #macAddress()} is another one than before.
     */
    default boolean followAddress()
    {
        return false;
    }

    /**
     * Makes the device take the link-layer address and MTU that the interface which stands for it has got since;
     * control thread.
     *
     * @param macAddress as in {@link org.fibnuma.core.wire.MacAddress}.
     * @param mtu        in bytes, without the Ethernet header.
     * @throws UserException with one line for the user where it does not.
     */
    default void adopt(final long macAddress, final int mtu)
    {
    }

    /**
     * Says that an IPv4 address belongs to this host: on a port that shares its interface with the kernel, frames to
     * it stay with the kernel. Ports that the kernel does not know ignore it. Allowed before and after
     * {@link #start()}, on the control thread.
     *
     * @param address that is local, or a broadcast address of a local network.
     * @param local   true to add it, false to remove it.
     */
    void localAddress(int address, boolean local);

    /**
     * Leaves frames that the kernel could forward to the kernel, or takes them again; on a port that shares its
     * interface with the kernel. Allowed before and after {@link #start()}, on the control thread.
     *
     * @param taken false to leave them; ports begin with true.
     * @return false where the port receives everything as before, since the kernel does not see its device.
     */
    default boolean takeTransit(final boolean taken)
    {
        return false;
    }

    /**
     * What the device behind the port counted itself since the port was opened; the devices, where it was taken up
     * again.
     *
     * @param counter which.
     * @return the count, or 0 where the device does not know.
     */
    long deviceCounter(PortCounter counter);

    /** Stops receiving, gives everything back to the system. The workers have stopped before. */
    @Override
    void close();
}
