package org.fibnuma.fabric.sonic;

import org.fibnuma.core.UserException;
import org.fibnuma.fabric.tables.Lanes;
import org.fibnuma.pfc.headroom.HeadroomModel;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Damaged configurations and dumps: one line that names file and key. */
class SonicReaderTest
{
    private static final HeadroomRule HEADROOM = new HeadroomRule(HeadroomModel.SONIC, 96, true);

    @TempDir
    private Path folder;

    @BeforeEach
    void writeRing() throws IOException
    {
        SonicRing.write(folder);
        SonicRing.writeFrrRoutes(folder, false);
    }

    @ParameterizedTest
    @CsvSource(delimiter = ';', quoteCharacter = '`', value = {
        "`\"PORT\": {`; `\"PORT\": [], \"PORTS\": {`; PORT is not an object",
        "`\"Ethernet0\": {\"alias\"`; `\"Ethernet0\": [], \"Ethernet1\": {\"alias\"`; PORT|Ethernet0: is not an object",
        "`\"speed\": \"100000\"`; `\"speed\": \"fast\"`; PORT|Ethernet0: speed \"fast\" is not a whole number",
        "`\"speed\": \"100000\"`; `\"speed\": {}`; PORT|Ethernet0: speed is not a text",
        "`\"speed\": \"100000\"`; `\"speed\": \"99999999999999999999999\"`; is not a whole number",
        "`\"mtu\": \"9100\"`; `\"mtu\": \"-1\"`; mtu \"-1\" is not a whole number in 68 to 9216",
        "`\"Ethernet0\": \"40m\"`; `\"Ethernet0\": \"40 feet\"`; CABLE_LENGTH|AZURE: Ethernet0 \"40 feet\"",
        "`\"Ethernet0\": \"40m\"`; `\"Ethernet0\": []`; CABLE_LENGTH|AZURE: Ethernet0 is not a text",
        "`\"name\": \"leaf1\"`; `\"name\": \"leaf2\"`; correct one of them",
        "`\"port\": \"etp2\"`; `\"port\": \"etp9\"`; switch leaf1 has no port \"etp9\"",
        "`\"port\": \"etp2\"`; `\"port\": \"etp3\"`; is connected to leaf1 Ethernet8",
        "`\"hostname\": \"leaf0\"`; `\"hostname\": \"leaf1\"`; hostname \"leaf1\" is that of",
        "`Ethernet0|10.0.0.0/31`; `Ethernet0|10.0.0/31`; is not an address with a prefix length",
        "`Ethernet0|10.0.0.0/31`; `Ethernet0|10.0.0.0/33`; is not an address with a prefix length",
        "`\"pfc_enable\": \"3,4\"`; `\"pfc_enable\": \"3-4\"`; pfc_enable is not a list of priorities such as 3,4",
        "`\"dscp_to_tc_map\": \"AZURE\"`; `\"dscp_to_tc_map\": \"X\"`; DSCP_TO_TC_MAP has no entry \"X\"",
        "`\"26\": \"3\"`; `\"26\": \"three\"`; \"26\": \"three\" are not two numbers",
        "`\"pool\": \"ingress_lossless_pool\"`; `\"pool\": \"x\"`; pool: BUFFER_POOL has no entry \"x\"",
        "`\"wred_profile\": \"AZURE_LOSSLESS\"`; `\"wred_profile\": \"x\"`; WRED_PROFILE has no entry \"x\"",
        "`\"Ethernet0|0\": {`; `\"Ethernet0|4-5\": {`; BUFFER_PG|Ethernet0|3-4: overlaps with Ethernet0|4-5",
        "`\"action\": \"drop\"`; `\"action\": \"explode\"`; PFC_WD|Ethernet0: action \"explode\"",
        "`\"detection_time\": \"200\"`; `\"detection_time\": \"10\"`; is not a whole number in 100 to 5000",
        "`\"SYSLOG_SERVER\"`; `\"PORT\"`; not JSON: Duplicate field 'PORT'",
        "`\"SYSLOG_SERVER\": {\"10.9.9.9\": {}}`; `\"SYSLOG_SERVER\": {`; not JSON",
        "`\"SYSLOG_SERVER\": {\"10.9.9.9\": {}}\n}`; `\"A\": {}}}`; not JSON",
    })
    void shouldRefuse(final String text, final String other, final String expected) throws IOException
    {
        SonicRing.edit(folder, 0, text, other);
        assertFault("leaf", expected);
    }

    @Test
    void shouldRefuseDamagedFiles() throws IOException
    {
        final Path config = folder.resolve("leaf0/config_db.json");
        final byte[] whole = Files.readAllBytes(config);
        for (int length = 0; length < whole.length - 3; length += whole.length / 40)
        {
            Files.write(config, Arrays.copyOf(whole, length));
            assertFault("leaf0/config_db.json", "");
        }
        Files.write(config, new byte[]{(byte)0xFF, (byte)0xFE, 0, 1});
        assertFault("leaf0/config_db.json", "not JSON");
        Files.writeString(config, "[".repeat(100_000));
        assertFault("leaf0/config_db.json", "not JSON");
        Files.writeString(config, "[]");
        assertFault("leaf0/config_db.json:1: is not an object of tables", "");
        Files.writeString(config, "{}");
        assertFault("leaf0/config_db.json: PORT is missing or empty", "");
    }

    @Test
    void shouldRefuseAHugeConfigurationWithoutReadingIt() throws IOException
    {
        writeHuge(folder.resolve("leaf0/config_db.json"), "{\"PORT\": \"");
        assertFault("leaf0/config_db.json", "has more than 32 MiB");
    }

    @Test
    void shouldRefuseAHugeDump() throws IOException
    {
        writeHuge(folder.resolve("leaf0").resolve(RouteDumpReader.IPV4_FILE), "{\"10.0.0.0/8\": \"");
        assertFault("leaf0/ip-route.json", "not JSON");
    }

    @Test
    void shouldRefuseFoldersWithoutSwitches() throws IOException
    {
        final Path empty = Files.createDirectory(folder.resolve("empty"));
        assertTrue(message(empty).contains("contains no NAME/config_db.json"), message(empty));
        assertTrue(message(folder.resolve("nowhere")).contains("cannot be read"), message(folder.resolve("nowhere")));
        Files.createSymbolicLink(empty.resolve("config_db.json"), empty.resolve("config_db.json"));
        assertTrue(message(folder.resolve("empty/config_db.json")).contains("cannot be read"));
    }

    @ParameterizedTest
    @CsvSource(delimiter = ';', quoteCharacter = '`', value = {
        "ip-route.json; `[]`; `:1: is not an object`",
        "ip-route.json; `{\"default\": {\"10.0.0.0/8\": []}}`; `:1: \"default\" is not a prefix`",
        "ip-route.json; `{\"0.0.0.0/0\": {}}`; `:1: route 0.0.0.0/0: is not a list of routes`",
        "ip-route.json; `{\"0.0.0.0/0\": [1]}`; `route 0.0.0.0/0: is not a list of objects`",
        "ip-route.json; `{\"0.0.0.0/0\": [{\"selected\": true, \"nexthops\": {}}]}`; `nexthops is not a list`",
        "ip-route.json; `{\"0.0.0.0/0\": [{\"selected\": true, \"nexthops\": [{\"active\": true, \"ip\": \"x\"}]}]}`;" +
            " `not an IPv4 address`",
        "ip-route.json; `{\"0.0.0.0/0\": [], \"0.0.0.0/0\": []}`; `Duplicate field`",
        "ip-route.json; `{\"0.0.0.0/0\": [{\"selected\": true, \"nexthops\": [{\"active\": true}]}]}`; " +
            "`has a next hop without interface and address`",
        "ip-route.json; `{\"0.0.0.0/0\": []`; `not JSON`",
        "ip-route.json; `{\"0.0.0.0/0\": []} {}`; `text after the end`",
        "ipv6-route.json; `{\"::/0\": 7}`; `route ::/0: is not a list of routes`",
        "appl-db.json; `{}`; `contains routes of FRR and appl-db.json`",
    })
    void shouldRefuseDump(final String file, final String text, final String expected) throws IOException
    {
        Files.writeString(folder.resolve("leaf0").resolve(file), text);
        assertFault("leaf0", expected);
    }

    @ParameterizedTest
    @CsvSource(delimiter = ';', quoteCharacter = '`', value = {
        "`{\"ROUTE_TABLE:x\": {}}`; `\"ROUTE_TABLE:x\" is not a prefix`",
        "`{\"ROUTE_TABLE:0.0.0.0/0\": []}`; `route 0.0.0.0/0: is not an object`",
        "`{\"ROUTE_TABLE:0.0.0.0/0\": {\"nexthop_group\": \"1\"}}`; `uses nexthop_group`",
        "`{\"ROUTE_TABLE:0.0.0.0/0\": {}}`; `has neither nexthop nor ifname`",
        "`{\"ROUTE_TABLE:0.0.0.0/0\": {\"ifname\": \"a,b\", \"nexthop\": \"1.1.1.1\"}}`; `another number of items`",
    })
    void shouldRefuseApplDb(final String text, final String expected) throws IOException
    {
        SonicRing.deleteFrrRoutes(folder, 0);
        Files.writeString(folder.resolve("leaf0").resolve(RouteDumpReader.APPL_DB_FILE), text);
        assertFault("leaf0/appl-db.json", expected);
    }

    @ParameterizedTest
    @CsvSource(delimiter = ';', quoteCharacter = '`', value = {
        "`\"192.168.0.0/33\": {}`; is not a prefix",
        "`\"192.168.0.0/16\": {}`; has neither nexthop nor ifname",
        "`\"192.168.0.0/16\": {\"nexthop\": \"x\"}`; not an IPv4 address",
        "`\"192.168.0.0/16\": {\"nexthop\": \"0.0.0.0\"}`; has a next hop without interface and address",
        "`\"192.168.0.0/16\": {\"nexthop\": \"1.1.1.1\", \"distance\": \"1,2\"}`; distance has another number",
        "`\"192.168.0.0/16\": {\"ifname\": \"a\"}, \"default|192.168.0.0/16\": {\"ifname\": \"a\"}`; another entry",
    })
    void shouldRefuseStaticRoute(final String entry, final String expected) throws IOException
    {
        SonicRing.deleteFrrRoutes(folder, 0);
        SonicRing.edit(folder, 0, "\"SYSLOG_SERVER\"", "\"STATIC_ROUTE\": {" + entry + "}, \"SYSLOG_SERVER\"");
        assertFault("leaf0/config_db.json: STATIC_ROUTE|", expected);
    }

    /** Writes 100 MB. */
    private static void writeHuge(final Path file, final String start) throws IOException
    {
        final byte[] block = "x".repeat(1_000_000).getBytes(StandardCharsets.US_ASCII);
        try (OutputStream out = Files.newOutputStream(file))
        {
            out.write(start.getBytes(StandardCharsets.US_ASCII));
            for (int i = 0; i < 100; i++)
            {
                out.write(block);
            }
        }
    }

    private void assertFault(final String start, final String expected)
    {
        final String message = message(folder);
        assertTrue(message.startsWith(folder + "/" + start) && message.contains(expected), message);
        assertEquals(1, message.lines().count(), message);
        assertTrue(message.length() < 400 + folder.toString().length(), message);
    }

    private static String message(final Path site)
    {
        final UserException fault = assertThrows(UserException.class,
            () -> SonicCheck.of(SonicSite.read(site), new Lanes(1, new int[SonicRing.SWITCHES]), HEADROOM));
        assertEquals(2, fault.exitStatus());
        return fault.getMessage();
    }
}
