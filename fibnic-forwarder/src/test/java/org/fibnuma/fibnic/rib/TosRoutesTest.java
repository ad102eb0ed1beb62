package org.fibnuma.fibnic.rib;

import org.fibnuma.core.kernel.KernelRoute;
import org.fibnuma.core.wire.IpAddress;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import java.util.List;

import static org.fibnuma.fibnic.rib.TestKernel.RIGHT;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** IPv4 routes for one TOS only: the destinations of their prefix are left to the kernel. */
class TosRoutesTest
{
    private static final int MAIN = KernelRoute.TABLE_MAIN;
    private static final int LOCAL = KernelRoute.TABLE_LOCAL;

    private final TestKernel kernel = TestKernel.started();

    @AfterEach
    void close()
    {
        kernel.close();
    }

    @Test
    void shouldLeaveTheDestinationsToTheKernelWithOneWarning()
    {
        kernel.route("blackhole", "192.0.2.0/24", null, 0);
        kernel.route("blackhole", "192.0.2.64/26", null, 0);
        final List<String> log = LoggedLines.of(RouteTranslation.class, () ->
        {
            for (int i = 0; i < 2; i++)
            {
                tosRoute("192.0.2.0", 24, MAIN, true);
                tosRoute("198.51.100.0", 24, MAIN, true);
            }
        });
        assertEquals("PUNT", kernel.lookup("192.0.2.1"));
        assertEquals("PUNT", kernel.lookup("198.51.100.1"));
        assertEquals("BLACKHOLE", kernel.lookup("192.0.2.65"), "the longer prefix is preferred");
        assertEquals(1, log.size());
        assertTrue(log.get(0).contains("IPv4 routes for one TOS only, the first to 192.0.2.0/24:"), log.get(0));

        kernel.route("unreachable", "192.0.2.0/24", null, 0);
        assertEquals("PUNT", kernel.lookup("192.0.2.1"), "whatever replaces the other route");
        tosRoute("192.0.2.0", 24, MAIN, false);
        assertEquals("UNREACHABLE", kernel.lookup("192.0.2.1"));
        tosRoute("198.51.100.0", 24, MAIN, false);
        assertEquals("NO_ROUTE", kernel.lookup("198.51.100.1"));
    }

    @Test
    void shouldLeaveTheNeighborsOfAConnectedNetworkToTheKernel()
    {
        kernel.neighbor(RIGHT, "10.0.1.2", "02:00:00:00:00:0a");
        final String neighbor = kernel.lookup("10.0.1.2");
        tosRoute("10.0.1.0", 24, MAIN, true);
        assertEquals("PUNT", kernel.lookup("10.0.1.2"));
        assertEquals("LOCAL", kernel.lookup("10.0.1.1"), "an address of the router");
        tosRoute("10.0.1.0", 24, MAIN, false);
        assertEquals(neighbor, kernel.lookup("10.0.1.2"));
    }

    /** The kernel looks up the local table first: whether it goes on to the main table depends on the TOS. */
    @Test
    void shouldHideLongerPrefixesOfTheMainTable()
    {
        kernel.route("blackhole", "192.0.2.64/26", null, 0);
        tosRoute("192.0.2.0", 24, LOCAL, true);
        assertEquals("PUNT", kernel.lookup("192.0.2.65"));
        tosRoute("192.0.2.0", 24, LOCAL, false);
        assertEquals("BLACKHOLE", kernel.lookup("192.0.2.65"));
    }

    private void tosRoute(final String network, final int length, final int table, final boolean present)
    {
        kernel.tables().onRoute(new KernelRoute(false, IpAddress.parse(network), length, table, 0,
            KernelRoute.Kind.TOS_SPECIFIC, IpAddress.NONE, 0), present);
    }
}
