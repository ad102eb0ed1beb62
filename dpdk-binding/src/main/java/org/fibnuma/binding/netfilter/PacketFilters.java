package org.fibnuma.binding.netfilter;

import org.agrona.CloseHelper;
import org.agrona.concurrent.UnsafeBuffer;
import org.fibnuma.binding.libc.Errno;
import org.fibnuma.binding.libc.SystemCallException;
import org.fibnuma.binding.netlink.NetlinkExchange;
import org.fibnuma.binding.netlink.NetlinkLayout;
import org.fibnuma.binding.netlink.NetlinkMessageFlyweight;
import org.fibnuma.binding.netlink.NetlinkRequest;
import org.fibnuma.binding.netlink.NetlinkSocket;
import org.fibnuma.core.UserException;
import org.fibnuma.core.kernel.HostRestriction;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The packet filters of the network namespace of the thread that opened it: nftables, with notifications, and legacy
 * iptables, which has none. A kernel without them has no filters. One thread.
 */
public final class PacketFilters implements AutoCloseable
{
    private static final int DATAGRAM_LENGTH = 64 * 1024;
    private static final int REQUEST_CAPACITY = 64;
    /** Port of the kernel, which no table has. */
    private static final int KERNEL_PORT_ID = 0;

    private final NetlinkExchange exchange;
    private final NetlinkSocket notifications;
    private final NftablesRuleset nftables;
    private final NetfilterHooks hooks;
    private final List<LegacyIptables> legacy;
    private final UnsafeBuffer buffer = new UnsafeBuffer(ByteBuffer.allocateDirect(DATAGRAM_LENGTH));
    private final NetlinkMessageFlyweight message = new NetlinkMessageFlyweight();
    private int ignoredPortId = KERNEL_PORT_ID;

    private PacketFilters(
        final NetlinkExchange exchange,
        final NetlinkSocket notifications,
        final List<LegacyIptables> legacy,
        final boolean ipv6)
    {
        this.exchange = exchange;
        this.notifications = notifications;
        this.nftables = exchange == null ? null : new NftablesRuleset(exchange, ipv6);
        this.hooks = exchange == null ? null : new NetfilterHooks(exchange, ipv6);
        this.legacy = legacy;
    }

    /**
     * Subscribes to notifications.
     *
     * @param ipv6 whether filters that only IPv6 packets pass are included.
     * @throws SystemCallException if the kernel refuses.
     */
    public static PacketFilters open(final boolean ipv6)
    {
        final List<LegacyIptables> legacy = new ArrayList<>();
        NetlinkExchange exchange = null;
        NetlinkSocket notifications = null;
        try
        {
            for (final LegacyFamily family : ipv6 ? LegacyFamily.values() : new LegacyFamily[]{LegacyFamily.IPV4})
            {
                legacy.add(new LegacyIptables(family));
            }
            exchange = new NetlinkExchange(NetlinkLayout.NETLINK_NETFILTER);
            notifications = NetlinkSocket.open(NetlinkLayout.NETLINK_NETFILTER);
            notifications.join(NftablesLayout.NFNLGRP_NFTABLES);
            return new PacketFilters(exchange, notifications, legacy, ipv6);
        }
        catch (final SystemCallException ex)
        {
            CloseHelper.closeAll(notifications, exchange);
            if (Errno.EPROTONOSUPPORT.is(ex.errno()))
            {
                return new PacketFilters(null, null, legacy, ipv6);
            }
            legacy.forEach(LegacyIptables::close);
            throw ex;
        }
    }

    /**
     * Leaves a table out from now on: its chains are no restriction, and a change that its socket makes is no change.
     *
     * @param table  name, in family inet.
     * @param portId of the netlink socket that changes the table.
     */
    public void leaveOut(final String table, final int portId)
    {
        ignoredPortId = portId;
        if (nftables != null)
        {
            nftables.ignore(table);
        }
    }

    /** Returns the current generation of the ruleset of nftables, 0 if the kernel has no nf_tables. */
    public int generation()
    {
        return exchange == null ? 0 : RulesetChanges.generation(exchange, new NetlinkRequest(REQUEST_CAPACITY));
    }

    /**
     * Receives pending notifications. Returns whether nftables may have changed.
     *
     * @throws SystemCallException if the socket fails.
     */
    public boolean poll()
    {
        boolean changed = false;
        while (notifications != null)
        {
            final int length = notifications.receive(buffer);
            if (length == NetlinkSocket.NOTHING)
            {
                break;
            }
            changed |= length == NetlinkSocket.LOST;
            message.wrap(buffer, 0, Math.max(0, length));
            while (message.next())
            {
                changed |= message.portId() != ignoredPortId || ignoredPortId == KERNEL_PORT_ID;
            }
            changed |= message.isMalformed();
        }
        return changed;
    }

    /**
     * Reads all chains of nftables.
     *
     * @param devicesByName index of each interface whose device chains are included.
     * @param carriers      the interfaces of all ports, see {@link #exceptOffloaded}.
     * @return one restriction for each chain that forwarded packets pass and that can drop or change them.
     * @throws UserException if the kernel refuses.
     */
    public List<HostRestriction> nftables(final Map<String, Integer> devicesByName, final Set<String> carriers)
    {
        return nftables == null ? List.of() : nftables.restrictions(devicesByName, carriers);
    }

    /**
     * Returns what other filters than {@link #nftables} are, if that has found flowtables that take the packets of
     * connections past them, whichever port receives them.
     */
    public HostRestriction exceptOffloaded(final HostRestriction restriction)
    {
        return nftables == null ? restriction : restriction.exceptOffloaded(nftables.offloaded());
    }

    /**
     * Reads the tables in use of legacy iptables and ip6tables.
     *
     * @return one restriction for each chain that forwarded packets pass and that can drop or change them.
     * @throws UserException if the kernel refuses.
     */
    public List<HostRestriction> legacyIptables()
    {
        return legacy.stream().flatMap(family -> family.restrictions().stream()).toList();
    }

    /**
     * Returns a digest of the rules that {@link #legacyIptables()} has read last, without their counters; 0 if there
     * were none.
     */
    public long legacyDigest()
    {
        return legacy.stream().mapToLong(LegacyIptables::digest).reduce(0, (sum, digest) -> 31 * sum + digest);
    }

    /**
     * Reads the functions that netfilter calls for forwarded packets, beside those of the tables above. Returns one
     * restriction for each that is not known to be harmless; none if the kernel does not list them.
     */
    public List<HostRestriction> hooks()
    {
        return hooks == null ? List.of() : List.copyOf(hooks.restrictions());
    }

    @Override
    public void close()
    {
        CloseHelper.closeAll(notifications, exchange);
        legacy.forEach(LegacyIptables::close);
    }
}
