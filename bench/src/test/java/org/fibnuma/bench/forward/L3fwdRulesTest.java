package org.fibnuma.bench.forward;

import org.fibnuma.core.wire.Ipv4Address;
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
        assertEquals(3, new L3fwdRules(routes).count());
    }

    @Test
    void shouldHaveOneRuleForIpv6() throws IOException
    {
        add("1.0.0.0", 20);
        written();

        assertEquals(List.of("R2001:0db8:0000:0000:0000:0000:0000:0000/32 1"),
            Files.readAllLines(directory.resolve("ipv6")));
    }

    @Test
    void shouldCountGroupsOfLongRoutesOnce()
    {
        add("192.0.2.0", 24);
        add("192.0.2.128", 25);
        add("192.0.2.1", 32);
        add("255.255.255.0", 25);

        assertEquals(2, new L3fwdRules(routes).groups());
    }

    private void add(final String prefix, final int length)
    {
        routes.addAnnouncement(Ipv4Address.parse(prefix), length, NEXT_HOP);
    }

    private List<String> written() throws IOException
    {
        new L3fwdRules(routes).write(directory.resolve("ipv4"), directory.resolve("ipv6"));
        return Files.readAllLines(directory.resolve("ipv4"));
    }
}
