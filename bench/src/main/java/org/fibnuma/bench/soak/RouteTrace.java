package org.fibnuma.bench.soak;

import org.fibnuma.core.UserException;
import org.fibnuma.core.wire.IpAddress;
import org.fibnuma.core.wire.IpPrefix;
import org.fibnuma.fibnic.routes.RouteTableReader;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeSet;

/**
 * Route changes in the order in which they are made.
 *
 * @param changes of both families.
 */
record RouteTrace(List<Change> changes)
{
    /** First of 512 prefixes of the network for benchmarks (RFC 2544). */
    private static final int IPV4 = IpAddress.parse("198.18.0.0").ipv4();
    /** First of 512 prefixes of the network for benchmarks (RFC 5180). */
    private static final long IPV6 = IpAddress.parse("2001:2::").high();
    private static final int PREFIXES = 512;
    private static final int CHANGES = 50_000;
    private static final int WITHDRAWALS_IN_100 = 10;
    private static final List<IpPrefix> UNUSABLE = List.of(
        IpPrefix.parse("0.0.0.0/8"), IpPrefix.parse("10.0.0.0/8"), IpPrefix.parse("127.0.0.0/8"),
        IpPrefix.parse("169.254.0.0/16"), IpPrefix.parse("192.0.0.0/24"), IpPrefix.parse("224.0.0.0/3"));
    private static final IpPrefix GLOBAL_IPV6 = IpPrefix.parse("2000::/3");

    /**
     * Generates changes: one in ten withdraws a route.
     *
     * @param seed of the random numbers; equal seeds give equal changes.
     */
    static RouteTrace generate(final long seed)
    {
        final SplittableRandom random = new SplittableRandom(seed);
        final List<Change> changes = new ArrayList<>(CHANGES);
        for (int i = 0; i < CHANGES; i++)
        {
            final int number = random.nextInt(PREFIXES);
            final IpPrefix prefix = random.nextBoolean() ? IpPrefix.of(IPV4 + (number << 8), 24) :
                IpPrefix.of(IPV6 | number, 0, 64);
            changes.add(new Change(prefix,
                random.nextInt(100) < WITHDRAWALS_IN_100 ? NextHops.NONE : random.nextInt(SoakRig.NEXT_HOPS)));
        }
        return new RouteTrace(changes);
    }

    /**
     * Reads changes from the output of {@code bgpdump -m}. The next hops of the trace are folded to those of the lab.
     * Prefixes that overlap the lab's own are left out.
     *
     * @throws UserException if the file cannot be read or has no usable change.
     */
    static RouteTrace read(final Path file)
    {
        final List<Change> changes = new ArrayList<>();
        RouteTableReader.forEach(file, (prefix, nextHop) ->
        {
            if (isUsable(prefix))
            {
                changes.add(new Change(prefix, nextHop.isNone() ? NextHops.NONE :
                    Math.floorMod(Long.hashCode(nextHop.high() * 31 + nextHop.low()), SoakRig.NEXT_HOPS)));
            }
        });
        if (changes.isEmpty())
        {
            throw new UserException(file + ": no route changes");
        }
        return new RouteTrace(changes);
    }

    private static boolean isUsable(final IpPrefix prefix)
    {
        return prefix.isIpv6() ? GLOBAL_IPV6.covers(prefix) :
            prefix.length() >= 8 && UNUSABLE.stream().noneMatch(other -> other.covers(prefix) || prefix.covers(other));
    }

    /**
     * Returns the prefixes of a family that change most often and contain, and are contained in, no other prefix of the
     * trace.
     *
     * @param most length of the list, the most changed first.
     */
    List<IpPrefix> mostChanged(final boolean isIpv6, final int most)
    {
        final Map<IpPrefix, Integer> counts = new HashMap<>();
        changes.stream().map(Change::prefix).filter(prefix -> prefix.isIpv6() == isIpv6)
            .forEach(prefix -> counts.merge(prefix, 1, Integer::sum));
        final TreeSet<IpPrefix> sorted = new TreeSet<>(counts.keySet());
        return counts.keySet().stream().filter(prefix -> isAlone(prefix, sorted))
            .sorted((a, b) -> counts.get(a).equals(counts.get(b)) ? a.compareTo(b) : counts.get(b) - counts.get(a))
            .limit(most).toList();
    }

    /** A shorter prefix with the same bits sorts before its longer ones. */
    private static boolean isAlone(final IpPrefix prefix, final TreeSet<IpPrefix> sorted)
    {
        final IpPrefix next = sorted.higher(prefix);
        if (next != null && prefix.covers(next))
        {
            return false;
        }
        final int longest = prefix.bits() - prefix.length();
        for (int bits = prefix.bits() - 1; bits >= longest; bits--)
        {
            if (sorted.contains(prefix.outer(bits)))
            {
                return false;
            }
        }
        return true;
    }

    /**
     * A change.
     *
     * @param prefix  of the route.
     * @param nextHop number of the next hop, or {@link NextHops#NONE} if the route is withdrawn.
     */
    record Change(IpPrefix prefix, int nextHop)
    {
    }
}
