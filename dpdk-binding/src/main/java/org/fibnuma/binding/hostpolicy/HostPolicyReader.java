package org.fibnuma.binding.hostpolicy;

import org.agrona.CloseHelper;
import org.agrona.concurrent.UnsafeBuffer;
import org.fibnuma.binding.libc.Errno;
import org.fibnuma.binding.libc.SysSocket;
import org.fibnuma.binding.libc.SystemCallException;
import org.fibnuma.binding.netfilter.PacketFilters;
import org.fibnuma.binding.netlink.NetlinkAttributeFlyweight;
import org.fibnuma.binding.netlink.NetlinkExchange;
import org.fibnuma.binding.netlink.NetlinkLayout;
import org.fibnuma.binding.netlink.NetlinkMessageFlyweight;
import org.fibnuma.binding.netlink.NetlinkMessageHandler;
import org.fibnuma.binding.netlink.NetlinkRequest;
import org.fibnuma.binding.netlink.NetlinkSocket;
import org.fibnuma.binding.rtnetlink.AddressLayout;
import org.fibnuma.binding.rtnetlink.LinkLayout;
import org.fibnuma.core.UserException;
import org.fibnuma.core.kernel.HostPolicy;
import org.fibnuma.core.kernel.HostRestriction;
import org.fibnuma.core.kernel.InterfacePolicy;
import org.fibnuma.core.kernel.KernelPolicy;
import org.fibnuma.core.kernel.KernelRule;
import org.fibnuma.core.kernel.RulesetVersion;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Reads the policy of the network namespace of the thread that opened it. After a notification it reads either the
 * packet filters or everything else again. One thread at a time. Packet filters need CAP_NET_ADMIN.
 */
public final class HostPolicyReader implements KernelPolicy
{
    private static final int DATAGRAM_LENGTH = 64 * 1024;
    private static final int REQUEST_CAPACITY = 64;
    /** Period in ms of reading settings without notifications. */
    private static final long INTERVAL_MS = 1000;
    /**
     * The pause after nftables was read is this many times as long as the reading, and at most a period: a ruleset that
     * changes all the time takes a tenth of the thread's time. A small one is read at once also if it has just changed,
     * as in a restart of its service, which removes all rules and loads them again.
     */
    private static final int PAUSE_PER_READING = 9;
    private static final int[] IPV4 = {SysSocket.AF_INET};
    private static final int[] BOTH_FAMILIES = {SysSocket.AF_INET, SysSocket.AF_INET6};

    private final NetlinkExchange exchange;
    private final NetlinkSocket notifications;
    /** Null, as {@link #ipsec}, if packet filters are not read. */
    private final PacketFilters filters;
    private final IpsecPolicies ipsec;
    /** Null if the policy for IPv6 is not read. */
    private final Ipv6Forwarding ipv6;
    private final TrafficControl trafficControl;
    private final QueueingDisciplines disciplines;
    private final NetlinkRequest request = new NetlinkRequest(REQUEST_CAPACITY);
    private final UnsafeBuffer buffer = new UnsafeBuffer(ByteBuffer.allocateDirect(DATAGRAM_LENGTH));
    private final NetlinkMessageFlyweight message = new NetlinkMessageFlyweight();
    private final NetlinkAttributeFlyweight attributes = new NetlinkAttributeFlyweight();
    private final NetconfTable netconf = new NetconfTable();
    private final RuleDecoder ruleDecoder = new RuleDecoder();
    private final LinkMembership links = new LinkMembership();
    private final List<KernelRule> rules = new ArrayList<>();
    private final List<HostRestriction> onLinks = new ArrayList<>();
    private final Map<String, Integer> indexByName = new HashMap<>();
    private List<HostRestriction> nftables = List.of();
    /** Of the ruleset, before {@link #nftables} was read. */
    private int generation;
    private long legacyDigest;
    private List<HostRestriction> legacyIptables = List.of();
    private List<HostRestriction> hooks = List.of();
    private List<HostRestriction> ipsecPolicies = List.of();
    private Set<Integer> known = Set.of();
    private final Set<Integer> forwarding = new HashSet<>();
    private Set<Integer> withoutIpv6 = Set.of();
    private boolean linksDue = true;
    private boolean nftablesDue = true;
    /** Whether to read legacy iptables and hooks, which have no notifications. */
    private boolean legacyDue = true;
    private boolean ipsecDue = true;
    private boolean ipv6Due = true;
    private boolean nftablesChanged;
    private long nftablesNotBeforeNs = System.nanoTime();
    private long polledNextMs = Long.MIN_VALUE;

    private HostPolicyReader(
        final NetlinkExchange exchange,
        final NetlinkSocket notifications,
        final PacketFilters filters,
        final IpsecPolicies ipsec,
        final Ipv6Forwarding ipv6)
    {
        this.exchange = exchange;
        this.notifications = notifications;
        this.filters = filters;
        this.ipsec = ipsec;
        this.ipv6 = ipv6;
        this.trafficControl = new TrafficControl(exchange);
        this.disciplines = new QueueingDisciplines(exchange);
    }

    /**
     * Subscribes to notifications in the network namespace of the calling thread.
     *
     * @param packetFilters whether netfilter and traffic control are read too, for a router that receives frames before
     *                      they apply.
     * @param ipv6          whether the policy for IPv6 packets is read too. If not, {@link HostPolicy} contains no
     *                      restriction of IPv6 only, and {@link InterfacePolicy#ipv6Forwarding()} is true.
     * @throws UserException with one line for the user if the kernel refuses.
     */
    public static KernelPolicy open(final boolean packetFilters, final boolean ipv6)
    {
        NetlinkExchange exchange = null;
        NetlinkSocket socket = null;
        PacketFilters filters = null;
        try
        {
            exchange = new NetlinkExchange(NetlinkLayout.NETLINK_ROUTE);
            socket = NetlinkSocket.open(NetlinkLayout.NETLINK_ROUTE);
            socket.join(LinkLayout.RTNLGRP_LINK);
            socket.join(LinkPolicyLayout.RTNLGRP_TC);
            socket.join(RuleLayout.RTNLGRP_IPV4_RULE);
            socket.join(NetconfLayout.RTNLGRP_IPV4_NETCONF);
            if (ipv6)
            {
                socket.join(RuleLayout.RTNLGRP_IPV6_RULE);
                socket.join(NetconfLayout.RTNLGRP_IPV6_NETCONF);
                socket.join(AddressLayout.RTNLGRP_IPV6_IFADDR);
            }
            filters = packetFilters ? PacketFilters.open(ipv6) : null;
            return new HostPolicyReader(exchange, socket, filters, packetFilters ? IpsecPolicies.open(ipv6) : null,
                ipv6 ? new Ipv6Forwarding(Ipv6Forwarding.KERNEL) : null);
        }
        catch (final SystemCallException ex)
        {
            CloseHelper.closeAll(exchange, socket, filters);
            throw broken(ex);
        }
    }

    @Override
    public boolean poll(final long nowMs)
    {
        try
        {
            pollLinks();
            if (nowMs >= polledNextMs)
            {
                polledNextMs = nowMs + INTERVAL_MS;
                legacyDue = true;
                ipv6Due = true;
            }
            if (filters != null)
            {
                pollNftables();
                ipsecDue |= ipsec.poll();
            }
            return linksDue || ipv6 != null && ipv6Due ||
                filters != null && (nftablesDue || legacyDue || ipsecDue);
        }
        catch (final SystemCallException ex)
        {
            throw broken(ex);
        }
    }

    private void pollNftables()
    {
        nftablesChanged |= filters.poll();
        if (nftablesChanged && System.nanoTime() - nftablesNotBeforeNs >= 0)
        {
            nftablesChanged = false;
            nftablesDue = true;
        }
    }

    private void pollLinks()
    {
        int length = notifications.receive(buffer);
        while (length != NetlinkSocket.NOTHING)
        {
            linksDue |= length == NetlinkSocket.LOST;
            message.wrap(buffer, 0, Math.max(0, length));
            while (message.next())
            {
                linksDue |= concernsUs();
                ipv6Due |= concernsIpv6Forwarding();
            }
            length = notifications.receive(buffer);
        }
    }

    /**
     * Returns whether a message requires reading the lists again. Of links and queueing disciplines, only those of the
     * requested interfaces and of interfaces above them count.
     */
    private boolean concernsUs()
    {
        return switch (message.type())
        {
            case LinkLayout.RTM_NEWLINK -> isOfKnown(LinkLayout.LENGTH, LinkLayout.INDEX_OFFSET) || isAboveKnown();
            case LinkLayout.RTM_DELLINK -> isAboveKnown();
            case NetconfLayout.RTM_NEWNETCONF, NetconfLayout.RTM_DELNETCONF -> isNetconf(SysSocket.AF_INET);
            case LinkPolicyLayout.RTM_NEWQDISC, LinkPolicyLayout.RTM_DELQDISC ->
                isOfKnown(LinkPolicyLayout.TC_LENGTH, LinkPolicyLayout.TC_INDEX_OFFSET);
            case RuleLayout.RTM_NEWRULE, RuleLayout.RTM_DELRULE, LinkPolicyLayout.RTM_NEWTFILTER,
                LinkPolicyLayout.RTM_DELTFILTER, NetlinkLayout.NLMSG_OVERRUN -> true;
            default -> false;
        };
    }

    private boolean isOfKnown(final int length, final int indexOffset)
    {
        return message.payloadLength() >= length &&
            known.contains(buffer.getInt(message.payloadOffset() + indexOffset));
    }

    private boolean isAboveKnown()
    {
        return message.wrapAttributes(attributes, LinkLayout.LENGTH) && attributes.find(LinkLayout.IFLA_LINK) &&
            known.contains(attributes.intValue(0));
    }

    /**
     * Returns whether a message is about IPv6 settings or about an IPv6 address of a requested interface: the kernel
     * removes and adds addresses if IPv6 is disabled and enabled.
     */
    private boolean concernsIpv6Forwarding()
    {
        return switch (message.type())
        {
            case NetconfLayout.RTM_NEWNETCONF, NetconfLayout.RTM_DELNETCONF -> isNetconf(SysSocket.AF_INET6);
            case AddressLayout.RTM_NEWADDR, AddressLayout.RTM_DELADDR ->
                isOfKnown(AddressLayout.LENGTH, AddressLayout.INDEX_OFFSET);
            default -> false;
        };
    }

    /** Returns whether a message is about settings of a family, of a requested interface or of all interfaces. */
    private boolean isNetconf(final int family)
    {
        if (!message.wrapAttributes(attributes, NetconfLayout.LENGTH) ||
            buffer.getByte(message.payloadOffset() + NetconfLayout.FAMILY_OFFSET) != family)
        {
            return false;
        }
        final int index = attributes.find(NetconfLayout.NETCONFA_IFINDEX) ?
            attributes.intValue(NetconfLayout.NETCONFA_IFINDEX_ALL) : NetconfLayout.NETCONFA_IFINDEX_ALL;
        return index < 0 || known.contains(index);
    }

    @Override
    public HostPolicy read(final Set<Integer> interfaces)
    {
        try
        {
            if (linksDue || !known.equals(interfaces))
            {
                known = Set.copyOf(interfaces);
                readLinks();
            }
            if (ipv6 != null && ipv6Due)
            {
                readIpv6Forwarding();
            }
            if (filters != null)
            {
                readFilters();
            }
        }
        catch (final SystemCallException ex)
        {
            throw broken(ex);
        }
        final List<HostRestriction> restrictions = new ArrayList<>(nftables);
        Stream.concat(legacyIptables.stream(), hooks.stream())
            .forEach(restriction -> restrictions.add(filters.exceptOffloaded(restriction)));
        restrictions.addAll(ipsecPolicies);
        restrictions.addAll(onLinks);
        final Map<Integer, InterfacePolicy> policies = new HashMap<>();
        known.forEach(index -> policies.put(index, new InterfacePolicy(
            netconf.forwards(index), netconf.reversePath(index), !withoutIpv6.contains(index))));
        return new HostPolicy(restrictions, policies, new RulesetVersion(generation, legacyDigest), List.copyOf(rules));
    }

    private void readIpv6Forwarding()
    {
        final Set<Integer> before = withoutIpv6;
        withoutIpv6 = known.stream().filter(index -> !ipv6.isOn(links.name(index))).collect(Collectors.toSet());
        ipv6Due = false;
        if (!withoutIpv6.equals(before))
        {
            requireFilters();
        }
    }

    /**
     * Makes the filters due after a setting that switches forwarding on was read, so that the same policy has all
     * filters from before the change.
     */
    private void requireFilters()
    {
        nftablesDue = true;
        legacyDue = true;
        ipsecDue = true;
    }

    private void readFilters()
    {
        if (nftablesDue)
        {
            final long startNs = System.nanoTime();
            generation = filters.generation();
            nftables = filters.nftables(
                indexByName, known.stream().map(links::withoutVlans).collect(Collectors.toSet()));
            final long endNs = System.nanoTime();
            nftablesNotBeforeNs = endNs + Math.min(
                PAUSE_PER_READING * (endNs - startNs), TimeUnit.MILLISECONDS.toNanos(INTERVAL_MS));
            nftablesDue = false;
        }
        if (legacyDue)
        {
            legacyIptables = filters.legacyIptables();
            legacyDigest = filters.legacyDigest();
            hooks = filters.hooks();
            legacyDue = false;
        }
        if (ipsecDue)
        {
            ipsecPolicies = ipsec.restrictions();
            ipsecDue = false;
        }
    }

    private void readLinks()
    {
        linksDue = true;
        boolean consistent = list("settings of interfaces", NetconfLayout.RTM_GETNETCONF, NetconfLayout.LENGTH, IPV4,
            netconf::clear, netconf::onMessage);
        consistent &= list("rules", RuleLayout.RTM_GETRULE, RuleLayout.LENGTH, ipv6 == null ? IPV4 : BOTH_FAMILIES,
            rules::clear, this::onRule);
        if (links.read(exchange) != 0)
        {
            throw new UserException("netlink: cannot list the kernel's links: " + exchange.refusal());
        }
        consistent &= !exchange.wasInterrupted();
        if (filters != null)
        {
            consistent &= disciplines.read();
        }
        linksDue = !consistent;
        ipv6Due = true;
        final Map<String, Integer> before = Map.copyOf(indexByName);
        indexByName.clear();
        known.forEach(index -> indexByName.put(links.name(index), index));
        final Set<Integer> forwardingBefore = Set.copyOf(forwarding);
        forwarding.clear();
        known.stream().filter(netconf::forwards).forEach(forwarding::add);
        if (!indexByName.equals(before) || !forwarding.equals(forwardingBefore))
        {
            requireFilters();
        }
        addLinkRestrictions();
    }

    private void addLinkRestrictions()
    {
        onLinks.clear();
        for (final int index : known.stream().sorted().toList())
        {
            links.addVrf(onLinks, index);
            if (filters != null)
            {
                links.addOthers(onLinks, index);
                disciplines.addTo(onLinks, index, links.name(index));
                trafficControl.read(index, links.name(index), onLinks);
            }
        }
    }

    private void onRule(final NetlinkMessageFlyweight rule)
    {
        final KernelRule decoded = rule.type() == RuleLayout.RTM_NEWRULE ? ruleDecoder.decode(rule) : null;
        if (decoded != null)
        {
            rules.add(decoded);
        }
    }

    /**
     * Requests a list of rules or settings; the structures of both start with the family. Returns false if the list
     * changed during each attempt.
     */
    private boolean list(
        final String what,
        final int type,
        final int length,
        final int[] families,
        final Runnable clear,
        final NetlinkMessageHandler handler)
    {
        boolean consistent = false;
        for (int attempts = 0; !consistent && attempts < NetlinkExchange.DUMP_ATTEMPTS; attempts++)
        {
            clear.run();
            consistent = true;
            for (final int family : families)
            {
                final int errno = exchange.dump(
                    request.clear().begin(type, NetlinkLayout.NLM_F_DUMP, exchange.nextSequence(), length)
                        .putByte(RuleLayout.FAMILY_OFFSET, family),
                    handler);
                // A kernel without IPv6 has no rules for it.
                if (errno != 0 && !(family == SysSocket.AF_INET6 && Errno.EAFNOSUPPORT.is(errno)))
                {
                    throw new UserException("netlink: cannot list the kernel's " + what + ": " + exchange.refusal());
                }
                consistent &= !exchange.wasInterrupted();
            }
        }
        return consistent;
    }

    @Override
    public void leaveOut(final String table, final int portId)
    {
        if (filters != null)
        {
            filters.leaveOut(table, portId);
        }
    }

    @Override
    public void close()
    {
        CloseHelper.closeAll(notifications, exchange, filters, ipsec);
    }

    private static UserException broken(final SystemCallException ex)
    {
        return new UserException("netlink: " + ex.getMessage(), ex);
    }
}
