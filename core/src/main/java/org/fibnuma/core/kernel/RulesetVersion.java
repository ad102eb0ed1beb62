package org.fibnuma.core.kernel;

/**
 * Version of the host's packet filters that was in force before they were read. Another version may judge packets
 * otherwise.
 *
 * @param generation of the ruleset of nftables, which the kernel counts; 0 if there is none.
 * @param legacy     digest of the rules of legacy iptables, without their counters; 0 if there are none.
 */
public record RulesetVersion(int generation, long legacy)
{
    /** Version of a host whose packet filters were not read. */
    public static final RulesetVersion NONE = new RulesetVersion(0, 0);
}
