package org.fibnuma.fabric.export;

import org.fibnuma.core.Require;
import org.fibnuma.core.UserException;
import org.fibnuma.core.wire.IpPrefix;
import org.fibnuma.fabric.tables.ForwardingTables;
import org.fibnuma.fabric.topology.Fabric;
import org.fibnuma.fabric.topology.FabricBuilder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** A site's own addresses of both families, for two switches with a server each. */
class AddressFileReaderTest
{
    private static final String ADDRESSES = "# a site\nserver H0 192.168.0.0/24\nserver H0 fd00:0:0:1::/64\n" +
        "server H1 192.168.1.0/24 # rack 2\nserver H1 fd00:0:0:2::/64\n\n" +
        "port A p2 10.0.0.0\nport A p2 fd00:10::\nport B p2 10.0.0.1\nport B p2 fd00:10::1\n";

    @TempDir
    private Path folder;

    private final Fabric fabric = pair();

    @Test
    void shouldReadBothFamilies() throws IOException
    {
        final Addressing addresses = read(ADDRESSES);
        assertEquals(List.of(IpPrefix.parse("192.168.1.0/24"), IpPrefix.parse("fd00:0:0:2::/64")),
            addresses.prefixes(1));
        assertEquals("fd00:10::1", addresses.port(1, true).toString());
        assertNull(read(ADDRESSES.replace("port A p2 10.0.0.0\n", "")).port(0, false));
    }

    @Test
    void shouldWriteAndReadBackRoutes() throws IOException
    {
        final Addressing addresses = write();
        assertEquals("ip route replace 192.168.1.0/24 via 10.0.0.1 dev p2\n" +
            "ip -6 route replace fd00:0:0:2::/64 via fd00:10::1 dev p2\n",
            Files.readString(folder.resolve("out/ip-route/A.sh")));
        assertEquals("ip route 192.168.0.0/24 10.0.0.0 p2\nipv6 route fd00:0:0:1::/64 fd00:10:: p2\n",
            Files.readString(folder.resolve("out/frr/B.conf")));
        final ForwardingTables back = RoutesReader.read(fabric, folder.resolve("out/routes"), addresses);
        assertEquals(0, back.next(0, 1));
        assertEquals(1, back.next(1, 0));
        assertThrows(UserException.class, () -> RoutesReader.read(fabric, folder.resolve("out/routes")));
    }

    @Test
    void shouldWriteWhatFrrAccepts() throws IOException, InterruptedException
    {
        Require.program("vtysh", "frr");
        write();
        assertEquals(0, checkedByFrr(folder.resolve("out/frr/A.conf")));
        final Path wrong = folder.resolve("wrong.conf");
        Files.writeString(wrong, "ipv6 route fd00::/64 via fd00:10:: p2\n");
        assertTrue(checkedByFrr(wrong) != 0, "vtysh accepts anything");
    }

    private static int checkedByFrr(final Path file) throws IOException, InterruptedException
    {
        final Process vtysh = new ProcessBuilder("vtysh", "-C", "-f", file.toString())
            .redirectErrorStream(true).redirectOutput(ProcessBuilder.Redirect.DISCARD).start();
        assertTrue(vtysh.waitFor(60, TimeUnit.SECONDS));
        return vtysh.exitValue();
    }

    @Test
    void shouldNotBeginWithoutAnAddress() throws IOException
    {
        final Addressing addresses = read(ADDRESSES.replace("port B p2 fd00:10::1\n", ""));
        final String message =
            assertThrows(UserException.class, () -> new StaticRoutes(tables(), addresses)).getMessage();
        assertEquals("port p2 of switch \"B\" has no IPv6 address, which the route to fd00:0:0:2::/64 needs; add one",
            message);
    }

    @ParameterizedTest
    @CsvSource(delimiter = ';', value = {
        "server H1 192.168.1.0/24; server H2 192.168.1.0/24; addresses:4: unknown server \"H2\"",
        "server H1 192.168.1.0/24; server H1 192.168.0.0/24; addresses:4: prefix 192.168.0.0/24 is that of server",
        "server H1 192.168.1.0/24; server H1 192.168.1.0/33; addresses:4: prefix length 33",
        "server H1 192.168.1.0/24; server H1; addresses:4: is neither server NAME PREFIX nor port",
        "port B p2 10.0.0.1; port C p2 10.0.0.1; addresses:9: unknown switch \"C\"",
        "port B p2 10.0.0.1; port B p1 10.0.0.1; addresses:9: switch \"B\" has no cable to another switch at p1",
        "port B p2 10.0.0.1; port B p2 10.0.0; addresses:9: not an IPv4 address",
        "port B p2 10.0.0.1; port A p2 10.0.0.1; addresses:9: port p2 of switch \"A\" has two addresses",
    })
    void shouldRefuse(final String text, final String other, final String expected)
    {
        assertFault(expected, ADDRESSES.replace(text, other));
    }

    @Test
    void shouldRefuseDamagedFiles() throws IOException
    {
        assertFault("addresses: server \"H0\" has no prefix", "");
        assertFault("addresses: server \"H1\" has no prefix", ADDRESSES.substring(0, 60));
        assertFault("addresses:1: is neither", "{\"PORT\": []}\n");
        Files.writeString(folder.resolve("huge"), "server H0 ".repeat(10_000_000));
        assertTrue(assertThrows(UserException.class, () -> AddressFileReader.read(fabric, folder.resolve("huge")))
            .getMessage().contains("has more than 32 MiB"));
        Files.write(folder.resolve("binary"), new byte[]{(byte)0xFF, (byte)0xFE});
        assertTrue(assertThrows(UserException.class, () -> AddressFileReader.read(fabric, folder.resolve("binary")))
            .getMessage().contains("is not text"));
        assertTrue(assertThrows(UserException.class, () -> AddressFileReader.read(fabric, folder.resolve("none")))
            .getMessage().contains("no such file"));
    }

    @Test
    void shouldRefuseRoutesThatDifferByFamily() throws IOException
    {
        final FabricBuilder builder = new FabricBuilder("parallel");
        builder.addSwitch("A", Fabric.NO_GUID, -1);
        builder.addSwitch("B", Fabric.NO_GUID, -1);
        builder.addServer(1, "H0");
        builder.addParallelCable(0, 1);
        builder.addParallelCable(0, 1);
        final Fabric parallel = builder.build();
        Files.writeString(folder.resolve("addresses"), "server H0 10.1.0.0/24\nserver H0 fd00::/64\n" +
            "port B p2 10.0.0.1\nport B p3 fd00:10::1\n");
        Files.writeString(folder.resolve("a.toml"), "switch = \"A\"\n[[route]]\nprefix = \"10.1.0.0/24\"\n" +
            "via = \"10.0.0.1\"\n[[route]]\nprefix = \"fd00::/64\"\nvia = \"fd00:10::1\"\n");
        final String message = assertThrows(UserException.class, () -> RoutesReader.read(parallel,
            folder.resolve("a.toml"), AddressFileReader.read(parallel, folder.resolve("addresses")))).getMessage();
        assertTrue(message.contains("is at another port than that of another prefix"), message);
    }

    private void assertFault(final String expected, final String text)
    {
        final String message = assertThrows(UserException.class, () -> read(text)).getMessage();
        assertTrue(message.startsWith(folder + "/" + expected), message);
        assertEquals(1, message.lines().count());
    }

    private Addressing read(final String text) throws IOException
    {
        Files.writeString(folder.resolve("addresses"), text);
        return AddressFileReader.read(fabric, folder.resolve("addresses"));
    }

    private Addressing write() throws IOException
    {
        final Addressing addresses = read(ADDRESSES);
        new StaticRoutes(tables(), addresses).write(folder.resolve("out"));
        return addresses;
    }

    private ForwardingTables tables()
    {
        final ForwardingTables tables = new ForwardingTables(fabric);
        tables.set(0, 1, 0);
        tables.set(1, 0, 1);
        return tables;
    }

    private static Fabric pair()
    {
        final FabricBuilder builder = new FabricBuilder("pair");
        for (int node = 0; node < 2; node++)
        {
            builder.addSwitch(String.valueOf((char)('A' + node)), Fabric.NO_GUID, -1);
            builder.addServer(node, 1, "H" + node, Fabric.NO_GUID);
        }
        builder.addCable(0, 2, 1, 2);
        return builder.build();
    }
}
