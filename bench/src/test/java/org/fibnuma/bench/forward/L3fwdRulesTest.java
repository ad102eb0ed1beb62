package org.fibnuma.bench.forward;

import org.fibnuma.bench.fib.DualStackTable;
import org.fibnuma.core.wire.Ipv4Address;
import org.fibnuma.core.wire.Ipv6Address;
import org.fibnuma.core.wire.Ipv6Prefix;
import org.fibnuma.fibnic.routes.Ipv6RouteList;
import org.fibnuma.fibnic.routes.RouteList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

import static org.junit.jupiter.api.Assertions.assertEquals;

class L3fwdRulesTest
{
    private static final int NEXT_HOP = Ipv4Address.parse("198.18.0.3");

    private final RouteList routes = new RouteList();
    private final Ipv6RouteList ipv6Routes = new Ipv6RouteList();
    private final DualStackTable table = new DualStackTable(routes, ipv6Routes);
    @TempDir
    private Path directory;

    @Test
    void shouldLeadEveryRouteToTheSink() throws IOException
    {
        add("1.0.0.0", 20);
        add("203.0.113.7", 32);

        assertEquals(List.of("R1.0.0.0/20 1", "R203.0.113.7/32 1"), written());
    }

    @Test
    void shouldWriteADefaultRouteAsTwoHalves() throws IOException
    {
        add("0.0.0.0", 0);
        add("10.0.0.0", 8);

        assertEquals(List.of("R0.0.0.0/1 1", "R128.0.0.0/1 1", "R10.0.0.0/8 1"), written());
        assertEquals(3, new L3fwdRules(table).count());
    }

    @Test
    void shouldHaveOneIpv6RuleWithoutIpv6Routes() throws IOException
    {
        add("1.0.0.0", 20);
        written();

        assertEquals(List.of("R2001:db8::/32 1"), Files.readAllLines(directory.resolve("ipv6")));
        assertEquals(1, new L3fwdRules(table).ipv6Count());
    }

    @Test
    void shouldLeadEveryIpv6RouteToTheSink() throws IOException
    {
        addIpv6("2400::/12");
        addIpv6("2a00:1:2::/48");
        addIpv6("2a00:1:2::3/128");
        written();

        assertEquals(List.of("R2400::/12 1", "R2a00:1:2::/48 1", "R2a00:1:2::3/128 1"),
            Files.readAllLines(directory.resolve("ipv6")));
    }

    @Test
    void shouldWriteAnIpv6DefaultRouteAsTwoHalves() throws IOException
    {
        addIpv6("::/0");
        addIpv6("2400::/12");
        written();

        assertEquals(List.of("R::/1 1", "R8000::/1 1", "R2400::/12 1"), Files.readAllLines(directory.resolve("ipv6")));
        assertEquals(3, new L3fwdRules(table).ipv6Count());
    }

    @Test
    void shouldCountAGroupForEveryEightBitsBeyondTheFirst24()
    {
        addIpv6("2400::/24");
        assertEquals(0, new L3fwdRules(table).ipv6Groups());
        addIpv6("2400::/25");
        addIpv6("2400:80::/32");
        // Both are in the group of 2400::/24.
        assertEquals(1, new L3fwdRules(table).ipv6Groups());
        addIpv6("2400:80:1::/48");
        // 2400:80::/32 and 2400:80::/40.
        assertEquals(3, new L3fwdRules(table).ipv6Groups());
        addIpv6("2400:80:1::1/128");
        // Ten more, of /48 to /120.
        assertEquals(13, new L3fwdRules(table).ipv6Groups());
    }

    @Test
    void shouldCountGroupsOfLongRoutesOnce()
    {
        add("192.0.2.0", 24);
        add("192.0.2.128", 25);
        add("192.0.2.1", 32);
        add("255.255.255.0", 25);

        assertEquals(2, new L3fwdRules(table).groups());
    }

    private void add(final String prefix, final int length)
    {
        routes.addAnnouncement(Ipv4Address.parse(prefix), length, NEXT_HOP);
    }

    private void addIpv6(final String prefix)
    {
        ipv6Routes.addAnnouncement(Ipv6Prefix.parse(prefix), Ipv6Address.parse("2001:2::1"));
    }

    private List<String> written() throws IOException
    {
        new L3fwdRules(table).write(directory.resolve("ipv4"), directory.resolve("ipv6"));
        return Files.readAllLines(directory.resolve("ipv4"));
    }
}
