package org.fibnuma.binding.hostpolicy;

import org.agrona.CloseHelper;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.fibnuma.binding.libc.Errno;
import org.fibnuma.binding.libc.SysSocket;
import org.fibnuma.binding.libc.SystemCallException;
import org.fibnuma.binding.netlink.NetlinkAttributeFlyweight;
import org.fibnuma.binding.netlink.NetlinkExchange;
import org.fibnuma.binding.netlink.NetlinkLayout;
import org.fibnuma.binding.netlink.NetlinkMessageFlyweight;
import org.fibnuma.binding.netlink.NetlinkRequest;
import org.fibnuma.binding.netlink.NetlinkSocket;
import org.fibnuma.core.UserException;
import org.fibnuma.core.kernel.HostRestriction;
import org.fibnuma.core.wire.IpPrefix;
import org.fibnuma.core.wire.Ipv6Address;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The IPsec policies that apply to forwarded packets, in the network namespace of the thread that opened it: those of
 * directions fwd and out that block or transform packets. A policy is taken to apply to the destinations or the sources
 * of its selector, or to its whole family; ports and protocol are ignored. A policy for marked packets or for an xfrm
 * interface applies to no packet that the router forwards. A kernel without IPsec has no policies. One thread.
 */
final class IpsecPolicies implements AutoCloseable
{
    private static final int DATAGRAM_LENGTH = 64 * 1024;
    private static final int REQUEST_CAPACITY = 256;

    /** Null if the kernel has no IPsec. */
    private final NetlinkExchange exchange;
    private final NetlinkSocket notifications;
    private final boolean ipv6;
    private final NetlinkRequest request = new NetlinkRequest(REQUEST_CAPACITY);
    private final UnsafeBuffer buffer = new UnsafeBuffer(ByteBuffer.allocateDirect(DATAGRAM_LENGTH));
    private final NetlinkMessageFlyweight message = new NetlinkMessageFlyweight();
    private final NetlinkAttributeFlyweight attributes = new NetlinkAttributeFlyweight();

    private IpsecPolicies(final NetlinkExchange exchange, final NetlinkSocket notifications, final boolean ipv6)
    {
        this.exchange = exchange;
        this.notifications = notifications;
        this.ipv6 = ipv6;
    }

    /** Direction of policies, and their family or {@code AF_UNSPEC} for both. */
    record Concern(int direction, int family) implements Comparable<Concern>
    {
        @Override
        public int compareTo(final Concern other)
        {
            return direction == other.direction ?
                Integer.compare(family, other.family) : Integer.compare(other.direction, direction);
        }

        HostRestriction restriction(final Selectors selectors)
        {
            final String name = direction == IpsecLayout.XFRM_POLICY_FWD ? "fwd" : "out";
            final String packets =
                family == SysSocket.AF_INET ? " IPv4" : family == SysSocket.AF_INET6 ? " IPv6" : "";
            final boolean isIpv6 = family == SysSocket.AF_INET6;
            return new HostRestriction(HostRestriction.Kind.IPSEC,
                "IPsec policies of direction " + name + " for" + packets + " packets" +
                (selectors.all ? "" : " of some prefixes"),
                "ip xfrm policy list dir " + name,
                packets.isEmpty() ? HostRestriction.Scope.ALL :
                selectors.all ? HostRestriction.Scope.family(isIpv6) :
                HostRestriction.Scope.prefixes(isIpv6, selectors.destinations, selectors.sources));
        }
    }

    /** The packets to which the policies of one direction and family apply: all, or those to or from prefixes. */
    static final class Selectors
    {
        private final Set<IpPrefix> destinations = new TreeSet<>();
        private final Set<IpPrefix> sources = new TreeSet<>();
        private boolean all;

        /**
         * Adds one prefix of a selector, because a packet must match both. For packets from a tunnel it is the source,
         * because the destination may be every network of this host; for IPv6 the router looks up no sources.
         */
        private void add(
            final int family, final boolean isFromTunnel, final DirectBuffer buffer, final int offset)
        {
            final IpPrefix destination = prefix(family, buffer, offset + IpsecLayout.DESTINATION_OFFSET,
                buffer.getByte(offset + IpsecLayout.DESTINATION_LENGTH_OFFSET) & 0xFF);
            final IpPrefix source = prefix(family, buffer, offset + IpsecLayout.SOURCE_OFFSET,
                buffer.getByte(offset + IpsecLayout.SOURCE_LENGTH_OFFSET) & 0xFF);
            final boolean prefersSource = isFromTunnel && family == SysSocket.AF_INET;
            if (source != null && (prefersSource || destination == null))
            {
                sources.add(source);
            }
            else if (destination != null)
            {
                destinations.add(destination);
            }
            else
            {
                all = true;
            }
        }

        /** Returns the prefix of a selector, or null if it is for all addresses. */
        private static IpPrefix prefix(final int family, final DirectBuffer buffer, final int offset, final int length)
        {
            final boolean isIpv6 = family == SysSocket.AF_INET6;
            if (length == 0 || length > (isIpv6 ? Ipv6Address.BITS : Integer.SIZE) ||
                !isIpv6 && family != SysSocket.AF_INET)
            {
                return null;
            }
            return isIpv6 ?
                IpPrefix.of(buffer.getLong(offset, ByteOrder.BIG_ENDIAN),
                    buffer.getLong(offset + Long.BYTES, ByteOrder.BIG_ENDIAN), length) :
                IpPrefix.of(buffer.getInt(offset, ByteOrder.BIG_ENDIAN), length);
        }
    }

    /**
     * Subscribes to notifications.
     *
     * @param ipv6 whether policies for IPv6 are included.
     * @throws SystemCallException if the kernel refuses.
     */
    static IpsecPolicies open(final boolean ipv6)
    {
        NetlinkExchange exchange = null;
        NetlinkSocket notifications = null;
        try
        {
            exchange = new NetlinkExchange(NetlinkLayout.NETLINK_XFRM);
            notifications = NetlinkSocket.open(NetlinkLayout.NETLINK_XFRM);
            notifications.join(IpsecLayout.XFRMNLGRP_POLICY);
            notifications.join(IpsecLayout.XFRMNLGRP_EXPIRE);
            return new IpsecPolicies(exchange, notifications, ipv6);
        }
        catch (final SystemCallException ex)
        {
            CloseHelper.closeAll(notifications, exchange);
            if (Errno.EPROTONOSUPPORT.is(ex.errno()))
            {
                return withoutKernel();
            }
            throw ex;
        }
    }

    /** Returns the policies of a kernel without IPsec. */
    static IpsecPolicies withoutKernel()
    {
        return new IpsecPolicies(null, null, false);
    }

    /**
     * Receives pending notifications. Returns whether policies may have changed.
     *
     * @throws SystemCallException if the socket fails.
     */
    boolean poll()
    {
        boolean changed = false;
        int length = notifications == null ? NetlinkSocket.NOTHING : notifications.receive(buffer);
        while (length != NetlinkSocket.NOTHING)
        {
            changed |= length == NetlinkSocket.LOST;
            message.wrap(buffer, 0, Math.max(0, length));
            while (message.next())
            {
                changed |= switch (message.type())
                {
                    case IpsecLayout.XFRM_MSG_NEWPOLICY, IpsecLayout.XFRM_MSG_DELPOLICY,
                        IpsecLayout.XFRM_MSG_UPDPOLICY, IpsecLayout.XFRM_MSG_POLEXPIRE,
                        IpsecLayout.XFRM_MSG_FLUSHPOLICY, IpsecLayout.XFRM_MSG_GETDEFAULT,
                        NetlinkLayout.NLMSG_OVERRUN -> true;
                    default -> false;
                };
            }
            length = notifications.receive(buffer);
        }
        return changed;
    }

    /**
     * Reads all policies and the defaults.
     *
     * @return at most one restriction for each direction and family, and one for each default that blocks.
     * @throws UserException if the kernel refuses.
     * @throws SystemCallException if the socket fails.
     */
    List<HostRestriction> restrictions()
    {
        if (exchange == null)
        {
            return List.of();
        }
        final Map<Concern, Selectors> concerns = new TreeMap<>();
        int attempts = 0;
        do
        {
            concerns.clear();
            final int errno = exchange.dump(request.clear().begin(IpsecLayout.XFRM_MSG_GETPOLICY,
                NetlinkLayout.NLM_F_DUMP, exchange.nextSequence(), IpsecLayout.ID_LENGTH),
                policy -> addPolicy(policy, concerns));
            if (errno != 0)
            {
                throw new UserException("netlink: cannot list the host's IPsec policies: " + exchange.refusal() +
                    "; therefore the policies that the router would bypass are unknown");
            }
            attempts++;
        }
        while (exchange.wasInterrupted() && attempts < NetlinkExchange.DUMP_ATTEMPTS);
        final List<HostRestriction> restrictions = new ArrayList<>();
        // Linux before 5.14 refuses the request and has no defaults.
        exchange.dump(request.clear().begin(IpsecLayout.XFRM_MSG_GETDEFAULT, NetlinkLayout.NLM_F_ACK,
            exchange.nextSequence(), IpsecLayout.DEFAULT_LENGTH), answer -> addDefault(answer, restrictions));
        concerns.forEach((concern, selectors) ->
        {
            if (ipv6 || concern.family != SysSocket.AF_INET6)
            {
                restrictions.add(concern.restriction(selectors));
            }
        });
        return restrictions;
    }

    /** Handles a message of type XFRM_MSG_NEWPOLICY. Policies of sockets have other directions. */
    void addPolicy(final NetlinkMessageFlyweight policy, final Map<Concern, Selectors> concerns)
    {
        if (policy.type() != IpsecLayout.XFRM_MSG_NEWPOLICY || !policy.wrapAttributes(attributes, IpsecLayout.LENGTH))
        {
            return;
        }
        final int offset = policy.payloadOffset();
        final int direction = policy.buffer().getByte(offset + IpsecLayout.DIRECTION_OFFSET);
        final int family = policy.buffer().getShort(offset + IpsecLayout.FAMILY_OFFSET);
        final boolean blocks =
            policy.buffer().getByte(offset + IpsecLayout.ACTION_OFFSET) == IpsecLayout.XFRM_POLICY_BLOCK;
        if ((direction == IpsecLayout.XFRM_POLICY_FWD || direction == IpsecLayout.XFRM_POLICY_OUT) &&
            concernsForwarded(blocks))
        {
            final boolean isFromTunnel = direction == IpsecLayout.XFRM_POLICY_FWD && !blocks;
            concerns.computeIfAbsent(new Concern(direction, family), absent -> new Selectors())
                .add(family, isFromTunnel, policy.buffer(), offset);
        }
    }

    /**
     * Returns whether the policy of the current attributes drops or transforms packets that the router would forward.
     * Such packets have mark 0 and come from no xfrm interface (xfrm_policy_match in net/xfrm/xfrm_policy.c, Linux
     * 6.1).
     */
    private boolean concernsForwarded(final boolean blocks)
    {
        boolean hasEffect = blocks;
        boolean matches = true;
        while (attributes.next())
        {
            switch (attributes.type())
            {
                case IpsecLayout.XFRMA_TMPL -> hasEffect |= attributes.valueLength() > 0;
                case IpsecLayout.XFRMA_MARK, IpsecLayout.XFRMA_IF_ID -> matches &= attributes.intValue(0) == 0;
                default ->
                {
                }
            }
        }
        return hasEffect && matches;
    }

    /** Handles a message of type XFRM_MSG_GETDEFAULT. */
    static void addDefault(final NetlinkMessageFlyweight answer, final List<HostRestriction> restrictions)
    {
        if (answer.type() == IpsecLayout.XFRM_MSG_GETDEFAULT && answer.payloadLength() >= IpsecLayout.DEFAULT_LENGTH)
        {
            final int offset = answer.payloadOffset();
            for (final int direction :
                new int[]{IpsecLayout.DEFAULT_FORWARD_OFFSET, IpsecLayout.DEFAULT_OUT_OFFSET})
            {
                if (answer.buffer().getByte(offset + direction) == IpsecLayout.XFRM_USERPOLICY_BLOCK)
                {
                    restrictions.add(new HostRestriction(HostRestriction.Kind.IPSEC,
                        "IPsec default of direction " +
                        (direction == IpsecLayout.DEFAULT_FORWARD_OFFSET ? "fwd" : "out") + ": block",
                        "ip xfrm policy getdefault"));
                }
            }
        }
    }

    @Override
    public void close()
    {
        CloseHelper.closeAll(notifications, exchange);
    }
}
