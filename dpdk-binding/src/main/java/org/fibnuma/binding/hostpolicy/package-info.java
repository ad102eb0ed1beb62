/**
 * The host's configuration for forwarded packets: {@link org.fibnuma.core.kernel.KernelPolicy} over rtnetlink,
 * nfnetlink and bpf(2). Reads and listens only.
 * <pre>
 *  HostPolicyReader --> NetconfTable     forwarding and rp_filter of interfaces   RTM_GETNETCONF
 *         |         --> RuleDecoder      ip rule                                  RTM_GETRULE
 *         |         --> LinkMembership   VRF, XDP programs                        RTM_GETLINK
 *         |         --> TrafficControl   filters, tcx programs                    RTM_GETTFILTER, BPF_PROG_QUERY
 *         +-----------> PacketFilters    nftables, legacy iptables
 * </pre>
 */
package org.fibnuma.binding.hostpolicy;
