package org.fibnuma.binding.rtnetlink;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.Random;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * Interfaces with addresses come, go and change beside routes. Whatever happens, the tables equal those of a new dump;
 * while the kernel's own routes are the only ones by these interfaces, no dump is needed for that.
 */
@Timeout(300)
class AddressedLinksSystemTest
{
    private static final int PAIRS = 20;
    private static final int STEPS = 120;
    private static final int ENDS = 4;

    private KernelTestBed bed;

    @BeforeEach
    void open()
    {
        bed = new KernelTestBed(KernelTestBed.RECEIVE_BUFFER_LENGTH);
    }

    @AfterEach
    void close()
    {
        if (bed != null)
        {
            bed.close();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "1"})
    void shouldNotDumpAgainForLinksThatComeAndGoWithAddresses(final String skipNotify)
    {
        bed.namespace.sysctl("ipv6.route.skip_notify_on_dev_down", skipNotify);
        start();
        for (int i = 0; i < PAIRS; i++)
        {
            bed.namespace.ipEach(
                "link add t" + i + " type veth peer name u" + i, "addr add 172.16." + i + ".1/24 brd + dev t" + i,
                "addr add 172.16." + i + ".2/24 dev t" + i, "addr add 2001:db8:1" + i + "::1/64 dev t" + i,
                "link set t" + i + " up", "link set u" + i + " up");
            bed.network.poll(bed.tables);
            bed.namespace.ip("link set t" + i + " down");
            bed.network.poll(bed.tables);
            bed.namespace.ip("link set t" + i + " up");
            bed.settle();
            assertSame("up " + i);
            bed.namespace.ip("link del t" + i);
            bed.settle();
            assertSame("deleted " + i);
        }
        assertEquals(1, bed.tables.dumps);
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "1"})
    void shouldStayInStepWithoutADumpThroughRandomChanges(final String skipNotify)
    {
        bed.namespace.sysctl("ipv6.route.skip_notify_on_dev_down", skipNotify);
        start();
        final long seed = System.nanoTime();
        final Random random = new Random(seed);
        for (int i = 0; i < STEPS; i++)
        {
            final String change = randomChange(random);
            tryEach(change);
            if (random.nextInt(3) == 0)
            {
                bed.settle();
                assertSame("seed " + seed + " step " + i + ": " + change);
            }
        }
        bed.settle();
        assertSame("seed " + seed);
        assertEquals(1, bed.tables.dumps, "seed " + seed);
    }

    @Test
    void shouldStayInStepThroughRandomChangesBesideOtherRoutesByTheseLinks()
    {
        // A kernel without VRFs runs the other changes.
        tryEach("link add red type vrf table 1001; link set red up");
        start();
        final long seed = System.nanoTime();
        final Random random = new Random(seed);
        for (int i = 0; i < STEPS; i++)
        {
            final boolean other = random.nextInt(3) == 0;
            final String change = other ? randomOtherChange(random) : randomChange(random);
            if (change.startsWith("sysctl "))
            {
                final String[] setting = change.split(" ");
                trySysctl(setting[1], setting[2]);
            }
            else
            {
                tryEach(change);
            }
            if (random.nextInt(3) == 0)
            {
                bed.settle();
                assertSame("seed " + seed + " step " + i + ": " + change);
            }
        }
        bed.settle();
        assertSame("seed " + seed);
    }

    @ParameterizedTest
    @ValueSource(strings = {
        "link add t0 type veth peer name u0; addr add 172.16.0.1/24 dev t0; link set t0 up; link set u0 up; " +
            "link set u0 down; link set u0 up; link set t0 down; addr add 172.16.1.1/24 dev t0; " +
            "addr del 172.16.0.1/24 dev t0; link set t0 up; link del u0",
        "addr add 10.9.0.1/24 dev d0; link set d0 down; link set d0 up; link set v1 down; link set v1 up",
        "link add t0 type veth peer name u0; addr add 10.0.0.1 peer 172.16.0.1 dev t0; link set t0 up; " +
            "link set t0 down; addr del 10.0.0.1 peer 172.16.0.1 dev t0",
        "link add t0 type veth peer name u0; addr add 172.16.0.1/24 dev t0 metric 7; link set t0 up; " +
            "link set t0 down; link set t0 up; addr del 172.16.0.1/24 dev t0; link del t0",
        "link set d9 down; link set d9 up; route add 30.0.0.0/24 via 10.7.0.2; link set d9 down; link set d9 up",
        "link set lo down; link set lo up",
        "route add 30.0.0.0/24 dev d0 proto kernel scope link; addr del 10.7.0.1/24 dev d0; " +
            "addr add 10.7.0.1/24 dev d0",
        "link add t0 type veth peer name u0; addr add 10.0.0.1 peer 172.16.0.1 dev t0; " +
            "addr add 10.0.0.1 peer 172.16.0.2 dev t0; link set t0 up; addr add 172.16.9.1/24 dev t0; " +
            "addr add 172.16.9.2/24 dev t0; addr add 172.16.8.1/24 dev t0; addr add 172.16.8.2/24 dev t0; " +
            "link del t0"
    })
    void shouldNotDumpAgainWhereTheKernelsOwnRoutesAreAll(final String commands)
    {
        startAndFollow(commands);
        assertEquals(1, bed.tables.dumps);
    }

    /** Compares the tables with the kernel after each command. */
    private void startAndFollow(final String commands)
    {
        start();
        for (final String command : commands.split("; "))
        {
            bed.namespace.ip(command);
            bed.settle();
            assertSame(command);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {
        "route replace 10.7.0.0/24 dev v0 proto kernel scope link; link set d0 down",
        "route add 10.7.0.0/24 dev d0 metric 7; link set d0 down",
        "route add 30.0.0.0/24 via 10.7.0.2; link set d0 down; link set d0 up",
        "route add 2001:db8:5::/48 via 2001:db8:7::2; link set d0 down",
        "nexthop add id 5 via 10.7.0.2 dev d0; link set d9 down; route add 30.0.0.0/24 via 10.0.0.2",
        "nexthop add id 5 via 10.7.0.2 dev d0; route add 30.0.0.0/24 nhid 5; link set d9 down",
        "addr add 10.8.0.1/24 dev d0 noprefixroute; " +
            "route add 10.8.0.0/24 dev d0 proto kernel scope link src 10.8.0.1; addr del 10.8.0.1/24 dev d0"
    })
    void shouldDumpAgainWhereOtherRoutesMayBeAffected(final String commands)
    {
        startAndFollow(commands);
        bed.pollUntil(() -> bed.tables.dumps > 1, 10_000);
    }

    /** A route of an interface that went down and up while the tables are read is neither lost nor left over. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldStayInStepWhileADumpIsRunning(final boolean again)
    {
        bed.namespace.ip("link add t0 type veth peer name u0");
        bed.namespace.ipEach("link set u0 up", "link set t0 up", "addr add 172.16.0.1/24 dev t0",
            "addr add 2001:db8:10::1/64 dev t0");
        start();
        bed.settle();
        bed.namespace.ip("route add 30.0.0.0/24 via 10.7.0.2");
        bed.settle();
        final int dumps = bed.tables.dumps;
        bed.namespace.ip("link set d0 down");
        bed.pollUntil(bed.tables::dumping, 10_000);
        bed.namespace.ip("link set t0 down");
        if (again)
        {
            bed.namespace.ip("link set t0 up");
        }
        bed.settle();
        assertSame("again " + again);
        assertTrue(bed.tables.dumps > dumps);
    }

    /** The kernel does not notify that the kept address is not used, nor that it keeps one without detection. */
    @ParameterizedTest
    @ValueSource(strings = {"", " nodad"})
    void shouldFollowAnAddressThatTheKernelKeepsOnADownInterface(final String flag)
    {
        bed.namespace.ip("link add t0 type veth peer name u0");
        bed.namespace.sysctl("ipv6.conf.t0.keep_addr_on_down", "1");
        bed.namespace.ipEach(
            "link set u0 up", "link set t0 up", "addr add 2001:db8:10::1/64 dev t0" + flag);
        start();
        bed.namespace.ip("link set t0 down");
        bed.settle();
        assertSame("down");
        bed.namespace.ip("link set t0 up");
        bed.settle();
        assertSame("up");
        assertEquals(1, bed.tables.dumps);
    }

    @Test
    void shouldDumpAgainForTheCarrierWithIgnoreRoutesWithLinkdown()
    {
        start();
        bed.namespace.sysctl("ipv4.conf.d0.ignore_routes_with_linkdown", "1");
        bed.namespace.ip("link set d9 down");
        bed.settle();
        assertSame("carrier lost");
        bed.pollUntil(() -> bed.tables.dumps > 1, 10_000);
        bed.namespace.sysctl("ipv4.conf.d0.ignore_routes_with_linkdown", "0");
        bed.namespace.ip("link set d9 up");
        bed.settle();
        assertSame("setting and carrier");
    }

    private void start()
    {
        bed.namespace.ip("route add 20.0.0.0/24 via 10.0.0.2");
        bed.namespace.ip("route add 2001:db8:20::/48 via 2001:db8::2");
        bed.network.dump(bed.tables);
        bed.settle();
    }

    /** Compares with iproute2, and all properties of routes with a new dump. */
    private void assertSame(final String after)
    {
        bed.assertSame(after);
        final KernelTables fresh = new KernelTables();
        try (RtnetlinkKernelNetwork other = bed.namespace.open(KernelTestBed.RECEIVE_BUFFER_LENGTH))
        {
            other.dump(fresh);
        }
        assertEquals(fresh.routes, bed.tables.routes, after);
    }

    private void tryEach(final String commands)
    {
        for (final String command : commands.split("; "))
        {
            try
            {
                bed.namespace.ip(command);
            }
            catch (final AssertionError ignore)
            {
                // Many make no sense in the state that the others left: then nothing changed.
            }
        }
    }

    private void trySysctl(final String variable, final String value)
    {
        try
        {
            bed.namespace.sysctl(variable, value);
        }
        catch (final AssertionError | RuntimeException ignore)
        {
            // The interface does not exist now.
        }
    }

    /** Changes an interface that no other route uses, each with networks of its own. */
    private static String randomChange(final Random random)
    {
        final int number = random.nextInt(ENDS);
        final String link = "t" + number;
        final String network = "172.16." + (number * 2 + random.nextInt(2));
        final String ipv6Network = "2001:db8:1" + number + random.nextInt(2) + ":";
        return switch (random.nextInt(16))
        {
            case 0, 1 -> "link add " + link + " type veth peer name u" + number + "; link set u" + number + " up; " +
                "link set " + link + " up; addr add " + network + ".1/24 brd + dev " + link;
            case 2 -> "link set " + link + " down";
            case 3, 4 -> "link set " + link + " up";
            case 5 -> "link set u" + number + " down";
            case 6 -> "link set u" + number + " up";
            case 7 -> "link del " + link;
            case 8, 9 -> "addr add " + network + "." + (1 + random.nextInt(2)) + "/24 dev " + link;
            case 10 -> "addr del " + network + "." + (1 + random.nextInt(2)) + "/24 dev " + link;
            case 11, 12 -> "addr add " + ipv6Network + ":" + (1 + random.nextInt(2)) + "/64 dev " + link;
            case 13 -> "addr del " + ipv6Network + ":" + (1 + random.nextInt(2)) + "/64 dev " + link;
            case 14 -> "link set " + link + " down; link set " + link + " up";
            default -> "link set " + link + " mtu " + (1400 + random.nextInt(100));
        };
    }

    private static String randomOtherChange(final Random random)
    {
        final int number = random.nextInt(ENDS);
        final String link = "t" + number;
        final String address = "172.16." + number * 2 + ".";
        return switch (random.nextInt(14))
        {
            case 0 -> "route append 30.0.0.0/24 via " + address + "9 dev " + link;
            case 1 -> "route append 2001:db8:30::/48 via 2001:db8:1" + number + "0::9 dev " + link;
            case 2 -> "route replace 31.0.0.0/24 nexthop via " + address + "9 dev " + link +
                " nexthop via 10.7.0.9 dev d0";
            case 3 -> "nexthop replace id " + (5 + number) + " via " + address + "9 dev " + link;
            case 4 -> "route replace 32.0.0.0/24 nhid " + (5 + number);
            case 5 -> "route replace " + address + "0/24 via 10.0.0.9";
            case 6 -> "addr add 172.16.0.7/24 dev " + link;
            case 7 -> "addr add 172.16.0.8/16 dev " + link + "; addr del 172.16.0.7/24 dev " + link;
            case 8 -> "addr add 2001:db8:100::7/64 dev " + link;
            case 9 -> "link set " + link + " master red";
            case 10 -> "link set " + link + " nomaster";
            case 11 -> "sysctl ipv4.conf." + link + ".promote_secondaries " + random.nextInt(2);
            case 12 -> "route add 33.0.0.0/24 dev " + link + " src " + address + "1 proto kernel scope link";
            default -> "sysctl ipv6.conf." + link + ".keep_addr_on_down " + random.nextInt(2);
        };
    }
}
