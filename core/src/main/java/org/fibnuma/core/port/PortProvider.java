package org.fibnuma.core.port;

import org.fibnuma.core.UserException;

import java.util.List;

/** Opens ports of one kind; found through {@link java.util.ServiceLoader}. */
public interface PortProvider
{
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
     * Opens a port. Nothing stays open where it fails.
     *
     * @param request what to open.
     * @return the port, not yet started.
     * @throws UserException with one line for the user.
     */
    Port open(PortRequest request);
}
