package org.fibnuma.fibnic.fib;

import org.fibnuma.core.wire.Ipv6Address;
import org.fibnuma.core.wire.Ipv6Prefix;

import java.math.BigInteger;
import java.util.List;

/** The addresses at the ends of a prefix. */
final class Ipv6Boundaries
{
    private static final BigInteger HALF = BigInteger.ONE.shiftLeft(Long.SIZE);

    private Ipv6Boundaries()
    {
    }

    /** One before the first address, the first, the last, and one after the last, modulo 2^128. */
    static List<Ipv6Address> of(final Ipv6Prefix prefix)
    {
        final BigInteger first = unsigned(prefix.high()).shiftLeft(Long.SIZE).add(unsigned(prefix.low()));
        final BigInteger end = first.add(BigInteger.ONE.shiftLeft(Ipv6Address.BITS - prefix.length()));
        return List.of(
            address(first.subtract(BigInteger.ONE)), address(first), address(end.subtract(BigInteger.ONE)),
            address(end));
    }

    private static BigInteger unsigned(final long half)
    {
        return BigInteger.valueOf(half).mod(HALF);
    }

    private static Ipv6Address address(final BigInteger number)
    {
        return new Ipv6Address(number.shiftRight(Long.SIZE).longValue(), number.longValue());
    }
}
