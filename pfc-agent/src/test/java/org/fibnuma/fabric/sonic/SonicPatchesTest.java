package org.fibnuma.fabric.sonic;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import org.fibnuma.core.UserException;
import org.fibnuma.fabric.plan.Demand;
import org.fibnuma.fabric.tables.DestinationRoutes;
import org.fibnuma.fabric.tables.ForwardingTables;
import org.fibnuma.fabric.turns.TurnAddition;
import org.fibnuma.fabric.turns.TurnPairs;
import org.fibnuma.fabric.turns.TurnTraffic;
import org.fibnuma.fabric.tables.Lanes;
import org.fibnuma.pfc.headroom.HeadroomModel;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Patches of a planned ring, applied by {@link PlainJsonPatch}. */
class SonicPatchesTest
{
    private static final Set<String> OURS = Set.of("STATIC_ROUTE", "PORT_QOS_MAP", "BUFFER_PG", "BUFFER_PROFILE",
        "WRED_PROFILE", "QUEUE", "PFC_WD");

    private static final HeadroomRule HEADROOM = new HeadroomRule(HeadroomModel.SONIC, 96, true);

    @TempDir
    private Path folder;

    private Path site;
    private HeadroomRule headroom = HEADROOM;

    @BeforeEach
    void writeRing() throws IOException
    {
        site = folder.resolve("site");
        SonicRing.write(site);
    }

    @Test
    void shouldAddOnlyRoutesWhereAllIsInOrder() throws IOException
    {
        write();
        final JsonNode patch = patch(0);
        assertEquals(1, patch.size(), patch.toString());
        assertEquals("add", patch.get(0).path("op").asText());
        assertEquals("/STATIC_ROUTE", patch.get(0).path("path").asText());
        assertEquals("{\"nexthop\":\"10.0.0.1\",\"ifname\":\"Ethernet0\"}",
            patch.get(0).path("value").path("default|192.168.1.0/24").toString());
        assertEquals("{\"nexthop\":\"fd00:10:2::\",\"ifname\":\"Ethernet4\"}",
            patch.get(0).path("value").path("default|fd00:168:2::/64").toString());
        assertEquals(4, patch.get(0).path("value").size());
    }

    /** 54,528 bytes are shipped with Broadcom Trident 3 for 100G and 40 m; the formula of NVIDIA has 80,896. */
    @Test
    void shouldNotChangeHeadroomAsShipped() throws IOException
    {
        headroom = new HeadroomRule(HeadroomModel.SONIC, 0, false);
        SonicRing.edit(site, 0, "ACS-MSN2700", "DellEMC-S5232f-C32");
        SonicRing.edit(site, 0, "\"xoff\": \"80896\"", "\"xoff\": \"54528\"");
        SonicRing.edit(site, 0, "\"Ethernet4|3-4\": {\"profile\": \"pg_lossless_100000_40m_profile\"},", "");
        final JsonNode before = config(0).get("BUFFER_PROFILE");
        write();
        final ObjectNode after = apply();
        assertEquals(before, after.get("BUFFER_PROFILE"));
        assertEquals("pg_lossless_100000_40m_profile",
            new PortQos(new ConfigDatabase("patched", after)).profile("Ethernet4", 3));
    }

    @Test
    void shouldRepairWithoutLossOfWhatIsNotOurs() throws IOException
    {
        SonicRing.edit(site, 0, "\"Ethernet8\": \"40m\"", "\"Ethernet8\": \"300m\"");
        SonicRing.edit(site, 0, "\"PFC_WD\": {", "\"unknown/table~\": {\"a/b\": {\"c\": [1, 2]}}, \"PFC_WD\": {");
        SonicRing.edit(site, 0, "\"PFC_WD\"", "\"PFC_WD_OLD\"");
        SonicRing.edit(site, 0, "\"pfc_enable\": \"3,4\", \"pfcwd_sw_enable\": \"3,4\"", "\"scheduler\": \"s\"");
        SonicRing.edit(site, 0, "\"tc_to_queue_map\": \"AZURE\",\n", "\n");
        SonicRing.edit(site, 0, "\"xoff\": \"80896\"", "\"xoff\": \"70000\", \"packet_discard_action\": \"drop\"");
        SonicRing.edit(site, 0, "\"Ethernet4|3-4\": {\"profile\": \"pg_lossless_100000_40m_profile\"},", "");
        SonicRing.edit(site, 0, "\"Ethernet4|3\": {\"wred_profile\": \"AZURE_LOSSLESS\"},", "");
        SonicRing.edit(site, 0, "\"green_min_threshold\": \"250000\", \"green_max_threshold\": \"1000000\"",
            "\"green_min_threshold\": \"7000000\", \"green_max_threshold\": \"8000000\"");
        SonicRing.edit(site, 0, "\"SYSLOG_SERVER\"", "\"STATIC_ROUTE\": {\"0.0.0.0/0\": {\"nexthop\": \"10.9.9.1\", " +
            "\"ifname\": \"eth0\"}, \"192.168.2.0/24\": {\"nexthop\": \"1.1.1.1,1.1.1.2\", \"distance\": \"1,1\", " +
            "\"advertise\": \"true\"}}, \"SYSLOG_SERVER\"");
        final ObjectNode before = config(0);
        write();
        final ObjectNode after = apply();
        before.properties().forEach(table ->
        {
            if (!OURS.contains(table.getKey()))
            {
                assertEquals(table.getValue(), after.get(table.getKey()), table.getKey());
            }
        });
        assertEquals(before.get("STATIC_ROUTE").get("0.0.0.0/0"), after.get("STATIC_ROUTE").get("0.0.0.0/0"));
        assertEquals("{\"nexthop\":\"10.0.2.0\",\"advertise\":\"true\",\"ifname\":\"Ethernet4\"}",
            after.get("STATIC_ROUTE").get("192.168.2.0/24").toString());
        assertEquals(before.get("BUFFER_PG").get("Ethernet0|0"), after.get("BUFFER_PG").get("Ethernet0|0"));
        assertEquals("s", after.get("PORT_QOS_MAP").get("Ethernet8").path("scheduler").asText());
        assertEquals("AZURE", after.get("PORT_QOS_MAP").get("Ethernet8").path("tc_to_queue_map").asText());
        assertFalse(after.get("PORT_QOS_MAP").get("Ethernet4").has("dscp_to_tc_map"), "global is in force");
        final JsonNode raised = after.get("BUFFER_PROFILE").get("pg_lossless_100000_40m_profile");
        assertEquals("80896", raised.path("xoff").asText());
        assertEquals("drop", raised.path("packet_discard_action").asText());
        assertEquals("144384",
            after.get("BUFFER_PROFILE").get("pg_lossless_100000_300m_profile").path("xoff").asText());
        assertEquals("pg_lossless_100000_300m_profile",
            after.get("BUFFER_PG").get("Ethernet8|3-4").path("profile").asText());
        assertEquals(before.get("WRED_PROFILE").get("AZURE_LOSSLESS"), after.get("WRED_PROFILE").get("AZURE_LOSSLESS"));
        assertEquals("5000000", after.get("WRED_PROFILE").get("LOSSLESS_5000000").path("red_max_threshold").asText());
        assertEquals(List.of(), SonicCheck.of(
            SonicSite.read(site), new Lanes(1, new int[SonicRing.SWITCHES]), HEADROOM).findings());
        write();
        for (int node = 0; node < SonicRing.SWITCHES; node++)
        {
            assertEquals("[]", patch(node).toString().strip(), "a second plan has nothing left to change");
        }
    }

    @Test
    void shouldLeaveBuffersToADynamicModel() throws IOException
    {
        SonicRing.edit(site, 0, "\"type\": \"ToRRouter\"", "\"type\": \"ToRRouter\", \"buffer_model\": \"dynamic\"");
        SonicRing.edit(site, 0, "\"Ethernet4|3-4\": {\"profile\": \"pg_lossless_100000_40m_profile\"},", "");
        write();
        assertEquals("{\"profile\":\"NULL\"}", apply().get("BUFFER_PG").get("Ethernet4|3").toString());
    }

    @ParameterizedTest
    @CsvSource(delimiter = ';', quoteCharacter = '`', value = {
        "2; `, \"Ethernet8\": \"40m\"`; ``; PORT|Ethernet8: CABLE_LENGTH has no length for it",
        "2; `\"speed\": \"100000\"`; `\"index\": \"1\"`; has no speed",
        "2; `\"speed\": \"100000\"`; `\"speed\": \"123000\"`; PORT|Ethernet0: the response time at 123G is unknown",
        "2; `\"Ethernet8|192.168.0.1/24\": {}, \"Ethernet8|fd00:168:0::1/64\": {}`; " +
            "`\"Loopback9\": {}`; INTERFACE|Ethernet8: has hosts and no address",
        "2; `\"Ethernet0|10.0.0.0/31\": {},`; ``; INTERFACE|Ethernet0: has no IPv4 address",
        "2; `192.168.0.1/24`; `192.168.1.1/24`; is connected to leaf0 Ethernet8 too",
        "2; `\"Ethernet0|3-4\": {\"profile\": \"pg_lossless_100000_40m_profile\"}`; " +
            "`\"Ethernet0|3-6\": {\"profile\": \"ingress_lossy_profile\"}`; BUFFER_PG|Ethernet0|3-6: contains several",
        "2; `\"Ethernet8|3-4\": {\"wred_profile\": \"AZURE_LOSSLESS\"}`; `\"Ethernet8|1-7\": {}`; QUEUE|Ethernet8|1-7",
        "1; `\"4\": \"4\", \"26\": \"3\"`; `\"26\": \"3\"`; errors remain after the patches, the first at",
        "1; `\"SYSLOG_SERVER\"`; `\"STATIC_ROUTE\": {\"192.168.1.128/25\": {\"ifname\": \"eth0\"}}, " +
            "\"SYSLOG_SERVER\"`; leaves the fabric through eth0",
    })
    void shouldRefuseInOneLine(final int status, final String text, final String other, final String expected)
        throws IOException
    {
        SonicRing.edit(site, 0, text, other == null ? "" : other);
        final UserException fault = assertThrows(UserException.class, this::write);
        assertTrue(fault.getMessage().contains(expected), fault.getMessage());
        assertEquals(1, fault.getMessage().lines().count());
        assertEquals(status, fault.exitStatus());
        assertFalse(Files.exists(folder.resolve("out")));
    }

    private void write() throws IOException
    {
        final SonicSite read = SonicSite.read(site);
        SonicPatches.of(read, plan(read), Lanes.one(read.fabric()), headroom)
            .write(folder.resolve("out"));
    }

    private static ForwardingTables plan(final SonicSite read)
    {
        final TurnTraffic traffic = new TurnTraffic(new TurnPairs(read.fabric()));
        return new DestinationRoutes(TurnAddition.sound(1).plan(traffic), Demand.uniform(read.fabric()))
            .make().tables();
    }

    private ObjectNode config(final int node) throws IOException
    {
        return (ObjectNode)new ObjectMapper().readTree(site.resolve("leaf" + node + "/config_db.json").toFile());
    }

    private JsonNode patch(final int node) throws IOException
    {
        return new ObjectMapper().readTree(folder.resolve("out/sonic/leaf" + node + ".patch.json").toFile());
    }

    /** Applies all patches; returns the new configuration of the first switch. */
    private ObjectNode apply() throws IOException
    {
        for (int node = 0; node < SonicRing.SWITCHES; node++)
        {
            new ObjectMapper().writeValue(site.resolve("leaf" + node + "/config_db.json").toFile(),
                PlainJsonPatch.apply(config(node), patch(node)));
        }
        return config(0);
    }
}
