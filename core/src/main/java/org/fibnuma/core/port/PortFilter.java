package org.fibnuma.core.port;

/**
 * Selects the received frames that an application takes from an interface which the kernel uses too. The kernel
 * receives all other frames. Ports that own their device receive every frame and ignore the filter.
 *
 * @param onlyAddress IPv4 address whose packets, with the ARP frames about it, are all that is taken; 0 for transit:
 *                    packets to the interface's link-layer address for a destination outside this host.
 * @param ipv6        whether transit is IPv4 and IPv6, or IPv4 only. IPv6 packets to link-local and multicast addresses
 *                    are the kernel's, and so are neighbour discovery and multicast listener discovery.
 * @param macControl  whether PAUSE and PFC frames are taken too, and IP behind a priority tag (VLAN 0).
 */
public record PortFilter(int onlyAddress, boolean ipv6, boolean macControl)
{
    /** Transit IPv4: the filter of a router. */
    public static final PortFilter TRANSIT = new PortFilter(0, false, false);

    /**
     * Validates the filter.
     *
     * @throws IllegalArgumentException if it is for one address and for transit IPv6.
     */
    public PortFilter
    {
        if (onlyAddress != 0 && ipv6)
        {
            throw new IllegalArgumentException("a filter for one IPv4 address does not take transit IPv6");
        }
    }

    /**
     * Returns the filter of an endpoint.
     *
     * @param address IPv4 address of the endpoint, which the kernel does not have.
     * @return a filter that takes packets to this address and ARP about it.
     */
    public static PortFilter onlyTo(final int address)
    {
        return new PortFilter(address, false, false);
    }

    /**
     * Returns this filter of transit extended for IPv6.
     *
     * @return a filter that takes transit IPv6 too.
     */
    public PortFilter withIpv6()
    {
        return new PortFilter(onlyAddress, true, macControl);
    }

    /**
     * Returns this filter extended for lossless priorities.
     *
     * @return a filter that takes PAUSE and PFC frames too.
     */
    public PortFilter withMacControl()
    {
        return new PortFilter(onlyAddress, ipv6, true);
    }
}
