package org.fibnuma.binding.rtnetlink;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** What happens when there are more changes than notifications that can wait, and when a dump races with a change. */
@Timeout(300)
class RtnetlinkResyncSystemTest
{
    private static final int SMALL_RECEIVE_BUFFER_LENGTH = 32 * 1024;
    private static final int FLOOD = 3000;
    private static final int FLAPS = 10;
    private static final int MANY = 20_000;
    private static final int PAIRS = 20;

    /** A datagram of 32 KiB holds some 600 routes. */
    private static final int FLOOD_OF_SLICES = 10_000;
    /** One of 256 routes. */
    private static final int CHANGED = 2 * FLOOD_OF_SLICES >> 8;
    /** Has no factor in common with {@link #CHANGED}, so that each of these routes is changed. */
    private static final int STRIDE = 7;
    private static final int MOST_ROUTES_OF_A_SLICE = 16 * 1000;

    @Test
    void shouldDumpAgainAfterNotificationsWereLost() throws IOException
    {
        try (KernelTestBed bed = new KernelTestBed(SMALL_RECEIVE_BUFFER_LENGTH))
        {
            bed.network.dump(bed.tables);
            flood(bed, "add", "10.0.0.2");
            bed.settle();
            assertTrue(bed.tables.dumps > 1, "no notification was lost");
            bed.assertSame("add");

            final int dumps = bed.tables.dumps;
            flood(bed, "del", "10.0.0.2");
            bed.settle();
            assertTrue(bed.tables.dumps > dumps, "no notification was lost");
            bed.assertSame("del");
        }
    }

    @Test
    void shouldNotDumpAgainWhereNothingWasLost() throws IOException
    {
        try (KernelTestBed bed = new KernelTestBed(RtnetlinkKernelNetwork.RECEIVE_BUFFER_LENGTH))
        {
            bed.network.dump(bed.tables);
            bed.settle();
            final int dumps = bed.tables.dumps;
            flood(bed, "add", "10.0.0.2");
            bed.settle();
            assertEquals(dumps, bed.tables.dumps);
            bed.assertSame("add");
        }
    }

    @Test
    void shouldDumpOnlyAfterTheKernelHasRemovedTheRoutesOfALinkThatGoesDown() throws IOException
    {
        try (KernelTestBed bed = new KernelTestBed(RtnetlinkKernelNetwork.RECEIVE_BUFFER_LENGTH))
        {
            bed.network.dump(bed.tables);
            for (int i = 0; i < FLAPS; i++)
            {
                bed.namespace.ip("link set d0 up");
                flood(bed, "add", "10.7.0.2");
                bed.settle();
                assertTrue(bed.tables.routes.size() > FLOOD);

                // Polls all the time, so that the dump is requested while the kernel still removes routes.
                final Thread other = new Thread(() -> bed.namespace.ip("link set d0 down"));
                other.start();
                bed.pollUntil(() -> !other.isAlive(), 10_000);
                bed.settle();
                bed.assertSame("down " + i);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {
        "addr add 10.0.8.1/24 dev v0; addr del 10.0.8.1/24 dev v0",
        "addr add 10.0.0.7/24 dev v0; addr del 10.0.0.7/24 dev v0",
        "addr del 10.7.0.1/24 dev d0; addr add 10.7.0.1/24 dev d0",
        "link set v0 address 02:00:00:00:00:77; link set v0 mtu 1400",
        "route append 20.0.0.0/24 via 10.0.0.3; route del 20.0.0.0/24 via 10.0.0.3",
        "route append 20.0.0.0/24 via 10.0.0.3; route del 20.0.0.0/24 via 10.0.0.2; " +
            "route append 20.0.0.0/24 via 10.0.0.4; route del 20.0.0.0/24 via 10.0.0.3",
        "route append 20.0.0.0/24 via 10.0.0.3; route append 20.0.0.0/24 via 10.7.0.4; " +
            "route del 20.0.0.0/24 via 10.0.0.2; route replace 20.0.0.0/24 via 10.0.0.9; " +
            "route del 20.0.0.0/24 via 10.0.0.9",
        "addr add 2001:db8:0::9/64 dev v0; addr add 2001:db8:8::1/64 dev v0; addr del 2001:db8:8::1/64 dev v0",
        "route add 2001:db8:5::/48 via 2001:db8::2; route replace 2001:db8:5::/48 via fe80::9 dev d0; " +
            "route del 2001:db8:5::/48",
        "route add 2001:db8:5::/48 nexthop via 2001:db8::2 nexthop via 2001:db8:7::2; " +
            "route append 2001:db8:5::/48 via 2001:db8:9::2; route replace 2001:db8:5::/48 via 2001:db8::9; " +
            "route del 2001:db8:5::/48",
        "route add 2001:db8:5::/48 via 2001:db8:7::2; addr del 2001:db8:7::1/64 dev d0",
        "route prepend 20.0.0.0/24 via 10.0.0.3; route del 20.0.0.0/24 via 10.0.0.2; " +
            "route prepend 20.0.0.0/24 via 10.7.0.4; route append 20.0.0.0/24 via 10.0.0.4"
    })
    void shouldNotDumpAgainWhereTheKernelTellsAllThatChanges(final String commands) throws IOException
    {
        try (KernelTestBed bed = new KernelTestBed(RtnetlinkKernelNetwork.RECEIVE_BUFFER_LENGTH))
        {
            flood(bed, "add", "10.0.0.2");
            bed.network.dump(bed.tables);
            bed.settle();
            bed.runAndCompare(commands);
            assertEquals(1, bed.tables.dumps);
        }
    }

    /** As with containers: pairs of interfaces that no route uses are made, set up and deleted. */
    @Test
    void shouldNotDumpAgainForLinksThatNoRouteUses() throws IOException
    {
        try (KernelTestBed bed = new KernelTestBed(RtnetlinkKernelNetwork.RECEIVE_BUFFER_LENGTH))
        {
            flood(bed, "add", "10.0.0.2", MANY);
            bed.network.dump(bed.tables);
            bed.settle();
            for (int i = 0; i < PAIRS; i++)
            {
                makeAndDeletePair(bed, i);
                final String prefix = prefix(MANY + i, false);
                bed.namespace.ip("route add " + prefix + " via 10.0.0.2");
                final int routes = bed.tables.routes.size();
                bed.pollUntil(() -> bed.tables.routes.size() > routes, 10_000);
            }
            bed.settle();
            assertEquals(1, bed.tables.dumps);
            bed.namespace.ip("route add 30.0.0.0/24 via 10.7.0.2");
            bed.namespace.ip("link set d0 down");
            bed.pollUntil(() -> bed.tables.dumps > 1, 10_000);
            bed.settle();
            bed.assertSame("a used link is down");
        }
    }

    /** Otherwise one dump would follow another for as long as such links come and go. */
    @Test
    void shouldNotDumpAgainForUnusedLinksThatChangeDuringADump() throws IOException
    {
        try (KernelTestBed bed = new KernelTestBed(RtnetlinkKernelNetwork.RECEIVE_BUFFER_LENGTH))
        {
            flood(bed, "add", "10.0.0.2", 2 * FLOOD_OF_SLICES);
            bed.namespace.ipEach("route add 11.0.0.0/24 via 10.9.0.2", "route add 30.0.1.0/24 via 10.7.0.2");
            bed.network.dump(bed.tables);
            bed.settle();
            bed.namespace.ip("link set d0 down");
            bed.pollUntil(bed.tables::dumping, 10_000);
            int pairs = 0;
            while (bed.tables.dumping())
            {
                makeAndDeletePair(bed, pairs++);
                bed.network.poll(bed.tables);
            }
            bed.settle();
            assertTrue(pairs > 0);
            // The other end of d0 loses its carrier up to a second later.
            assertTrue(bed.tables.dumps <= 3, "dumps " + bed.tables.dumps);

            final int dumps = bed.tables.dumps;
            bed.namespace.ipEach("link set d0 up", "route add 30.0.1.0/24 via 10.7.0.2", "link set d0 down");
            bed.pollUntil(bed.tables::dumping, 10_000);
            bed.namespace.ip("link set v1 down");
            bed.settle();
            assertTrue(bed.tables.dumps >= dumps + 2, "dumps " + bed.tables.dumps);
            bed.assertSame("a used link has gone down during a dump");
        }
    }

    private static void makeAndDeletePair(final KernelTestBed bed, final int number)
    {
        final String left = "t" + number;
        final int network = number % 200;
        bed.namespace.ipEach("link add " + left + " type veth peer name u" + number, "link set " + left + " up",
            "link set u" + number + " up", "addr add 172.16." + network + ".1/24 dev " + left,
            "addr add 2001:db8:1" + network + "::1/64 dev " + left);
        bed.network.poll(bed.tables);
        bed.namespace.ip("link del " + left);
        bed.network.poll(bed.tables);
    }

    @ParameterizedTest
    @ValueSource(strings = {
        "addr add 10.0.0.7/24 dev v0; route add 30.0.0.0/24 via 10.0.0.2 src 10.0.0.7; addr del 10.0.0.7/24 dev v0",
        "route add 30.0.0.0/24 via 10.7.0.2; addr del 10.7.0.1/24 dev d0",
        "route add 30.0.0.0/24 nexthop via 10.7.0.2 nexthop via 10.9.0.2; addr del 10.7.0.1/24 dev d0; " +
            "addr add 10.7.0.1/24 dev d0"
    })
    void shouldDumpAgainWhereRoutesDependOnAnAddress(final String commands)
    {
        try (KernelTestBed bed = new KernelTestBed(RtnetlinkKernelNetwork.RECEIVE_BUFFER_LENGTH))
        {
            bed.network.dump(bed.tables);
            bed.settle();
            bed.runAndCompare(commands);
            assertTrue(bed.tables.dumps > 1);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = { false, true })
    void shouldFollowChangesBetweenTheSlicesOfADump(final boolean ipv6) throws IOException
    {
        try (KernelTestBed bed = new KernelTestBed(RtnetlinkKernelNetwork.RECEIVE_BUFFER_LENGTH))
        {
            flood(bed, "add", ipv6 ? "2001:db8::2" : "10.0.0.2", 2 * FLOOD_OF_SLICES);
            bed.namespace.ip("route add 30.0.0.0/24 via 10.7.0.2");
            bed.network.dump(bed.tables);
            bed.settle();
            final long slicesBefore = bed.network.dumpSlices();

            bed.namespace.ip("link set d0 down");
            bed.pollUntil(bed.tables::dumping, 10_000);
            int changes = 0;
            while (bed.tables.dumping())
            {
                bed.namespace.ip(changeOf(changes, ipv6));
                final int told = bed.tables.routesToldInDumps;
                bed.network.poll(bed.tables);
                changes++;
                assertTrue(bed.tables.routesToldInDumps - told < MOST_ROUTES_OF_A_SLICE,
                    "told in one slice: " + (bed.tables.routesToldInDumps - told));
            }
            assertTrue(bed.network.dumpSlices() - slicesBefore >= 2, "slices " + bed.network.dumpSlices());
            assertTrue(changes >= 2, "changes " + changes);
            bed.settle();
            bed.assertSame("after " + changes + " changes");
        }
    }

    /**
     * Returns a change of a route that is first, in the midst of or last in the list. A dump may last for any number of
     * changes: after all of {@link #CHANGED} routes were deleted or replaced in turn, those that were deleted are added
     * again and the others are deleted.
     */
    private static String changeOf(final int change, final boolean ipv6)
    {
        final int route = change % CHANGED;
        final String prefix = prefix(route * STRIDE % CHANGED << 8 | 3, ipv6);
        final boolean present = (route + change / CHANGED) % 2 == 0;
        return "route " + (present ? "del " + prefix :
            "replace " + prefix + " via " + (ipv6 ? "2001:db8::9" : "10.0.0.9"));
    }

    private static String prefix(final int number, final boolean ipv6)
    {
        return ipv6 ? String.format("2001:db9:%x::/48", number) :
            "20." + (number >> 8) + '.' + (number & 0xFF) + ".0/24";
    }

    private static void flood(final KernelTestBed bed, final String verb, final String via) throws IOException
    {
        flood(bed, verb, via, FLOOD);
    }

    private static void flood(final KernelTestBed bed, final String verb, final String via, final int count)
        throws IOException
    {
        final StringBuilder commands = new StringBuilder();
        for (int i = 0; i < count; i++)
        {
            commands.append("route ").append(verb).append(' ').append(prefix(i, via.indexOf(':') >= 0))
                .append(" via ").append(via).append('\n');
        }
        final Path file = Files.createTempFile("fibnuma", ".batch");
        try
        {
            Files.writeString(file, commands);
            bed.namespace.ipBatch(file.toFile());
        }
        finally
        {
            Files.delete(file);
        }
    }
}
