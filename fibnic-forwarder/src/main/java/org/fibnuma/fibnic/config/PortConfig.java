package org.fibnuma.fibnic.config;

import org.fibnuma.core.port.fault.FaultPortProvider;

import java.util.List;

/**
 * A port.
 *
 * @param name       unique in the router.
 * @param device     such as {@code xdp:eth1}.
 * @param addresses  of {@link ControlMode#STATIC}.
 * @param macAddress of {@link ControlMode#STATIC}; 0 for the device's own.
 * @param mtu        of {@link ControlMode#STATIC} in bytes; 0 for the device's own.
 * @param exception  device of the port's interface in the kernel, such as {@code tap:left}; null for none.
 * @param setsQueues whether the port sets the number of its device's queues to that of the workers.
 * @param aclIn      name of the access list for frames that the port receives; null for none.
 * @param aclOut     name of the access list for frames that leave by the port; null for none.
 * @param vlans      of {@link ControlMode#STATIC}.
 * @param vlanPcp    priority code point of frames that leave by VLAN interfaces on the port, 0 to 7; one of
 *                   {@code vlans} has its own.
 * @param line       of the device in the file.
 */
public record PortConfig(
    String name,
    String device,
    List<InterfaceAddress> addresses,
    long macAddress,
    int mtu,
    String exception,
    boolean setsQueues,
    String aclIn,
    String aclOut,
    List<VlanConfig> vlans,
    int vlanPcp,
    int line)
{
    /** Longest name of an interface: IFNAMSIZ - 1 (linux/if.h). */
    public static final int MAX_INTERFACE_NAME = 15;

    static final String XDP = "xdp:";

    /** Returns whether the port shares its interface with the kernel, with or without injected faults. */
    public boolean isXdp()
    {
        return FaultPortProvider.underlying(device).startsWith(XDP);
    }

    /** Returns whether a port of a router that follows the kernel has the same settings apart from access lists. */
    public boolean isLike(final PortConfig other)
    {
        return device.equals(other.device) && setsQueues == other.setsQueues && vlanPcp == other.vlanPcp;
    }
}
