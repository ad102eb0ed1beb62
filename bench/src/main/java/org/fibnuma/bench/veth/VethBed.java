package org.fibnuma.bench.veth;

import org.fibnuma.bench.lab.RoutedHosts;

/**
 * Where the contestants forward.
 *
 * @param hosts         two hosts and the router between them.
 * @param forwarderCore core that forwards.
 * @param nextHopMac    MAC address that forwarded frames have, such as {@code 02:00:00:00:00:01}.
 */
public record VethBed(RoutedHosts hosts, int forwarderCore, String nextHopMac)
{
}
