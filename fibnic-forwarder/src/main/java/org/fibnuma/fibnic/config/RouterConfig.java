package org.fibnuma.fibnic.config;

import org.fibnuma.core.port.PortFilter;
import org.fibnuma.core.port.PortSettings;
import org.fibnuma.core.service.http.HttpConfig;
import org.fibnuma.core.service.log.LogLevel;
import org.fibnuma.fibnic.acl.AccessList;
import org.fibnuma.fibnic.acl.AccessLists;
import org.fibnuma.pfc.config.PfcConfig;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/**
 * The validated configuration of a router: names are unique, gateways are in networks of ports.
 *
 * @param file       that it was read from; null if the router was started without one.
 * @param name       of the router, by which other processes connect to it.
 * @param logLevel   lowest level of the log lines.
 * @param control    where addresses, routes and neighbours come from.
 * @param workers    threads of the data path and their memory.
 * @param limits     of the data path.
 * @param forwarding choices of RFC 1812.
 * @param rings      settings of every port.
 * @param pfc        lossless priorities, null for none.
 * @param http       the HTTP server, null for none.
 * @param acls       access lists.
 * @param ports      1 to {@link #MAX_PORTS}, in the order of the file: the position is the port's index everywhere.
 * @param sparePorts places for ports that are added while the router runs, see {@link #sparePlaces}; or
 *                   {@link #DEFAULT_SPARE_PORTS}.
 */
public record RouterConfig(
    Path file,
    String name,
    LogLevel logLevel,
    ControlConfig control,
    WorkerConfig workers,
    LimitConfig limits,
    ForwardingConfig forwarding,
    PortSettings rings,
    PfcConfig pfc,
    HttpConfig http,
    List<AccessList> acls,
    List<PortConfig> ports,
    int sparePorts)
{
    /** The number of (ingress, egress) FIFOs is the square of the ports; FIBNIC has 4 to 16 ports. */
    public static final int MAX_PORTS = 16;
    /** {@link #USUAL_SPARE_PORTS} if the router {@link #takesNewPorts()}. */
    static final int DEFAULT_SPARE_PORTS = -1;
    /** Default of {@link #sparePorts} if it is used; each place takes 12 MiB of locked memory of each worker. */
    static final int USUAL_SPARE_PORTS = 4;
    /** Default name of a router. */
    public static final String DEFAULT_NAME = "fibnuma";

    /** Returns a copy with another size of a chunk in bytes. */
    public RouterConfig withFrameSize(final int bytes)
    {
        return new RouterConfig(
            file, name, logLevel, control, workers.withFrameSize(bytes), limits, forwarding, rings, pfc, http, acls,
            ports, sparePorts);
    }

    /**
     * Computes the tables of the access lists.
     *
     * @param replaced     lists in force before, null for none.
     * @param runningPorts ports by their index in the running router, null where there is none. A port has the lists of
     *                     the port of its name in this configuration, or else its own.
     * @return the lists.
     */
    public AccessLists accessLists(final AccessLists replaced, final List<PortConfig> runningPorts)
    {
        return new AccessLists(
            replaced, acls, listNames(runningPorts, PortConfig::aclIn), listNames(runningPorts, PortConfig::aclOut),
            workers.count());
    }

    private List<String> listNames(final List<PortConfig> runningPorts, final Function<PortConfig, String> list)
    {
        final List<String> names = new ArrayList<>();
        for (final PortConfig port : runningPorts)
        {
            final PortConfig own = port == null ? null : port(port.name());
            names.add(port == null ? null : list.apply(own == null ? port : own));
        }
        return names;
    }

    /** Returns the port of a name, or null. */
    public PortConfig port(final String portName)
    {
        return ports.stream().filter(port -> port.name().equals(portName)).findFirst().orElse(null);
    }

    /** Returns the number of places for further ports; with them there are at most {@link #MAX_PORTS}. */
    public int sparePlaces()
    {
        return !takesNewPorts() ? 0 :
            Math.min(MAX_PORTS - ports.size(), sparePorts == DEFAULT_SPARE_PORTS ? USUAL_SPARE_PORTS : sparePorts);
    }

    /**
     * Returns whether new {@code xdp:} ports can be added while the router runs. With {@link ControlMode#STATIC} and
     * with lossless priorities the settings of a port are used at the start only. A router without any {@code xdp:}
     * port has no path to the kernel for punted frames.
     */
    public boolean takesNewPorts()
    {
        return takesNewPorts(control.mode(), pfc, ports);
    }

    static boolean takesNewPorts(final ControlMode mode, final PfcConfig pfc, final List<PortConfig> ports)
    {
        return mode.followsKernel() && (pfc == null || !pfc.isLossless()) && ports.stream().anyMatch(PortConfig::isXdp);
    }

    /** Returns {@code FILE:LINE: KEY: } for the start of a message; empty without a file. */
    public String at(final int line, final String key)
    {
        return file == null ? "" : file + ":" + line + ": " + key + ": ";
    }

    /** Returns the name of the file for a message, also without a file. */
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
     * Returns the frames that the router takes from interfaces that it shares with the kernel.
     *
     * @return transit IPv4, with IPv6 if the router forwards it, and PAUSE and PFC frames if a priority is lossless.
     */
    public PortFilter portFilter()
    {
        final PortFilter transit = forwarding.ipv6() ? PortFilter.TRANSIT.withIpv6() : PortFilter.TRANSIT;
        return pfc == null ? transit : transit.withMacControl();
    }

    /**
     * Returns the VLAN interfaces of all ports of {@link ControlMode#STATIC}, those of the first port first. Their
     * indexes in {@link ControlConfig} follow that of the last port.
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
