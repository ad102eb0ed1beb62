package org.fibnuma.fibnic.control;

import org.fibnuma.core.UserException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

class RoutesFileTest
{
    @TempDir
    private Path directory;

    @Test
    void shouldReadBothFamiliesFromOneFile() throws IOException
    {
        final Path file = write("192.0.2.0/24 10.0.1.2", "2001:db8:f::/48 2001:db8:1::2", "::/0 2001:db8:1::3");
        assertEquals(
            List.of("192.0.2.0/24 10.0.1.2", "2001:db8:f::/48 2001:db8:1::2", "::/0 2001:db8:1::3"),
            read(file, true));
        assertEquals(List.of("192.0.2.0/24 10.0.1.2"), read(file, false));
        assertEquals(List.of(), read(null, true));
    }

    /** RFC 8950. */
    @Test
    void shouldReadIpv4RoutesByIpv6NextHops() throws IOException
    {
        final Path file = write("192.0.2.0/24 2001:db8:1::2", "198.51.100.0/24 10.0.1.2");
        assertEquals(List.of("192.0.2.0/24 2001:db8:1::2", "198.51.100.0/24 10.0.1.2"), read(file, true));
        assertEquals(List.of("198.51.100.0/24 10.0.1.2"), read(file, false));
    }

    @Test
    void shouldRefuseIpv6RoutesThatCannotBeResolved() throws IOException
    {
        final Path noNextHop = write("2001:db8:f::/48");
        assertEquals("routes-file " + noNextHop + ": 2001:db8:f::/48 has no next hop; write one after each prefix",
            assertThrows(UserException.class, () -> read(noNextHop, true)).getMessage());
        final Path linkLocal = write("2001:db8:f::/48 fe80::1");
        assertEquals("routes-file " + linkLocal + ": 2001:db8:f::/48 has the link-local next hop fe80::1, which " +
            "belongs to no interface; write a global one",
            assertThrows(UserException.class, () -> read(linkLocal, true)).getMessage());
        final Path ipv4NextHop = write("2001:db8:f::/48 10.0.1.2");
        assertEquals("routes-file " + ipv4NextHop +
            ": 2001:db8:f::/48 has the IPv4 next hop 10.0.1.2; write an IPv6 one",
            assertThrows(UserException.class, () -> read(ipv4NextHop, true)).getMessage());
    }

    private Path write(final String... lines) throws IOException
    {
        return Files.write(directory.resolve("table.txt"), List.of(lines));
    }

    private static List<String> read(final Path file, final boolean withIpv6)
    {
        final List<String> routes = new ArrayList<>();
        new RoutesFile(file, withIpv6).forEach((prefix, gateway) -> routes.add(prefix + " " + gateway));
        return routes;
    }
}
