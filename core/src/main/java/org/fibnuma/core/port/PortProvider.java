package org.fibnuma.core.port;

import org.fibnuma.core.UserException;

import java.util.List;

/** Opens ports of one kind; found through {@link java.util.ServiceLoader}. */
public interface PortProvider
{
    /** {@link #whyFixed} of ports without a device. */
    String NO_INTERFACE = "the kernel has no interface of it, from which an added port has its addresses and routes " +
        "and to which a removed one leaves them";

    /**
     * Returns the kind of port, which stands before the colon of a device name.
     *
     * @return such as {@code xdp}.
     */
    String scheme();

    /**
     * Tells of all devices of this kind that are going to be opened, before the first is.
     *
     * @param devices without scheme and colon.
     */
    default void expect(final List<String> devices)
    {
    }

    /**
     * Returns the chunk size that a device needs to receive every packet of its MTU; before the device is opened.
     *
     * @param device   without scheme and colon.
     * @param settings that the port will have.
     * @return bytes, a power of two, or 0 if the device has no need of its own or does not exist.
     */
    default int chunkSize(final String device, final PortSettings settings)
    {
        return 0;
    }

    /**
     * Checks the text of a device, as far as it depends on nothing of this host.
     *
     * @param name   of the port.
     * @param device without scheme and colon.
     * @throws UserException with the line of {@link #open} where it refuses the text.
     */
    default void requireValid(final String name, final String device)
    {
    }

    /**
     * Checks that a device exists on this host. Opens and changes nothing and needs no rights.
     *
     * @param name   of the port.
     * @param device without scheme and colon.
     * @throws UserException with the line of {@link #open} for a device that is missing.
     */
    default void requirePresent(final String name, final String device)
    {
    }

    /**
     * Opens a port. Nothing stays open where it fails.
     *
     * @param request what to open.
     * @return the port, not yet started.
     * @throws UserException with one line for the user.
     */
    Port open(PortRequest request);

    /**
     * Opens a port that is detached and started, while the workers run that will use its queues.
     *
     * @param request what to open; its device has been checked when the port is returned.
     * @return the port, which is {@link Reattachable}; nothing of it is on its device before
     *         {@link Reattachable#attach()}.
     * @throws UserException with one line for the user; nothing stays open.
     */
    default Port openDetached(final PortRequest request)
    {
        throw new UserException("port " + request.name() + " (" + scheme() + ":" + request.device() +
            "): cannot be added while the router runs, because " + whyFixed() +
            "; add it to the configuration and restart");
    }

    /**
     * Returns why ports of this kind are neither added to a running router nor removed from it.
     *
     * @return a clause that can follow "because", or null for a kind with {@link #openDetached}.
     */
    String whyFixed();
}
