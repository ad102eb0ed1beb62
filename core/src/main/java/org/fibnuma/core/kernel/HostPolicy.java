package org.fibnuma.core.kernel;

import java.util.List;
import java.util.Map;

/**
 * What the host has decided about packets that it forwards, at one moment.
 *
 * @param restrictions that a router beside the kernel does not follow, in a fixed order.
 * @param interfaces   decisions about single interfaces, by their index.
 */
public record HostPolicy(List<HostRestriction> restrictions, Map<Integer, InterfacePolicy> interfaces)
{
    /** Of a host that restricts nothing. */
    public static final HostPolicy NONE = new HostPolicy(List.of(), Map.of());

    /**
     * The decisions about an interface.
     *
     * @param interfaceIndex the kernel's number for it.
     * @return {@link InterfacePolicy#OPEN} where the host says nothing about it.
     */
    public InterfacePolicy of(final int interfaceIndex)
    {
        return interfaces.getOrDefault(interfaceIndex, InterfacePolicy.OPEN);
    }
}
