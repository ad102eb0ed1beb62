package org.fibnuma.fibnic.config;

import org.fibnuma.core.http.HttpConfig;
import org.fibnuma.core.port.PortFilter;
import org.fibnuma.core.port.PortSettings;
import org.fibnuma.fibnic.acl.AccessList;
import org.fibnuma.fibnic.acl.AccessLists;
import org.fibnuma.pfc.config.PfcConfig;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/**
 * The configuration of a router, validated: names are unique, gateways are in networks of ports.
 *
 * @param file       that it was read from; null if the router was started without one.
 * @param name       of the router, by which other processes connect to it.
 * @param control    where addresses, routes and neighbours come from.
 * @param workers    threads of the data path and their memory.
 * @param limits     of the data path.
 * @param forwarding choices of RFC 1812.
 * @param rings      settings of every port.
 * @param pfc        lossless priorities, null for none.
 * @param http       the HTTP server, null for none.
 * @param acls       access lists.
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
    HttpConfig http,
    List<AccessList> acls,
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
            file, name, control, workers.withFrameSize(bytes), limits, forwarding, rings, pfc, http, acls, ports);
    }

    /**
     * Computes the tables of the access lists.
     *
     * @param replaced  lists in force before, null for none.
     * @param portNames names of the ports by their index in the running router.
     * @return the lists; a port that the configuration does not have uses none.
     */
    public AccessLists accessLists(final AccessLists replaced, final List<String> portNames)
    {
        return new AccessLists(
            replaced, acls, listNames(portNames, PortConfig::aclIn), listNames(portNames, PortConfig::aclOut),
            workers.count());
    }

    private List<String> listNames(final List<String> portNames, final Function<PortConfig, String> list)
    {
        final List<String> names = new ArrayList<>();
        for (final String port : portNames)
        {
            names.add(ports.stream().filter(other -> other.name().equals(port)).findFirst().map(list).orElse(null));
        }
        return names;
    }

    /** Returns {@code FILE:LINE: KEY: } as the start of a message for the user; empty without a file. */
    public String at(final int line, final String key)
    {
        return file == null ? "" : file + ":" + line + ": " + key + ": ";
    }

    /** Returns the file as a place for keys in a message for the user. */
    public String fileText()
    {
        return file == null ? "a configuration (-c FILE)" : file.toString();
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

    /**
     * Returns the VLAN interfaces of all ports of {@link ControlMode#STATIC}, those of the first port first. In
     * {@link ControlConfig} the interfaces behind the last port are these.
     */
    public List<VlanConfig> vlans()
    {
        return vlansOf(ports);
    }

    static List<VlanConfig> vlansOf(final List<PortConfig> ports)
    {
        return ports.stream().flatMap(port -> port.vlans().stream()).toList();
    }

    /** Returns the names of the ports by index. */
    public List<String> portNames()
    {
        return ports.stream().map(PortConfig::name).toList();
    }
}
