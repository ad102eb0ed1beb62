package org.fibnuma.fibnic.routes;

import org.fibnuma.core.wire.Ipv6Address;
import org.fibnuma.core.wire.Ipv6Prefix;

import java.util.ArrayList;
import java.util.List;

/**
 * IPv6 routes, or changes of routes, in the order of the file. A table dump has announcements only. Not thread-safe
 * while it grows.
 */
public final class Ipv6RouteList
{
    /** Next hop of a line without a next hop, and of withdrawals. */
    public static final Ipv6Address NO_NEXT_HOP = new Ipv6Address(0, 0);

    private record Entry(Ipv6Prefix prefix, Ipv6Address nextHop, boolean isWithdrawal)
    {
    }

    private final List<Entry> entries = new ArrayList<>();
    private int skippedIpv4;
    private int skippedPeers;

    /**
     * Appends a route.
     *
     * @param prefix  network.
     * @param nextHop address of the gateway, or {@link #NO_NEXT_HOP}.
     */
    public void addAnnouncement(final Ipv6Prefix prefix, final Ipv6Address nextHop)
    {
        entries.add(new Entry(prefix, nextHop, false));
    }

    /** Appends a withdrawal of a prefix. */
    public void addWithdrawal(final Ipv6Prefix prefix)
    {
        entries.add(new Entry(prefix, NO_NEXT_HOP, true));
    }

    void countSkippedIpv4()
    {
        skippedIpv4++;
    }

    void countSkippedPeer()
    {
        skippedPeers++;
    }

    /** Returns the number of entries. */
    public int size()
    {
        return entries.size();
    }

    /** Returns the prefix of the entry at an index, 0 to size - 1. */
    public Ipv6Prefix prefix(final int index)
    {
        return entries.get(index).prefix;
    }

    /** Returns the next hop of the entry at an index, 0 to size - 1, or {@link #NO_NEXT_HOP}. */
    public Ipv6Address nextHop(final int index)
    {
        return entries.get(index).nextHop;
    }

    /** Returns whether the entry at an index, 0 to size - 1, is a withdrawal. */
    public boolean isWithdrawal(final int index)
    {
        return entries.get(index).isWithdrawal;
    }

    /** Returns the number of lines that were skipped because they have IPv4 addresses. */
    public int skippedIpv4()
    {
        return skippedIpv4;
    }

    /** Returns the number of lines that were skipped because they are of another peer. */
    public int skippedPeers()
    {
        return skippedPeers;
    }

    /**
     * Formats the announcement at an index, 0 to size - 1, as {@link RouteTableReader} reads it, such as
     * {@code 2001:db8::/32 fe80::1}.
     */
    public String format(final int index)
    {
        final Entry entry = entries.get(index);
        return entry.nextHop.equals(NO_NEXT_HOP) ? entry.prefix.toString() : entry.prefix + " " + entry.nextHop;
    }
}
