package org.fibnuma.bench.fib;

import org.fibnuma.core.UserException;
import org.fibnuma.core.wire.Ipv4Address;
import org.fibnuma.fibnic.routes.RouteList;

import java.util.Arrays;
import java.util.SplittableRandom;

/** Random IPv4 destinations for lookups, the same for the same seed. Used by one thread. */
public final class AddressSample
{
    /** Addresses that are drawn for each one that is needed. */
    static final int ATTEMPTS = 2;

    private static final int LOOPBACK_OCTET = 127;
    private static final int FIRST_MULTICAST_OCTET = 224;

    private final SplittableRandom random;
    private final RouteList table;

    /**
     * Creates a generator.
     *
     * @param table with one route or more.
     * @param seed  equal seeds give equal addresses.
     */
    public AddressSample(final RouteList table, final long seed)
    {
        this.random = new SplittableRandom(seed);
        this.table = table;
    }

    /**
     * Returns addresses of routed traffic: each a random host of a random route, possibly repeated.
     *
     * @param count of addresses.
     * @return as in {@link Ipv4Address}.
     */
    public int[] ofRoutes(final int count)
    {
        return random.ints(count, 0, table.size()).map(this::hostOf).toArray();
    }

    /**
     * Returns addresses of routed traffic that a router forwards to a next hop: as {@link #ofRoutes(int)}, except
     * destinations that RFC 1812 section 5.3.7 forbids and those of {@link NextHopNetwork}.
     *
     * @param count of addresses.
     * @return as in {@link Ipv4Address}.
     * @throws UserException if more than half of the addresses in the table's routes are such exceptions.
     */
    public int[] ofTransit(final int count)
    {
        final int[] addresses = Arrays.stream(ofRoutes(ATTEMPTS * count))
            .filter(AddressSample::isTransit).limit(count).toArray();
        if (addresses.length < count)
        {
            throw tooFew("IPv4");
        }
        return addresses;
    }

    static UserException tooFew(final String family)
    {
        return new UserException(
            "the " + family + " routes of the table contain too few addresses that a router may forward to");
    }

    private static boolean isTransit(final int address)
    {
        final int octet = address >>> Byte.SIZE * 3;
        return octet > 0 && octet != LOOPBACK_OCTET && octet < FIRST_MULTICAST_OCTET &&
            !NextHopNetwork.contains(address);
    }

    /** Returns random addresses of the whole 32-bit space, routed or not. */
    int[] ofSpace(final int count)
    {
        return random.ints(count).toArray();
    }

    /** Returns addresses that reveal errors: the first and last of random routes and their neighbours outside. */
    int[] ofBoundaries(final int count)
    {
        return random.ints(count, 0, table.size()).map(this::boundaryOf).toArray();
    }

    private int hostOf(final int route)
    {
        return table.prefix(route) | random.nextInt() & ~Ipv4Address.mask(table.length(route));
    }

    private int boundaryOf(final int route)
    {
        final int first = table.prefix(route);
        final int last = first | ~Ipv4Address.mask(table.length(route));
        switch (random.nextInt(4))
        {
            case 0:
                return first - 1;
            case 1:
                return first;
            case 2:
                return last;
            default:
                return last + 1;
        }
    }
}
