package org.fibnuma.fibnic.routes;

import org.fibnuma.core.wire.Ipv4Address;

import java.util.Arrays;

/**
 * IPv4 routes, or changes of routes, in the order of the file, in nine bytes each. A table dump has announcements only.
 * Not thread-safe while it grows.
 */
public final class RouteList
{
    /** Next hop of a line without a next hop, and of withdrawals. */
    public static final int NO_NEXT_HOP = 0;

    private static final int FIRST_CAPACITY = 1024;
    private static final byte WITHDRAWAL = (byte)0x80;

    private int[] prefixes = new int[FIRST_CAPACITY];
    private int[] nextHops = new int[FIRST_CAPACITY];
    private byte[] lengths = new byte[FIRST_CAPACITY];
    private int size;
    private int skippedIpv6;
    private int skippedPeers;

    /**
     * Appends a route.
     *
     * @param prefix  address whose bits below the length are 0.
     * @param length  0 to 32.
     * @param nextHop address of the gateway, or {@link #NO_NEXT_HOP}.
     */
    public void addAnnouncement(final int prefix, final int length, final int nextHop)
    {
        add(prefix, (byte)length, nextHop);
    }

    /**
     * Appends a withdrawal.
     *
     * @param prefix address whose bits below the length are 0.
     * @param length 0 to 32.
     */
    public void addWithdrawal(final int prefix, final int length)
    {
        add(prefix, (byte)(length | WITHDRAWAL), NO_NEXT_HOP);
    }

    private void add(final int prefix, final byte length, final int nextHop)
    {
        if (size == prefixes.length)
        {
            final int capacity = size + (size >> 1);
            prefixes = Arrays.copyOf(prefixes, capacity);
            nextHops = Arrays.copyOf(nextHops, capacity);
            lengths = Arrays.copyOf(lengths, capacity);
        }
        prefixes[size] = prefix;
        nextHops[size] = nextHop;
        lengths[size] = length;
        size++;
    }

    void countSkippedIpv6()
    {
        skippedIpv6++;
    }

    void countSkippedPeer()
    {
        skippedPeers++;
    }

    /** Returns the number of entries. */
    public int size()
    {
        return size;
    }

    /** Returns the prefix of the entry at an index, 0 to size - 1; address bits below the length are 0. */
    public int prefix(final int index)
    {
        return prefixes[index];
    }

    /** Returns the prefix length, 0 to 32, of the entry at an index, 0 to size - 1. */
    public int length(final int index)
    {
        return lengths[index] & ~WITHDRAWAL;
    }

    /** Returns the next hop of the entry at an index, 0 to size - 1: an IPv4 address, or {@link #NO_NEXT_HOP}. */
    public int nextHop(final int index)
    {
        return nextHops[index];
    }

    /** Returns whether the entry at an index, 0 to size - 1, is a withdrawal. */
    public boolean isWithdrawal(final int index)
    {
        return lengths[index] < 0;
    }

    /** Returns the number of lines that were skipped because they have IPv6 addresses. */
    public int skippedIpv6()
    {
        return skippedIpv6;
    }

    /** Returns the number of lines that were skipped because they are of another peer. */
    public int skippedPeers()
    {
        return skippedPeers;
    }

    /**
     * Formats the announcement at an index, 0 to size - 1, as {@link RouteTableReader} reads it, such as
     * {@code 192.0.2.0/24 198.18.0.1}.
     */
    public String format(final int index)
    {
        final String prefix = Ipv4Address.format(prefixes[index]) + "/" + length(index);
        return nextHops[index] == NO_NEXT_HOP ? prefix : prefix + " " + Ipv4Address.format(nextHops[index]);
    }
}
