package org.fibnuma.core.port;

/**
 * Selects the received frames that an application takes from an interface which the kernel uses too. The kernel
 * receives all other frames. Ports that own their device receive every frame and ignore the filter.
 *
 * @param onlyAddress IPv4 address whose packets, with the ARP frames about it, are all that is taken; 0 for transit
 *                    IPv4: packets to the interface's link-layer address for a destination outside this host.
 * @param macControl  whether PAUSE and PFC frames are taken too, and IPv4 behind a priority tag (VLAN 0).
 */
public record PortFilter(int onlyAddress, boolean macControl)
{
    /** Transit IPv4: the filter of a router. */
    public static final PortFilter TRANSIT = new PortFilter(0, false);

    /**
     * Returns the filter of an endpoint.
     *
     * @param address IPv4 address of the endpoint, which the kernel does not have.
     * @return a filter that takes packets to this address and ARP about it.
     */
    public static PortFilter onlyTo(final int address)
    {
        return new PortFilter(address, false);
    }

    /**
     * Returns this filter extended for lossless priorities.
     *
     * @return a filter that takes PAUSE and PFC frames too.
     */
    public PortFilter withMacControl()
    {
        return new PortFilter(onlyAddress, true);
    }
}
