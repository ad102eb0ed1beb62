package org.fibnuma.binding.hostpolicy;

import org.agrona.concurrent.UnsafeBuffer;
import org.fibnuma.binding.libc.SysSocket;
import org.fibnuma.binding.libc.SystemCallException;
import org.fibnuma.binding.netfilter.PacketFilters;
import org.fibnuma.binding.netlink.NetlinkExchange;
import org.fibnuma.binding.netlink.NetlinkLayout;
import org.fibnuma.binding.netlink.NetlinkMessageFlyweight;
import org.fibnuma.binding.netlink.NetlinkMessageHandler;
import org.fibnuma.binding.netlink.NetlinkRequest;
import org.fibnuma.binding.netlink.NetlinkSocket;
import org.fibnuma.binding.rtnetlink.LinkLayout;
import org.fibnuma.core.UserException;
import org.fibnuma.core.kernel.HostPolicy;
import org.fibnuma.core.kernel.HostRestriction;
import org.fibnuma.core.kernel.InterfacePolicy;
import org.fibnuma.core.kernel.KernelPolicy;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Reads the policy of the network namespace of the thread that opened this. After a notification it reads again either
 * the packet filters or everything else. One thread at a time, after opening.
 */
final class HostPolicyReader implements KernelPolicy
{
    private static final int DATAGRAM_LENGTH = 64 * 1024;
    private static final int REQUEST_CAPACITY = 64;
    /** Shortest time in ms between two readings of nftables, and the period of reading legacy iptables. */
    private static final long FILTERS_INTERVAL_MS = 1000;
    private static final int MAX_ATTEMPTS = 8;

    private final NetlinkExchange exchange;
    private final NetlinkSocket notifications;
    private final PacketFilters filters;
    private final TrafficControl trafficControl;
    private final NetlinkRequest request = new NetlinkRequest(REQUEST_CAPACITY);
    private final UnsafeBuffer buffer = new UnsafeBuffer(ByteBuffer.allocateDirect(DATAGRAM_LENGTH));
    private final NetlinkMessageFlyweight message = new NetlinkMessageFlyweight();
    private final NetconfTable netconf = new NetconfTable();
    private final RuleDecoder ruleDecoder = new RuleDecoder();
    private final LinkMembership links = new LinkMembership();
    private final List<RuleDecoder.Rule> rules = new ArrayList<>();
    private final List<HostRestriction> onLinks = new ArrayList<>();
    private final Set<String> names = new HashSet<>();
    private List<HostRestriction> nftables = List.of();
    private List<HostRestriction> legacyIptables = List.of();
    private Set<Integer> known = Set.of();
    private boolean linksDue = true;
    private boolean nftablesDue = true;
    private boolean legacyDue = true;
    private boolean nftablesChanged;
    private long nftablesNotBeforeMs = Long.MIN_VALUE;
    private long legacyNextMs = Long.MIN_VALUE;

    private HostPolicyReader(
        final NetlinkExchange exchange, final NetlinkSocket notifications, final PacketFilters filters)
    {
        this.exchange = exchange;
        this.notifications = notifications;
        this.filters = filters;
        this.trafficControl = new TrafficControl(exchange);
    }

    /**
     * Subscribes to notifications.
     *
     * @param packetFilters whether netfilter and traffic control are included.
     * @throws UserException where the kernel refuses.
     */
    static HostPolicyReader open(final boolean packetFilters)
    {
        NetlinkExchange exchange = null;
        NetlinkSocket socket = null;
        try
        {
            exchange = new NetlinkExchange(NetlinkLayout.NETLINK_ROUTE);
            socket = NetlinkSocket.open(NetlinkLayout.NETLINK_ROUTE);
            socket.join(LinkLayout.RTNLGRP_LINK);
            socket.join(LinkPolicyLayout.RTNLGRP_TC);
            socket.join(RuleLayout.RTNLGRP_IPV4_RULE);
            socket.join(NetconfLayout.RTNLGRP_IPV4_NETCONF);
            return new HostPolicyReader(exchange, socket, packetFilters ? PacketFilters.open() : null);
        }
        catch (final SystemCallException ex)
        {
            if (exchange != null)
            {
                exchange.close();
            }
            if (socket != null)
            {
                socket.close();
            }
            throw broken(ex);
        }
    }

    @Override
    public boolean poll(final long nowMs)
    {
        try
        {
            pollLinks();
            if (filters != null)
            {
                pollFilters(nowMs);
            }
            return linksDue || nftablesDue || legacyDue;
        }
        catch (final SystemCallException ex)
        {
            throw broken(ex);
        }
    }

    private void pollFilters(final long nowMs)
    {
        nftablesChanged |= filters.poll();
        if (nftablesChanged && nowMs >= nftablesNotBeforeMs)
        {
            nftablesNotBeforeMs = nowMs + FILTERS_INTERVAL_MS;
            nftablesChanged = false;
            nftablesDue = true;
        }
        if (nowMs >= legacyNextMs)
        {
            legacyNextMs = nowMs + FILTERS_INTERVAL_MS;
            legacyDue = true;
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
            }
            length = notifications.receive(buffer);
        }
    }

    /**
     * Returns whether a message requires reading again. Messages about links count only for the requested interfaces.
     */
    private boolean concernsUs()
    {
        return switch (message.type())
        {
            case LinkLayout.RTM_NEWLINK ->
                message.payloadLength() >= LinkLayout.LENGTH &&
                known.contains(buffer.getInt(message.payloadOffset() + LinkLayout.INDEX_OFFSET));
            case RuleLayout.RTM_NEWRULE, RuleLayout.RTM_DELRULE, NetconfLayout.RTM_NEWNETCONF,
                NetconfLayout.RTM_DELNETCONF, LinkPolicyLayout.RTM_NEWTFILTER, LinkPolicyLayout.RTM_DELTFILTER,
                NetlinkLayout.NLMSG_OVERRUN -> true;
            default -> false;
        };
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
        restrictions.addAll(legacyIptables);
        restrictions.addAll(onLinks);
        final Map<Integer, InterfacePolicy> policies = new HashMap<>();
        known.forEach(index -> policies.put(index, netconf.of(index)));
        return new HostPolicy(restrictions, policies);
    }

    private void readFilters()
    {
        if (nftablesDue)
        {
            nftables = filters.nftables(names);
            nftablesDue = false;
        }
        if (legacyDue)
        {
            legacyIptables = filters.legacyIptables();
            legacyDue = false;
        }
    }

    private void readLinks()
    {
        linksDue = true;
        list("settings of interfaces", NetconfLayout.RTM_GETNETCONF, NetconfLayout.LENGTH, netconf::clear,
            netconf::onMessage);
        boolean consistent = !exchange.wasInterrupted();
        list("rules", RuleLayout.RTM_GETRULE, RuleLayout.LENGTH, rules::clear, this::onRule);
        consistent &= !exchange.wasInterrupted();
        if (links.read(exchange) != 0)
        {
            throw new UserException("netlink: cannot list the kernel's links: " + exchange.refusal());
        }
        linksDue = !consistent || exchange.wasInterrupted();
        final Set<String> before = Set.copyOf(names);
        names.clear();
        known.forEach(index -> names.add(links.name(index)));
        nftablesDue |= !names.equals(before);
        addLinkRestrictions();
    }

    private void addLinkRestrictions()
    {
        onLinks.clear();
        for (final RuleDecoder.Rule rule : rules)
        {
            if (rule.ingress() == null || names.contains(rule.ingress()))
            {
                onLinks.add(new HostRestriction(HostRestriction.Kind.RULE, "rule " + rule.text(), "ip rule show"));
            }
        }
        for (final int index : known.stream().sorted().toList())
        {
            final HostRestriction vrf = links.vrf(index);
            if (vrf != null)
            {
                onLinks.add(vrf);
            }
            if (filters != null)
            {
                trafficControl.read(index, links.name(index), onLinks);
            }
        }
    }

    private void onRule(final NetlinkMessageFlyweight rule)
    {
        final RuleDecoder.Rule decoded = rule.type() == RuleLayout.RTM_NEWRULE ? ruleDecoder.decode(rule) : null;
        if (decoded != null && decoded.beyond())
        {
            rules.add(decoded);
        }
    }

    /** Requests a list of rules or settings; the structures of both start with the family. */
    private void list(
        final String what, final int type, final int length, final Runnable clear, final NetlinkMessageHandler handler)
    {
        int attempts = 0;
        do
        {
            clear.run();
            final int errno = exchange.dump(
                request.clear().begin(type, NetlinkLayout.NLM_F_DUMP, exchange.nextSequence(), length)
                    .putByte(RuleLayout.FAMILY_OFFSET, SysSocket.AF_INET),
                handler);
            if (errno != 0)
            {
                throw new UserException("netlink: cannot list the kernel's " + what + ": " + exchange.refusal());
            }
            attempts++;
        }
        while (exchange.wasInterrupted() && attempts < MAX_ATTEMPTS);
    }

    @Override
    public void close()
    {
        notifications.close();
        exchange.close();
        if (filters != null)
        {
            filters.close();
        }
    }

    private static UserException broken(final SystemCallException ex)
    {
        return new UserException("netlink: " + ex.getMessage(), ex);
    }
}
