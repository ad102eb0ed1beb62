package org.fibnuma.fabric.export;

import org.fibnuma.core.UserException;
import org.fibnuma.fabric.tables.ForwardingTables;
import org.fibnuma.fabric.topology.Fabric;
import org.fibnuma.fabric.topology.FabricBuilder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Tables of three switches in a row, in each form. */
class RoutesReaderTest
{
    private static final String FDBS = "dump_ucast_routes: Switch 0x0000000000000010\n" +
        "LID    : Port : Hops : Optimal\n0x0001 : 001  : 01   : yes\n0x0002 : 002  : 02   : yes\n" +
        "0x0003 : 002  : 03   : yes\n0x0010 : 000  : 00   : yes\n0x0011 : UNREACHABLE\n" +
        "dump_ucast_routes: Switch 0x0000000000000011\n0x0001 : 002  : 02   : yes\n0x0002 : 001  : 01   : yes\n" +
        "0x0003 : 003  : 02   : yes\ndump_ucast_routes: Switch 0x0000000000000012\n" +
        "0x0001 : 002  : 03   : yes\n0x0002 : 002  : 02   : yes\n0x0003 : 001  : 01   : yes\n";

    @TempDir
    private Path folder;

    private final Fabric fabric = row();

    @Test
    void shouldReadBackWhatIsWritten() throws IOException
    {
        final ForwardingTables tables = new ForwardingTables(fabric);
        fill(tables);
        new StaticRoutes(tables).write(folder);
        assertSame(tables, RoutesReader.read(fabric, folder.resolve(StaticRoutes.TOML_FOLDER)));
        assertTrue(new OpenSmTables(tables).isPossible());
        new OpenSmTables(tables).write(folder);
        assertSame(tables, RoutesReader.read(fabric, folder.resolve(OpenSmTables.FILE)));
        assertEquals("ip route replace 10.0.0.2/32 via 172.16.0.1 dev p2\n" +
            "ip route replace 10.0.0.3/32 via 172.16.0.1 dev p2\n", Files.readString(folder.resolve("ip-route/A.sh")));
    }

    @Test
    void shouldReadFdbs() throws IOException
    {
        final ForwardingTables tables = new ForwardingTables(fabric);
        fill(tables);
        assertSame(tables, read(FDBS));
    }

    @Test
    void shouldSayInOneLineWhatIsWrong()
    {
        assertFault("routes:1: unknown switch 0x99; give the topology", FDBS.replaceFirst("0010", "0099"));
        assertFault("routes:4: switch \"A\" has no cable to another switch at port 9",
            FDBS.replaceFirst("002  : 02", "009  : 02"));
        assertFault("routes:3: \"0x0001 - 001\" is not a route", FDBS.replaceFirst("0x0001 : 001", "0x0001 - 001")
            .replaceFirst("- 001.*", "- 001"));
        assertFault("routes:2: unknown server port 0x99",
            "Unicast lids [0-3] of switch Lid 1 guid 0x0010 ('A'):\n0x0001 001 # Channel Adapter portguid 0x99: 'X'\n");
        assertFault("routes:1: no routes", "\n");
        assertFault("routes.toml:1: unknown switch \"Z\"", "routes.toml", "switch = \"Z\"\n");
        assertFault("routes.toml:4: ", "routes.toml",
            "switch = \"A\"\n[[route]]\nprefix = \"10.0.0.2/32\"\nvia = \"172.16.9.9\"\n");
    }

    private void assertFault(final String expected, final String text)
    {
        assertFault(expected, "routes", text);
    }

    private void assertFault(final String expected, final String name, final String text)
    {
        final String message = assertThrows(UserException.class, () ->
        {
            Files.writeString(folder.resolve(name), text);
            RoutesReader.read(fabric, folder.resolve(name));
        }).getMessage();
        assertTrue(message.startsWith(folder + "/" + expected), message);
        assertEquals(1, message.lines().count());
    }

    private ForwardingTables read(final String text) throws IOException
    {
        Files.writeString(folder.resolve("routes"), text);
        return RoutesReader.read(fabric, folder.resolve("routes"));
    }

    private void assertSame(final ForwardingTables expected, final ForwardingTables actual)
    {
        for (int server = 0; server < fabric.serverCount(); server++)
        {
            for (int node = 0; node < fabric.switchCount(); node++)
            {
                assertEquals(expected.next(node, server), actual.next(node, server), node + " to " + server);
            }
        }
    }

    private static Fabric row()
    {
        final FabricBuilder builder = new FabricBuilder("row");
        for (int node = 0; node < 3; node++)
        {
            builder.addSwitch(String.valueOf((char)('A' + node)), 0x10 + node, -1);
            builder.addServer(node, 1, "H" + node, 0x20 + node);
        }
        builder.addCable(0, 2, 1, 2);
        builder.addCable(1, 3, 2, 2);
        return builder.build();
    }

    private static void fill(final ForwardingTables tables)
    {
        tables.set(0, 1, 0);
        tables.set(0, 2, 0);
        tables.set(1, 0, 1);
        tables.set(1, 2, 2);
        tables.set(2, 0, 3);
        tables.set(2, 1, 3);
    }
}
