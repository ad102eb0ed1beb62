/**
 * Reads which packet filters of the host can drop or change forwarded packets: nftables over nfnetlink (iptables-nft
 * writes its tables there too), and legacy iptables through socket options.
 * <pre>
 *  PacketFilters --> NftablesRuleset --> NftablesRule                       chains on the hooks, their rules
 *       |                    |
 *       |                    +---------> NftablesWalk --> NftablesPacketRule
 *       |
 *       +----------> LegacyIptables --> LegacyTable                         one table in the kernel's format
 *                            |
 *                            +---------> LegacyWalk
 * </pre>
 * The walks follow the later packets of an established connection, {@link
 * org.fibnuma.binding.netfilter.PacketMatch}, through the rules. Whether a rule acts on single packets is three-valued
 * logic: where a match is unknown, both ways are walked, and what is unknown acts on single packets.
 * <p>
 * The only change is a table of its own, {@link org.fibnuma.binding.netfilter.FlowLabelTable}, with which the kernel
 * marks the connections that all chains accept.
 */
@org.fibnuma.core.Internal
package org.fibnuma.binding.netfilter;
