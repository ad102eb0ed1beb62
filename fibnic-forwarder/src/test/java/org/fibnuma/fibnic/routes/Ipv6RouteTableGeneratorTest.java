package org.fibnuma.fibnic.routes;

import org.fibnuma.core.UserException;
import org.fibnuma.core.wire.Ipv6Prefix;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

class Ipv6RouteTableGeneratorTest
{
    private static final int ROUTES_OF_2023 = 160_147;

    @TempDir
    private Path directory;

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 100, 50_000})
    void shouldMakeAsManyDistinctRoutesAsWanted(final int count)
    {
        final Ipv6RouteList routes = new Ipv6RouteTableGenerator().generate(count);

        final Set<Ipv6Prefix> distinct = new HashSet<>();
        for (int i = 0; i < routes.size(); i++)
        {
            distinct.add(routes.prefix(i));
        }
        assertEquals(count, distinct.size());
        for (int i = 1; i < count; i++)
        {
            assertTrue(Long.compareUnsigned(routes.prefix(i - 1).high(), routes.prefix(i).high()) <= 0);
        }
    }

    @Test
    void shouldHaveTheShapeOfTheTableOf2023()
    {
        final Ipv6RouteList routes = new Ipv6RouteTableGenerator().generate(ROUTES_OF_2023);
        final int[] ofLength = new int[129];
        for (int i = 0; i < routes.size(); i++)
        {
            ofLength[routes.prefix(i).length()]++;
            assertEquals(1, routes.prefix(i).high() >>> 61, "outside 2000::/3");
        }

        assertEquals(22_548, ofLength[32], 30);
        assertEquals(13_418, ofLength[40], 30);
        assertEquals(75_488, ofLength[48], 100);
        // Counted in the table of 2023: groups of the first bits that longer prefixes have.
        assertWithinHalfAndDouble(7_224, groupsWithLonger(routes, 24));
        assertWithinHalfAndDouble(10_906, groupsWithLonger(routes, 32));
        assertWithinHalfAndDouble(19_078, groupsWithLonger(routes, 40));
    }

    private static int groupsWithLonger(final Ipv6RouteList routes, final int bits)
    {
        final Set<Long> groups = new HashSet<>();
        for (int i = 0; i < routes.size(); i++)
        {
            if (routes.prefix(i).length() > bits)
            {
                groups.add(routes.prefix(i).high() >>> Long.SIZE - bits);
            }
        }
        return groups.size();
    }

    private static void assertWithinHalfAndDouble(final int expected, final int actual)
    {
        assertTrue(actual >= expected / 2 && actual <= 2 * expected, actual + " instead of " + expected);
    }

    @Test
    void shouldBeReadAsItIsFormatted() throws IOException
    {
        final Ipv6RouteList routes = new Ipv6RouteTableGenerator(5, 7).generate(1000);
        final StringBuilder text = new StringBuilder("10.0.0.0/8 192.0.2.1\n");
        for (int i = 0; i < routes.size(); i++)
        {
            text.append(routes.format(i)).append('\n');
        }

        final Ipv6RouteList read = RouteTables.openIpv6(
            Files.writeString(directory.resolve("table"), text).toString(), RouteTableReader.ofAllPeers());

        assertEquals(1000, read.size());
        assertEquals(1, read.skippedIpv4());
        for (int i = 0; i < read.size(); i++)
        {
            assertEquals(routes.prefix(i), read.prefix(i));
            assertEquals(routes.nextHop(i), read.nextHop(i));
        }
    }

    @Test
    void shouldReadAnnouncementsAndWithdrawalsOfOnePeer() throws IOException
    {
        final Path file = Files.writeString(directory.resolve("updates"),
            "BGP4MP|1|A|::1|1|2001:db8::/32|1|IGP|fe80::1|\n" +
            "BGP4MP|1|A|::2|1|2001:db9::/32|1|IGP|fe80::1|\nBGP4MP|1|W|::1|1|2001:db8::/48\n" +
            "BGP4MP|1|W|::1|1|10.0.0.0/8\n");

        final Ipv6RouteList read = RouteTableReader.ofPeer("::1").readIpv6(file);

        assertEquals(2, read.size());
        assertEquals("2001:db8::/32 fe80::1", read.format(0));
        assertTrue(read.isWithdrawal(1));
        assertEquals(Ipv6Prefix.parse("2001:db8::/48"), read.prefix(1));
        assertEquals(1, read.skippedPeers());
        assertEquals(1, read.skippedIpv4());
    }

    @Test
    void shouldRefuseNumbersOutOfRange()
    {
        assertThrows(UserException.class, () -> new Ipv6RouteTableGenerator(0, 1));
        assertThrows(UserException.class, () -> new Ipv6RouteTableGenerator().generate(0));
        assertThrows(
            UserException.class, () -> new Ipv6RouteTableGenerator().generate(Ipv6RouteTableGenerator.MAX_ROUTES + 1));
    }
}
