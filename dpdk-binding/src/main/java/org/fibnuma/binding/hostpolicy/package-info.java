/**
 * The host's configuration for forwarded packets: {@link org.fibnuma.core.kernel.KernelPolicy} over rtnetlink,
 * nfnetlink, bpf(2) and sysctl files. Reads and listens only.
 * <pre>
 *  HostPolicyReader --> NetconfTable     IPv4 forwarding and rp_filter            RTM_GETNETCONF
 *         |         --> Ipv6Forwarding   IPv6 forwarding                          /proc/sys/net/ipv6/conf
 *         |         --> RuleDecoder      ip rule, ip -6 rule                      RTM_GETRULE
 *         |         --> LinkMembership   VRF, bridge, macvlan, XDP programs       RTM_GETLINK
 *         |         --> TrafficControl   filters, tcx programs                    RTM_GETTFILTER, BPF_PROG_QUERY
 *         |   --> QueueingDisciplines    shapers and the like                     RTM_GETQDISC
 *         |         --> IpsecPolicies    ip xfrm policy                           XFRM_MSG_GETPOLICY
 *         +-----------> PacketFilters    nftables, legacy iptables
 * </pre>
 */
@org.fibnuma.core.Internal
package org.fibnuma.binding.hostpolicy;
