package org.fibnuma.core.kernel;

import java.util.List;
import java.util.Map;

/**
 * Snapshot of the host's policy for packets that it forwards.
 *
 * @param restrictions that a router beside the kernel does not apply, in a fixed order.
 * @param interfaces   policy of each interface, by interface index.
 * @param ruleset      version of the packet filters among the restrictions.
 * @param rules        of policy routing, of each family in the order in which the kernel applies them.
 */
public record HostPolicy(
    List<HostRestriction> restrictions,
    Map<Integer, InterfacePolicy> interfaces,
    RulesetVersion ruleset,
    List<KernelRule> rules)
{
    /** Policy of a host that restricts nothing. */
    public static final HostPolicy NONE = new HostPolicy(List.of(), Map.of(), RulesetVersion.NONE);

    /** Makes the policy of a host without rules beyond those that every host has. */
    public HostPolicy(
        final List<HostRestriction> restrictions,
        final Map<Integer, InterfacePolicy> interfaces,
        final RulesetVersion ruleset)
    {
        this(restrictions, interfaces, ruleset, List.of());
    }

    /** Returns the policy of an interface by its index, or {@link InterfacePolicy#OPEN} if the host has none for it. */
    public InterfacePolicy of(final int interfaceIndex)
    {
        return interfaces.getOrDefault(interfaceIndex, InterfacePolicy.OPEN);
    }
}
