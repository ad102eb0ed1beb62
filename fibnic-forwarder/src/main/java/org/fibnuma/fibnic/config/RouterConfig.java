package org.fibnuma.fibnic.config;

import org.fibnuma.core.port.PortSettings;
import org.fibnuma.pfc.config.PfcConfig;

import java.nio.file.Path;
import java.util.List;

/**
 * Everything that a router is told. Checked: names are unique, addresses lie where they must.
 *
 * @param file       that it was read from.
 * @param name       of the router; other processes find it by this.
 * @param control    where addresses, routes and neighbours come from.
 * @param workers    threads of the data path and their memory.
 * @param limits     of the data path.
 * @param forwarding choices that the standards leave.
 * @param rings      of every port.
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
    /** The mesh of (ingress, egress) FIFOs grows with the square of the ports; FIBNIC is made for 4 to 16. */
    public static final int MAX_PORTS = 16;
    /** Name of a router that the file does not name. */
    public static final String DEFAULT_NAME = "fibnuma";

    /** Returns whether any priority is lossless. */
    public boolean isLossless()
    {
        return pfc != null && pfc.isLossless();
    }

    /** Returns the names of the ports by index. */
    public List<String> portNames()
    {
        return ports.stream().map(PortConfig::name).toList();
    }
}
