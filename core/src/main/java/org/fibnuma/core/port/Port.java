package org.fibnuma.core.port;

import java.util.Optional;

/**
 * An open port: a set of receive and transmit queues with one link-layer address. The control thread opens, configures
 * and closes it; each queue is used by one worker. Methods that only some ports have are in a {@link #capability}.
 */
public interface Port extends AutoCloseable
{
    /** Returns the name of the port in the configuration, such as {@code left}. */
    String name();

    /** Returns the device that the port was opened with, such as {@code xdp:eth1}. */
    String device();

    /** Describes for people how frames are moved, such as {@code zero-copy}, {@code copy}, {@code memory}. */
    String mode();

    /**
     * Returns the kernel's index of the port's interface, 1 or more; 0 if the kernel has no interface for this port.
     */
    int interfaceIndex();

    /**
     * Returns the link-layer address in the format of {@link org.fibnuma.core.wire.MacAddress}, or 0 if the
     * configuration has to set one.
     */
    long macAddress();

    /** Returns the length in bytes of the longest IP packet that the port can send. */
    int mtu();

    /** Returns the number of queue pairs, 1 or more. */
    int queueCount();

    /** Returns a receive queue by its index, 0 to {@link #queueCount()} - 1. */
    RxQueue rxQueue(int queue);

    /** Returns a transmit queue by its index, 0 to {@link #queueCount()} - 1. */
    TxQueue txQueue(int queue);

    /** Starts reception. Until then the port receives no frame, so that tables can be filled first. */
    void start();

    /** Returns whether the link is up; true if the device does not report it. Control thread. */
    default boolean linkUp()
    {
        return true;
    }

    /**
     * Returns whether the port's device was deleted; false if the device does not report it. Only
     * {@link Reattachable#reattach()} resets it. Control thread.
     */
    default boolean removed()
    {
        return false;
    }

    /**
     * Returns whether received frames may contain partial checksums, see {@link org.fibnuma.core.wire.PartialChecksum};
     * any thread. If not, all checksums are complete, as on a wire.
     */
    default boolean deliversPartialChecksums()
    {
        return false;
    }

    /**
     * Returns a count of the device since the port was opened, or 0 if the device does not have it. After a
     * reattachment it is the sum over all devices.
     */
    long deviceCounter(PortCounter counter);

    /**
     * Returns a capability of this port, such as {@link SharedInterface}, {@link Reattachable},
     * {@link ConfigurableDevice}, {@link DirectLink} or {@link FiniteInput}; empty if the port does not have it.
     */
    default <T> Optional<T> capability(final Class<T> type)
    {
        return type.isInstance(this) ? Optional.of(type.cast(this)) : Optional.empty();
    }

    /** Stops reception and releases the device. The workers have stopped before. */
    @Override
    void close();
}
