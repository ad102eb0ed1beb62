package org.fibnuma.ipnuma.table;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.Size;
import org.fibnuma.core.wire.Ipv4Prefix;

import java.util.List;
import java.util.stream.IntStream;

import static org.junit.jupiter.api.Assertions.assertEquals;

/** The reference asks each prefix. */
class AddressRangesPropertyTest
{
    @Property
    void shouldContainWhatAPrefixContains(
        @ForAll @Size(max = 20) final List<Integer> seeds, @ForAll final int other)
    {
        // Few high bits and few low ones, so that prefixes touch and overlap, at both ends of the range too.
        final List<Ipv4Prefix> prefixes = seeds.stream().map(seed ->
            Ipv4Prefix.of((seed & 0x8000_0007) - (seed >>> 30 & 1), 32 - Math.floorMod(seed >> 4, 4))).toList();
        final AddressRanges ranges = new AddressRanges(prefixes);
        IntStream.concat(IntStream.rangeClosed(-20, 20), IntStream.rangeClosed(-20, 20).map(i -> i ^ 0x8000_0000))
            .forEach(address -> check(prefixes, ranges, address));
        check(prefixes, ranges, other);
    }

    private static void check(final List<Ipv4Prefix> prefixes, final AddressRanges ranges, final int address)
    {
        assertEquals(prefixes.stream().anyMatch(prefix -> prefix.contains(address)), ranges.contains(address),
            () -> Integer.toHexString(address) + " of " + prefixes);
    }
}
