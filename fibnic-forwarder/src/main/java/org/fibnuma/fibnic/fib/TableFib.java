package org.fibnuma.fibnic.fib;

import org.fibnuma.core.wire.IpAddress;
import org.fibnuma.core.wire.IpPrefix;

/**
 * The FIB of one routing table and family. The routes up to some prefix length may be in a second one, see
 * {@link FibRules}. Lookups are for threads that have registered with the {@link ReaderEpochs} of the FIBs; the other
 * methods are for the control thread.
 */
public final class TableFib
{
    private final Ipv4Fib ipv4;
    private final Ipv6Fib fib;
    private final Ipv6Fib shorter;

    private TableFib(final Ipv4Fib ipv4, final Ipv6Fib fib, final Ipv6Fib shorter)
    {
        this.ipv4 = ipv4;
        this.fib = fib;
        this.shorter = shorter;
    }

    /** Returns the FIB of the IPv4 main table; the second one may be null. */
    public static TableFib of(final Ipv4Fib ipv4, final Ipv6Fib shorter)
    {
        return new TableFib(ipv4, null, shorter);
    }

    /** Returns the FIB of an IPv6 table, or of an IPv4 table other than main; the second one may be null. */
    public static TableFib of(final Ipv6Fib fib, final Ipv6Fib shorter)
    {
        return new TableFib(null, fib, shorter);
    }

    /** Returns the adjacency of the longest prefix that covers an address of the family, 0 if none does. */
    public int lookup(final IpAddress address)
    {
        final int found = ipv4 == null ? fib.lookup(high(address), low(address)) : ipv4.lookup(address.ipv4());
        return found != 0 || shorter == null ? found : shorter.lookup(high(address), low(address));
    }

    /** Returns the adjacency of exactly one prefix of the family, 0 if there is none. */
    public int exact(final IpPrefix prefix)
    {
        final long high = high(prefix.first());
        final long low = low(prefix.first());
        final int found = ipv4 == null ?
            fib.exact(high, low, prefix.length()) : ipv4.exact(prefix.ipv4(), prefix.length());
        return found != 0 || shorter == null ? found : shorter.exact(high, low, prefix.length());
    }

    /** Returns the number of prefixes. */
    public int size()
    {
        return (ipv4 == null ? fib.size() : ipv4.size()) + (shorter == null ? 0 : shorter.size());
    }

    /** Returns the memory in bytes that lookups read and that the control thread updates it from. */
    public long bytes()
    {
        return (ipv4 == null ? fib.tableBytes() + fib.prefixBytes() :
            ipv4.tableBytes() + ipv4.secondLevelBytes() + ipv4.prefixBytes()) +
            (shorter == null ? 0 : shorter.tableBytes() + shorter.prefixBytes());
    }

    /** Returns the FIB of the routes up to some prefix length, or null. */
    public Ipv6Fib shorter()
    {
        return shorter;
    }

    /** Returns the FIB of the other routes; null for the IPv4 main table. */
    public Ipv6Fib longer()
    {
        return fib;
    }

    private static long high(final IpAddress address)
    {
        return address.isIpv4() ? FibRules.inHigh(address.ipv4()) : address.high();
    }

    private static long low(final IpAddress address)
    {
        return address.isIpv4() ? 0 : address.low();
    }
}
