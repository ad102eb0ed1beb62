package org.fibnuma.fibnic.routes;

import org.fibnuma.core.Require;
import org.fibnuma.core.UserException;
import org.fibnuma.core.wire.Ipv4Address;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.IntStream;
import java.util.zip.GZIPOutputStream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

class RouteTableReaderTest
{
    private static final String DUMP =
        "TABLE_DUMP2|1277971199|B|202.249.2.20|4777|1.9.0.0/16|4777 2516|IGP|202.249.2.1|0|0||NAG||\n" +
        "TABLE_DUMP2|1277971199|B|202.249.2.169|2497|1.9.0.0/16|2497 2914|IGP|202.249.2.2|0|0||NAG||\n" +
        "TABLE_DUMP2|1277971199|B|2001:200::1|2500|2001:db8::/32|2500|IGP|2001:200::1|0|0||NAG||\n" +
        "BGP4MP|1470931200|A|202.249.2.20|4777|192.140.252.0/22|4777 6661|IGP|202.249.2.3|0|0||NAG||\n" +
        "BGP4MP|1470931201|W|202.249.2.20|4777|192.140.252.0/22\n" +
        "BGP4MP|1470931202|STATE|202.249.2.20|4777|6|1\n";

    @TempDir
    private Path directory;

    @Test
    void shouldReadPrefixAndNextHop() throws IOException
    {
        final RouteList routes = RouteTableReader.ofAllPeers().read(write(
            "# a comment\n\n0.0.0.0/0 192.0.2.1\n" +
            "203.0.113.128/25\t192.0.2.2\n" +
            "198.51.100.7 192.0.2.3\n2001:db8::/32 ::1\n"));

        assertEquals(3, routes.size());
        assertEquals("0.0.0.0/0 192.0.2.1", routes.format(0));
        assertEquals("203.0.113.128/25 192.0.2.2", routes.format(1));
        assertEquals("198.51.100.7/32 192.0.2.3", routes.format(2));
        assertEquals(1, routes.skippedIpv6());
    }

    @Test
    void shouldReadPrefixesWithoutNextHop() throws IOException
    {
        final RouteList routes = RouteTableReader.ofAllPeers().read(write("1.0.0.0/24\n"));

        assertEquals(RouteList.NO_NEXT_HOP, routes.nextHop(0));
        assertEquals("1.0.0.0/24", routes.format(0));
    }

    @Test
    void shouldReadDumpsAndUpdatesOfEveryPeer() throws IOException
    {
        final RouteList routes = RouteTableReader.ofAllPeers().read(write(DUMP));

        assertEquals(4, routes.size());
        assertEquals("1.9.0.0/16 202.249.2.1", routes.format(0));
        assertEquals("1.9.0.0/16 202.249.2.2", routes.format(1));
        assertEquals("192.140.252.0/22 202.249.2.3", routes.format(2));
        assertFalse(routes.isWithdrawal(2));
        assertTrue(routes.isWithdrawal(3));
        assertEquals(Ipv4Address.parse("192.140.252.0"), routes.prefix(3));
        assertEquals(22, routes.length(3));
        assertEquals(1, routes.skippedIpv6());
    }

    @Test
    void shouldReadOnePeerAndCountTheOthers() throws IOException
    {
        final RouteList routes = RouteTableReader.ofPeer("202.249.2.20").read(write(DUMP));

        assertEquals(3, routes.size());
        assertEquals("1.9.0.0/16 202.249.2.1", routes.format(0));
        assertEquals(2, routes.skippedPeers());
    }

    @Test
    void shouldReadCompressedFilesWhateverTheirName() throws IOException
    {
        final Path file = directory.resolve("table");
        try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(file)))
        {
            out.write(DUMP.getBytes(StandardCharsets.US_ASCII));
        }

        assertEquals(4, RouteTableReader.ofAllPeers().read(file).size());
    }

    @ParameterizedTest
    @CsvSource(delimiter = ';', value = {
        "1.0.0.0/24 192.0.2.1 extra; not an IPv4 address: \"192.0.2.1 extra\"",
        "1.0.0.1/24 192.0.2.1; 1.0.0.1/24 has bits set below its length",
        "1.0.0.0/33 192.0.2.1; prefix length 33 is not in 0 to 32",
        "hello; not an IPv4 address: \"hello\"",
        "BGP4MP|1|A|1.1.1.1|1; a bgpdump -m line has 6 fields or more, this one has 5",
        "BGP4MP|1|X|1.1.1.1|1|1.0.0.0/24; kind \"X\" is none of A, B, W and STATE"})
    void shouldNameFileLineAndFault(final String line, final String fault) throws IOException
    {
        final Path file = write("10.0.0.0/8 192.0.2.1\n" + line + "\n");

        final UserException ex =
            assertThrows(UserException.class, () -> RouteTableReader.ofAllPeers().read(file));

        assertEquals(file + ":2: " + fault, ex.getMessage());
    }

    @Test
    void shouldSayWhenThereIsNoSuchFile()
    {
        final UserException ex = assertThrows(
            UserException.class, () -> RouteTables.open(directory.resolve("none").toString()));

        assertTrue(ex.getMessage().endsWith("none: no such file"), ex.getMessage());
    }

    @Test
    void shouldReadWhatItWrites() throws IOException
    {
        final RouteList routes = RouteTables.open("generated:1000");
        final Path file = directory.resolve("table.txt");
        RouteTables.write(routes, file);

        final RouteList again = RouteTables.open(file.toString());

        assertEquals(routes.size(), again.size());
        IntStream.range(0, routes.size()).forEach(i -> assertEquals(routes.format(i), again.format(i)));
    }

    @Test
    void shouldReadTheTablesOfOrigins()
    {
        final RouteList of2010 = RouteTableReader.ofPeer("202.249.2.20")
            .read(Require.sharedData("bgp/bview-20100701.txt.gz"));
        final RouteList of2023 = RouteTableReader.ofAllPeers()
            .read(Require.sharedData("bgp/full-table-2023.prefixes.txt.gz"));
        final RouteList updates = RouteTableReader.ofAllPeers()
            .read(Require.sharedData("bgp/updates-20160811.txt.gz"));

        assertEquals(323_485, of2010.size());
        assertEquals(23, IntStream.range(0, of2010.size()).map(of2010::nextHop).distinct().count());
        assertEquals(901_899, of2023.size());
        assertEquals(160_147, of2023.skippedIpv6());
        assertEquals(39_256 + 1_956, updates.size() + updates.skippedIpv6());
    }

    private Path write(final String text) throws IOException
    {
        return Files.writeString(directory.resolve("table.txt"), text);
    }
}
