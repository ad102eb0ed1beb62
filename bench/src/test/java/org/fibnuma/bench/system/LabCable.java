package org.fibnuma.bench.system;

import org.fibnuma.core.service.netns.Host;

/**
 * A cable between a host and the router.
 *
 * @param host         at the far end.
 * @param hostDevice   name of its end.
 * @param router       the router's machine.
 * @param routerDevice the interface that the router's kernel has its addresses on.
 * @param wire         the router's end of the cable, where that is another device.
 * @param mtu          of both ends in bytes.
 */
public record LabCable(Host host, String hostDevice, RouterMachine router, String routerDevice, String wire, int mtu)
{
    /** A cable to a router in a network namespace. */
    public LabCable(
        final Host host, final String hostDevice, final Host router, final String routerDevice, final String wire,
        final int mtu)
    {
        this(host, hostDevice, new NamespaceMachine(router), routerDevice, wire, mtu);
    }
}
