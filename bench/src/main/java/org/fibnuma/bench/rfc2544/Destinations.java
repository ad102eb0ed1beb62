package org.fibnuma.bench.rfc2544;

import org.fibnuma.bench.fib.AddressSample;
import org.fibnuma.bench.fib.DualStackTable;
import org.fibnuma.bench.fib.Ipv6AddressSample;
import org.fibnuma.bench.lab.RoutedHosts;
import org.fibnuma.core.wire.IpAddress;

import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Destinations of test frames: behind the right side many, behind the left side the hosts of
 * {@link RoutedHosts#LEFT_NETWORK}.
 */
final class Destinations
{
    /** Most destinations: the lookups do not fit a first-level cache. */
    static final int COUNT = 1 << 16;
    private static final int LEFT_COUNT = 254;
    private static final int SEED = 2544;

    private final IpAddress[] ipv4;
    private final IpAddress[] ipv6;

    private Destinations(final IpAddress[] ipv4, final IpAddress[] ipv6)
    {
        this.ipv4 = ipv4;
        this.ipv6 = ipv6;
    }

    /** Draws destinations from the routes of a table. */
    static Destinations of(final DualStackTable table)
    {
        return new Destinations(
            Arrays.stream(new AddressSample(table.ipv4(), SEED).ofTransit(COUNT))
            .mapToObj(IpAddress::of).toArray(IpAddress[]::new),
            !table.hasIpv6() ? new IpAddress[0] :
            Stream.of(new Ipv6AddressSample(table.ipv6(), new SplittableRandom(SEED)).ofTransit(COUNT))
            .map(address -> new IpAddress(address.high(), address.low())).toArray(IpAddress[]::new));
    }

    /** Draws destinations from the networks for benchmarks, 198.18.0.0/15 (RFC 2544) and 2001:2::/48 (RFC 5180). */
    static Destinations ofBenchmarks()
    {
        final SplittableRandom random = new SplittableRandom(SEED);
        final IpAddress ipv4 = IpAddress.parse("198.18.0.0");
        final IpAddress ipv6 = IpAddress.parse("2001:2::");
        return new Destinations(
            random.ints(COUNT, 0, 1 << 17)
            .mapToObj(host -> IpAddress.of(ipv4.ipv4() | host)).toArray(IpAddress[]::new),
            random.longs(COUNT)
            .mapToObj(host -> new IpAddress(ipv6.high() | host & 0xFFFF, host)).toArray(IpAddress[]::new));
    }

    /** Returns the destinations of a family behind a side. */
    IpAddress[] behind(final TestRig.Side side, final boolean isIpv6)
    {
        if (side == TestRig.Side.RIGHT)
        {
            return isIpv6 ? ipv6 : ipv4;
        }
        final String prefix = isIpv6 ? RoutedHosts.LEFT_NETWORK_IPV6 : RoutedHosts.LEFT_NETWORK;
        final IpAddress network = IpAddress.parse(prefix.substring(0, prefix.indexOf('/')));
        return IntStream.rangeClosed(1, LEFT_COUNT)
            .mapToObj(host -> new IpAddress(network.high(), network.low() | host)).toArray(IpAddress[]::new);
    }
}
