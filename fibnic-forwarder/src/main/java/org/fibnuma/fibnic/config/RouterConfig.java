package org.fibnuma.fibnic.config;

import org.fibnuma.core.port.PortFilter;
import org.fibnuma.core.port.PortSettings;
import org.fibnuma.pfc.config.PfcConfig;

import java.nio.file.Path;
import java.util.List;

/**
 * The configuration of a router, validated: names are unique, gateways are in networks of ports.
 *
 * @param file       that it was read from.
 * @param name       of the router, by which other processes connect to it.
 * @param control    where addresses, routes and neighbours come from.
 * @param workers    threads of the data path and their memory.
 * @param limits     of the data path.
 * @param forwarding choices of RFC 1812.
 * @param rings      settings of every port.
 * @param pfc        lossless priorities, null for none.
 * @param ports      1 to {@link #MAX_PORTS}, in the order of the file: the position is the port's index everywhere.
 */
public record RouterConfig(
    Path file,
    String name,
    ControlConfig control,
    WorkerConfig workers,
    LimitConfig limits,
    ForwardingConfig forwarding,
    PortSettings rings,
    PfcConfig pfc,
    List<PortConfig> ports)
{
    /** The number of (ingress, egress) FIFOs is the square of the ports; FIBNIC has 4 to 16 ports. */
    public static final int MAX_PORTS = 16;
    /** Default name of a router. */
    public static final String DEFAULT_NAME = "fibnuma";

    /** Returns a copy with another size of a chunk in bytes. */
    public RouterConfig withFrameSize(final int bytes)
    {
        return new RouterConfig(
            file, name, control, workers.withFrameSize(bytes), limits, forwarding, rings, pfc, ports);
    }

    /** Returns whether any priority is lossless. */
    public boolean isLossless()
    {
        return pfc != null && pfc.isLossless();
    }

    /**
     * Returns the frames that the router takes from interfaces which the kernel uses too.
     *
     * @return transit IPv4, IPv6 if the router forwards it, with PAUSE and PFC frames if a priority is lossless.
     */
    public PortFilter portFilter()
    {
        final PortFilter transit = forwarding.ipv6() ? PortFilter.TRANSIT.withIpv6() : PortFilter.TRANSIT;
        return pfc == null ? transit : transit.withMacControl();
    }

    /** Returns the names of the ports by index. */
    public List<String> portNames()
    {
        return ports.stream().map(PortConfig::name).toList();
    }
}
