package org.fibnuma.fibnic.verify;

import org.fibnuma.core.wire.IpAddress;
import org.fibnuma.fibnic.adjacency.Adjacency;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;

/** The differences of one family in the order of their addresses. Adjacent ranges with equal texts are joined. */
final class DifferenceList
{
    /** Differences beyond this number are counted but not stored. */
    static final int MAX_DIFFERENCES = 10_000;

    private final boolean isIpv6;
    private final AdjacencyTexts texts;
    private final List<Difference> differences = new ArrayList<>();
    private BigInteger addresses = BigInteger.ZERO;

    DifferenceList(final boolean isIpv6, final AdjacencyTexts texts)
    {
        this.isIpv6 = isIpv6;
        this.texts = texts;
    }

    List<Difference> all()
    {
        return differences;
    }

    /** Returns the number of addresses of all ranges, also of those that are not stored. */
    BigInteger addresses()
    {
        return addresses;
    }

    /** Adds a range behind all others unless expected and actual adjacency are equal; returns whether they are. */
    boolean compare(final IpAddress first, final IpAddress last, final Adjacency expected, final Adjacency actual)
    {
        final boolean areEqual = texts.areEqual(expected, actual);
        if (!areEqual)
        {
            add(first, last, texts.ofExpected(expected), texts.ofActual(actual));
        }
        return areEqual;
    }

    private void add(final IpAddress first, final IpAddress last, final String expected, final String actual)
    {
        addresses = addresses.add(number(last)).subtract(number(first)).add(BigInteger.ONE);
        final Difference previous = differences.isEmpty() ? null : differences.get(differences.size() - 1);
        if (previous != null && AddressRanges.after(previous.last()).equals(first) &&
            previous.expected().equals(expected) && previous.actual().equals(actual))
        {
            differences.set(
                differences.size() - 1, new Difference(isIpv6, previous.first(), last, expected, actual));
        }
        else if (differences.size() < MAX_DIFFERENCES)
        {
            differences.add(new Difference(isIpv6, first, last, expected, actual));
        }
    }

    private static BigInteger number(final IpAddress address)
    {
        return unsigned(address.high()).shiftLeft(Long.SIZE).or(unsigned(address.low()));
    }

    private static BigInteger unsigned(final long half)
    {
        final BigInteger number = BigInteger.valueOf(half >>> 1).shiftLeft(1);
        return (half & 1) == 0 ? number : number.setBit(0);
    }
}
