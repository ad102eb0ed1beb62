package org.fibnuma.fibnic.report;

import org.agrona.concurrent.status.CountersReader;
import org.fibnuma.core.kernel.HostPolicy;
import org.fibnuma.core.port.KernelPort;
import org.fibnuma.core.port.Port;
import org.fibnuma.fibnic.rib.RoutingTables;

import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/**
 * What there is to tell about.
 *
 * @param ports      by index.
 * @param exceptions by port index: what stands in the kernel for a port that it does not see.
 * @param tables     of the control plane.
 * @param shared     what the workers read.
 * @param counters   what the workers count.
 * @param host       what the host has decided about packets that it forwards, as it is now.
 */
public record RouterState(
    List<Port> ports,
    Map<Integer, KernelPort> exceptions,
    RoutingTables tables,
    RoutingTables.Shared shared,
    CountersReader counters,
    Supplier<HostPolicy> host)
{
}
