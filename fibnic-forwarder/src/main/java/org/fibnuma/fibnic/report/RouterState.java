package org.fibnuma.fibnic.report;

import org.agrona.concurrent.status.CountersReader;
import org.fibnuma.core.port.Port;
import org.fibnuma.fibnic.rib.RoutingTables;

import java.util.List;

/**
 * What there is to tell about.
 *
 * @param ports    by index.
 * @param tables   of the control plane.
 * @param shared   what the workers read.
 * @param counters what the workers count.
 */
public record RouterState(
    List<Port> ports, RoutingTables tables, RoutingTables.Shared shared, CountersReader counters)
{
}
