/**
 * Reads which packet filters of the host can drop or change forwarded packets: nftables over nfnetlink (iptables-nft
 * writes its tables there too), and legacy iptables through socket options.
 * <pre>
 *  PacketFilters --> NftablesRuleset --> NftablesRule      chains on the hooks, their rules
 *       |
 *       +----------> LegacyIptables --> LegacyTable        one table of rules in the kernel's format
 * </pre>
 * The only change is a table of its own, {@link org.fibnuma.binding.netfilter.FlowLabelTable}, with which the kernel
 * marks the connections that all chains accept.
 */
@org.fibnuma.core.Internal
package org.fibnuma.binding.netfilter;
