package org.fibnuma.core.port;

/**
 * Selects the frames that an application receives from an interface which the kernel uses too. The kernel receives all
 * other frames. Ports that own their device receive every frame and ignore the filter.
 *
 * @param onlyAddress IPv4 address: only packets to it and ARP frames about it are received. 0 for transit: packets to
 *                    the interface's link-layer address for a destination outside this host.
 * @param ipv6        whether transit includes IPv6. The kernel receives IPv6 packets to link-local and multicast
 *                    addresses, neighbour discovery and multicast listener discovery.
 * @param macControl  whether PAUSE and PFC frames are received too, and IP after a priority tag (VLAN 0).
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

    /** Returns the filter of an endpoint, with an IPv4 address that the kernel does not have. */
    public static PortFilter onlyTo(final int address)
    {
        return new PortFilter(address, false, false);
    }

    /** Returns this filter of transit with IPv6 too. */
    public PortFilter withIpv6()
    {
        return new PortFilter(onlyAddress, true, macControl);
    }

    /** Returns this filter with PAUSE and PFC frames too, for lossless priorities. */
    public PortFilter withMacControl()
    {
        return new PortFilter(onlyAddress, ipv6, true);
    }
}
