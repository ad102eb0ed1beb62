package org.fibnuma.bench.system;

import org.fibnuma.core.netns.Host;

/**
 * A cable between a host and the router.
 *
 * @param host         at the far end.
 * @param hostDevice   name of its end.
 * @param router       the router's host.
 * @param routerDevice the interface that the router's kernel has its addresses on.
 * @param wire         the router's end of the cable, where that is another device.
 * @param mtu          of both ends in bytes.
 */
public record LabCable(Host host, String hostDevice, Host router, String routerDevice, String wire, int mtu)
{
}
