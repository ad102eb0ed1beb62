package org.fibnuma.core.port;

import java.util.Optional;

/**
 * An open port: a set of receive and transmit queues with one link-layer address. The control thread opens, configures
 * and closes it; each queue is used by one worker. What only some ports can do is a capability, see
 * {@link #capability}.
 */
public interface Port extends AutoCloseable
{
    /**
     * Returns the port's name in the configuration.
     *
     * @return such as {@code left}.
     */
    String name();

    /**
     * Returns the device that the port was opened with.
     *
     * @return such as {@code xdp:eth1}.
     */
    String device();

    /**
     * Describes how frames are moved, for people to read.
     *
     * @return such as {@code zero-copy}, {@code copy}, {@code memory}.
     */
    String mode();

    /**
     * Returns the kernel's index of the port's interface.
     *
     * @return 1 or more, or 0 if the kernel has no interface for this port.
     */
    int interfaceIndex();

    /**
     * Returns this port's link-layer address.
     *
     * @return as in {@link org.fibnuma.core.wire.MacAddress}, or 0 if the configuration has to set one.
     */
    long macAddress();

    /**
     * Returns the length of the longest IP packet that the port can send.
     *
     * @return bytes, without the Ethernet header.
     */
    int mtu();

    /**
     * Returns the number of queue pairs.
     *
     * @return 1 or more.
     */
    int queueCount();

    /**
     * Returns a receive queue.
     *
     * @param queue 0 to {@link #queueCount()} - 1.
     * @return the queue.
     */
    RxQueue rxQueue(int queue);

    /**
     * Returns a transmit queue.
     *
     * @param queue 0 to {@link #queueCount()} - 1.
     * @return the queue.
     */
    TxQueue txQueue(int queue);

    /** Starts reception. Until then the port receives no frame, so that tables can be filled first. */
    void start();

    /**
     * Returns whether the link is up; control thread.
     *
     * @return true if the device does not report its link.
     */
    default boolean linkUp()
    {
        return true;
    }

    /**
     * Returns whether the port's device was deleted; control thread. Only {@link Reattachable#reattach()} resets it.
     *
     * @return false if the device does not report it.
     */
    default boolean removed()
    {
        return false;
    }

    /**
     * Returns whether received frames may contain partial checksums, see
     * {@link org.fibnuma.core.wire.PartialChecksum}; any thread.
     *
     * @return false if the checksums of every frame are complete, as on a wire.
     */
    default boolean deliversPartialChecksums()
    {
        return false;
    }

    /**
     * Returns a count of the device since the port was opened, added up over all devices if it was reattached.
     *
     * @param counter which count.
     * @return the count, or 0 if the device does not have it.
     */
    long deviceCounter(PortCounter counter);

    /**
     * Returns a capability of this port, such as {@link SharedInterface}, {@link Reattachable},
     * {@link ConfigurableDevice}, {@link DirectLink} or {@link FiniteInput}.
     *
     * @param type capability that is wanted.
     * @param <T>  capability that is wanted.
     * @return the capability; empty if the port does not have it.
     */
    default <T> Optional<T> capability(final Class<T> type)
    {
        return type.isInstance(this) ? Optional.of(type.cast(this)) : Optional.empty();
    }

    /** Stops reception and releases the device. The workers have stopped before. */
    @Override
    void close();
}
