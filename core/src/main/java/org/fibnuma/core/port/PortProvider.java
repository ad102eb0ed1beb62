package org.fibnuma.core.port;

import org.fibnuma.core.UserException;

import java.util.List;

/**
 * Opens ports of one kind; found through {@link java.util.ServiceLoader}. A {@code device} is the text of a device
 * without scheme and colon.
 */
public interface PortProvider
{
    /** Result of {@link #whyFixed} for ports without a device. */
    String NO_INTERFACE = "the kernel has no interface of it, from which an added port has its addresses and routes " +
        "and to which a removed one leaves them";

    /** Returns the kind of port, the text before the colon of a device name, such as {@code xdp}. */
    String scheme();

    /** Announces all devices of this kind that will be opened, before the first is opened. */
    default void expect(final List<String> devices)
    {
    }

    /**
     * Returns the chunk size that a device needs to receive every packet of its MTU with some settings, before it is
     * opened.
     *
     * @return bytes, a power of two; 0 if every size will do or the device does not exist.
     */
    default int chunkSize(final String device, final PortSettings settings)
    {
        return 0;
    }

    /**
     * Checks the text of a device, independent of this host.
     *
     * @throws UserException if {@link #open} refuses the text, with the same line.
     */
    default void requireValid(final String name, final String device)
    {
    }

    /**
     * Checks that a device exists on this host. Opens and changes nothing and needs no rights.
     *
     * @throws UserException if the device is missing, with the line of {@link #open}.
     */
    default void requirePresent(final String name, final String device)
    {
    }

    /**
     * Opens a port, which is not yet started. After a failure nothing stays open.
     *
     * @throws UserException with one line for the user.
     */
    Port open(PortRequest request);

    /**
     * Opens a port that is detached and started, while the workers run that will use its queues. Its device is checked.
     * After a failure nothing stays open.
     *
     * @return the port, which is {@link Reattachable}; it uses its device from {@link Reattachable#attach()} on.
     * @throws UserException with one line for the user.
     */
    default Port openDetached(final PortRequest request)
    {
        throw new UserException("port " + request.name() + " (" + scheme() + ":" + request.device() +
            "): cannot be added while the router runs, because " + whyFixed() +
            "; add it to the configuration and restart");
    }

    /**
     * Returns why ports of this kind cannot be added to or removed from a running router, as a clause after "because";
     * null for a kind with {@link #openDetached}.
     */
    String whyFixed();
}
