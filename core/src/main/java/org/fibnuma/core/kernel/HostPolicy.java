package org.fibnuma.core.kernel;

import java.util.List;
import java.util.Map;

/**
 * Snapshot of the host's policy for packets that it forwards.
 *
 * @param restrictions that a router beside the kernel does not apply, in a fixed order.
 * @param interfaces   policy of each interface, by interface index.
 * @param ruleset      version of the packet filters among the restrictions.
 */
public record HostPolicy(
    List<HostRestriction> restrictions, Map<Integer, InterfacePolicy> interfaces, RulesetVersion ruleset)
{
    /** Policy of a host that restricts nothing. */
    public static final HostPolicy NONE = new HostPolicy(List.of(), Map.of(), RulesetVersion.NONE);

    /** Returns the policy of an interface by its index, or {@link InterfacePolicy#OPEN} if the host has none for it. */
    public InterfacePolicy of(final int interfaceIndex)
    {
        return interfaces.getOrDefault(interfaceIndex, InterfacePolicy.OPEN);
    }
}
