/**
 * What the host's packet filters can do to packets that it forwards: nftables, asked over nfnetlink (iptables-nft
 * writes its tables there too), and legacy iptables, asked through socket options. Only reads.
 * <pre>
 *  PacketFilters --> NftablesRuleset --> NftablesRule      chains on the hooks, their rules
 *       |
 *       +----------> LegacyIptables --> LegacyTable        one table of rules as the kernel holds it
 * </pre>
 */
package org.fibnuma.binding.netfilter;
