package org.fibnuma.core.port;

/** Opens ports of one kind; found through {@link java.util.ServiceLoader}. */
public interface PortProvider
{
    /**
     * What stands before the colon of a device name.
     *
     * @return such as {@code xdp}.
     */
    String scheme();

    /**
     * Opens a port. Nothing stays open where it fails.
     *
     * @param request what to open.
     * @return the port, not yet started.
     * @throws PortException with one line for the user.
     */
    Port open(PortRequest request);
}
