package org.fibnuma.fabric.sonic;

import org.fibnuma.fabric.tables.Lanes;
import org.fibnuma.fabric.topology.Fabric;
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

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Findings in a ring of three switches: none as it is, and the expected one after each change. */
class SonicCheckTest
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

    @Test
    void shouldFindNothingWrongInARingOfShortestPaths()
    {
        final SonicCheck check = check();
        assertEquals(List.of(), check.findings());
        assertTrue(check.isAcyclic());
        assertEquals(6, check.destinations());
        assertEquals("show ip route of FRR", check.routeSources().get("leaf1"));
    }

    @Test
    void shouldReadTheTopology()
    {
        final Fabric fabric = SonicSite.read(folder).fabric();
        assertEquals(3, fabric.switchCount());
        assertEquals(6, fabric.channelCount());
        assertEquals("host2", fabric.serverName(2));
        assertEquals("Ethernet0", fabric.portName(fabric.firstChannel(0)));
        assertEquals("leaf1", fabric.switchName(fabric.target(fabric.firstChannel(0))));
        assertEquals("Ethernet4", fabric.portName(fabric.reverse(fabric.firstChannel(0))));
    }

    /** The form of SONiC's Configuration.md. */
    @Test
    void shouldReadNeighborsWhoseKeyIsTheirName() throws IOException
    {
        SonicRing.edit(folder, 0, "\"Ethernet0\": {\"name\": \"leaf1\",",
            "\"leaf1\": {\"local_port\": \"Ethernet0\", \"type\": \"LeafRouter\", \"mgmt_addr\": \"10.9.0.1\",");
        SonicRing.edit(folder, 0, "\"Ethernet8\": {\"name\": \"host0\",",
            "\"server0\": {\"local_port\": \"Ethernet8\",");
        assertEquals(List.of(), check().findings());
        final Fabric fabric = SonicSite.read(folder).fabric();
        assertEquals(6, fabric.channelCount());
        assertEquals("server0", fabric.serverName(0));
    }

    @Test
    void shouldWarnOnceOfPortsThatTheSwitchDoesNotHaveAndCheckTheRest() throws IOException
    {
        SonicRing.edit(folder, 0, "\"DEVICE_NEIGHBOR\": {", "\"DEVICE_NEIGHBOR\": {" +
            "\"Ethernet60\": {\"name\": \"old\", \"port\": \"e1\"}, \"Ethernet64\": {\"name\": \"older\"},");
        SonicRing.edit(folder, 0, "\"PORT_QOS_MAP\": {", "\"PORT_QOS_MAP\": {\"Ethernet60\": {\"pfc_enable\": \"3\"},");
        final SonicCheck check = check();
        assertEquals(List.of(
            new Finding(false, "ports", "leaf0",
                "DEVICE_NEIGHBOR names 2 ports that PORT does not have, such as Ethernet60; they are left out"),
            new Finding(false, "ports", "leaf0",
                "PORT_QOS_MAP names 1 ports that PORT does not have, such as Ethernet60; they are left out")),
            check.findings());
        assertTrue(check.holds() && check.isAcyclic());
        assertEquals(2, SonicSite.read(folder).fabric().leftOut().size());
    }

    @Test
    void shouldLeaveOutACableFromASwitchToItself() throws IOException
    {
        SonicRing.edit(folder, 0, "\"PORT\": {", "\"PORT\": {\"Ethernet12\": {\"speed\": \"100000\"}, " +
            "\"Ethernet16\": {\"speed\": \"100000\"},");
        SonicRing.edit(folder, 0, "\"DEVICE_NEIGHBOR\": {", "\"DEVICE_NEIGHBOR\": {" +
            "\"Ethernet12\": {\"name\": \"leaf0\", \"port\": \"Ethernet16\"},");
        final SonicCheck check = check();
        assertEquals(List.of(new Finding(false, "ports", "leaf0 Ethernet12",
            "DEVICE_NEIGHBOR has a cable from the switch to itself; it is left out")), check.findings());
        assertEquals(6, SonicSite.read(folder).fabric().channelCount());
    }

    /** 100G, 40 m: as shipped with a Broadcom Trident 3 and with an NVIDIA Spectrum; the formula has 80,896. */
    @ParameterizedTest
    @CsvSource({"DellEMC-S5232f-C32, 54528", "ACS-MSN2700, 38912"})
    void shouldWarnOfHeadroomAsShippedAndNameTheModel(final String sku, final long xoff) throws IOException
    {
        SonicRing.edit(folder, 0, "ACS-MSN2700", sku);
        SonicRing.edit(folder, 0, "\"xoff\": \"80896\"", "\"xoff\": \"" + xoff + "\"");
        final SonicCheck byDefault = checkByDefault();
        assertTrue(byDefault.holds());
        // Two priorities at each of three ports.
        assertEquals(6, byDefault.findings().size());
        for (final Finding finding : byDefault.findings())
        {
            assertEquals("headroom", finding.subject());
            assertTrue(finding.text().startsWith("xoff of " + xoff + " bytes in profile " +
                "pg_lossless_100000_40m_profile is below the 80896 of formula sonic at 100G over 40 m with"),
                finding.text());
            assertTrue(finding.text().contains("; " + sku + " may have its own"), finding.text());
        }
        assertFalse(check().holds(), "with a formula that the user has chosen");
    }

    @Test
    void shouldFindAProfileOfAShorterCable() throws IOException
    {
        SonicRing.edit(folder, 0, "\"Ethernet8\": \"40m\"", "\"Ethernet8\": \"300m\"");
        assertFalse(checkByDefault().holds());
    }

    /** A packet of 9,100 bytes and 5,051 in 40 m of cable, to the peer and back. */
    @ParameterizedTest
    @CsvSource({"14150, false", "14151, true"})
    void shouldFindHeadroomThatIsTooSmallForAnyAsic(final long xoff, final boolean holds) throws IOException
    {
        SonicRing.edit(folder, 0, "\"xoff\": \"80896\"", "\"xoff\": \"" + xoff + "\"");
        assertEquals(holds, checkByDefault().holds());
    }

    @Test
    void shouldPrintTheCycleOfClockwisePaths() throws IOException
    {
        SonicRing.writeFrrRoutes(folder, true);
        final SonicCheck check = check();
        assertFalse(check.isAcyclic());
        assertEquals(List.of("leaf0 Ethernet0 -> leaf1 Ethernet4", "leaf1 Ethernet0 -> leaf2 Ethernet4",
            "leaf2 Ethernet0 -> leaf0 Ethernet4"), check.cycle());
        assertEquals(1, check.findings().size());
        assertEquals("deadlock", check.findings().get(0).subject());
    }

    @Test
    void shouldFollowEveryNextHopOfARoute() throws IOException
    {
        for (int node = 0; node < SonicRing.SWITCHES; node++)
        {
            SonicRing.deleteFrrRoutes(folder, node);
            final int before = (node + 2) % SonicRing.SWITCHES;
            final int next = (node + 1) % SonicRing.SWITCHES;
            final String both = ", \"value\": {\"nexthop\": \"10.0." + node + ".1,10.0." + before +
                ".0\", \"ifname\": \"Ethernet0,Ethernet4\", \"protocol\": \"bgp\"}}";
            Files.writeString(folder.resolve("leaf" + node).resolve(RouteDumpReader.APPL_DB_FILE),
                "{\"PORT_TABLE:Ethernet0\": {\"type\": \"hash\", \"value\": {\"mtu\": \"9100\"}},\n" +
                "\"ROUTE_TABLE:Vrf_x:192.168.0.0/16\": {\"type\": \"hash\", \"value\": {}},\n" +
                "\"ROUTE_TABLE:0.0.0.0/0\": {\"type\": \"hash\"" + both + ",\n" +
                "\"ROUTE_TABLE:192.168." + next + ".0/24\": {\"type\": \"hash\", \"value\": {\"nexthop\": \"10.0." +
                node + ".1\", \"ifname\": \"Ethernet0\"}},\n" +
                "\"ROUTE_TABLE:fd00::/16\": {\"type\": \"hash\"" +
                ", \"value\": {\"nexthop\": \"::\", \"ifname\": \"Ethernet0\"}}}");
        }
        final SonicCheck check = check();
        assertFalse(check.isAcyclic());
        assertEquals("ROUTE_TABLE of APPL_DB", check.routeSources().get("leaf0"));
        // leaf0 sends to leaf2 directly and over leaf1, and so on around the ring; all of it arrives.
        assertEquals(List.of("deadlock"), check.findings().stream().map(Finding::subject).toList());
    }

    @Test
    void shouldNameLostDestinationsAndWhy() throws IOException
    {
        final Path dump = folder.resolve("leaf0").resolve(RouteDumpReader.IPV4_FILE);
        Files.writeString(dump, "{\"0.0.0.0/0\":" + SonicRing.frr("10.7.7.1", "eth0") + ", \"192.168.2.128/25\":" +
            SonicRing.frr("10.0.0.1", "Ethernet0") + ", \"192.168.2.0/24\":" + SonicRing.frr("10.0.2.0", "Ethernet4") +
            "}");
        SonicRing.edit(folder, 2, "\"Ethernet8|192.168.2.1/24\": {},", "\"Ethernet8|192.168.2.1/25\": {},");
        final List<String> lines = check().findings().stream().map(each -> each.place() + " " + each.text()).toList();
        assertEquals(List.of(
            "leaf0 not all paths arrive to 192.168.1.0/24: route 0.0.0.0/0 leaves the fabric through eth0"), lines);
    }

    @Test
    void shouldNameRoutesThatDiscard() throws IOException
    {
        final Path dump = folder.resolve("leaf0").resolve(RouteDumpReader.IPV4_FILE);
        Files.writeString(dump, "{\"192.168.0.0/16\": [{\"protocol\": \"static\", \"selected\": true, " +
            "\"nexthops\": [{\"fib\": true, \"unreachable\": true, \"blackhole\": true, \"active\": true}]}]}");
        assertEquals(List.of("not all paths arrive to 192.168.1.0/24: route 192.168.0.0/16 discards",
            "not all paths arrive to 192.168.2.0/24: route 192.168.0.0/16 discards"),
            check().findings().stream().map(Finding::text).toList());
    }

    @Test
    void shouldUseStaticRoutesIfThereIsNoDump() throws IOException
    {
        for (int node = 0; node < SonicRing.SWITCHES; node++)
        {
            SonicRing.deleteFrrRoutes(folder, node);
        }
        assertNull(check().isAcyclic());
        assertEquals(3, check().findings().size());
        for (int node = 0; node < SonicRing.SWITCHES; node++)
        {
            SonicRing.edit(folder, node, "\"SYSLOG_SERVER\"", "\"STATIC_ROUTE\": {" +
                "\"192.168.0.0/16\": {\"nexthop\": \"10.0." + node + ".1,10.0.9.9\", \"distance\": \"1,200\"}, " +
                "\"default|fd00:168::/32\": {\"ifname\": \"Ethernet0\", \"nexthop\": \"0.0.0.0\"}, " +
                "\"Vrf_a|192.168.1.0/24\": {\"blackhole\": \"true\"}},\n\"SYSLOG_SERVER\"");
        }
        final SonicCheck check = check();
        assertFalse(check.isAcyclic());
        assertEquals(1, check.findings().size(), check.findings().toString());
        assertEquals("STATIC_ROUTE of its configuration", check.routeSources().get("leaf2"));
    }

    @Test
    void shouldTreatAPortChannelAsOneLink() throws IOException
    {
        bundle(0, "Ethernet0");
        bundle(1, "Ethernet4");
        for (final String name : List.of(RouteDumpReader.IPV4_FILE, RouteDumpReader.IPV6_FILE))
        {
            final Path dump = folder.resolve("leaf0").resolve(name);
            Files.writeString(dump, Files.readString(dump).replace("\"Ethernet0\"", "\"PortChannel1\""));
            final Path other = folder.resolve("leaf1").resolve(name);
            Files.writeString(other, Files.readString(other).replace("\"Ethernet4\"", "\"PortChannel1\""));
        }
        final SonicCheck check = check();
        assertEquals(List.of(), check.findings());
        assertEquals("PortChannel1", SonicSite.read(folder).fabric().portName(0));
    }

    private void bundle(final int node, final String port) throws IOException
    {
        SonicRing.edit(folder, node, "\"" + port + "|10.", "\"PortChannel1|10.");
        SonicRing.edit(folder, node, "\"" + port + "|fd00", "\"PortChannel1|fd00");
        SonicRing.edit(folder, node, "\"SYSLOG_SERVER\"",
            "\"PORTCHANNEL_MEMBER\": {\"PortChannel1|" + port + "\": {}},\n\"SYSLOG_SERVER\"");
    }

    @ParameterizedTest
    @CsvSource(delimiter = ';', quoteCharacter = '`', value = {
        "error; pfc; leaf0 Ethernet0 - leaf1 Ethernet4; `\"pfc_enable\": \"3,4\"`; `\"pfc_enable\": \"3\"`; " +
            "PFC is on for priorities 3 and 3,4",
        "error; pfc; leaf0 Ethernet0 - leaf1 Ethernet4; `\"26\": \"3\"`; `\"26\": \"1\"`; has DSCP 3 and 3,26",
        "error; pfc; leaf0 Ethernet0; `\"3\": \"3\", \"4\": \"4\", \"26\": \"3\"`; `\"4\": \"4\"`; " +
            "no DSCP is mapped to lossless priority 3",
        "error; pfc; leaf0 Ethernet0; `\"1\": \"0\", \"3\": \"3\", \"4\": \"4\", \"6\": \"0\"`; " +
            "`\"3\": \"0\", \"4\": \"4\"`; traffic class 3 is in queue 3 of priority 3, but in priority group 0",
        "error; pfc; leaf0 Ethernet0; `\"1\": \"1\", \"3\": \"3\"`; `\"3\": \"5\"`; no traffic class is in queue 3",
        "error; watchdog; leaf0 Ethernet4; `\"Ethernet4\": {\"action\"`; `\"Ethernet12\": {\"action\"`; " +
            "PFC_WD has no entry",
        "error; watchdog; leaf0 Ethernet0; `\"POLL_INTERVAL\": \"200\"`; `\"POLL_INTERVAL\": \"300\"`; " +
            "is below the poll interval of 300 ms",
        "error; watchdog; leaf0 Ethernet0; `\"pfcwd_sw_enable\": \"3,4\"`; `\"pfcwd_sw_enable\": \"4\"`; " +
            "pfcwd_sw_enable lacks lossless priority 3",
        "warning; watchdog; leaf0 Ethernet0; `, \"pfcwd_sw_enable\": \"3,4\"`; ``; from 202205",
        "error; headroom; leaf0 Ethernet0; `\"xoff\": \"80896\"`; `\"xoff\": \"80895\"`; " +
            "xoff of 80895 bytes in profile pg_lossless_100000_40m_profile is below the 80896",
        "error; headroom; leaf0 Ethernet8; `\"Ethernet8\": \"40m\"`; `\"Ethernet8\": \"300m\"`; below the 144384",
        "error; headroom; leaf0 Ethernet8; `\"Ethernet8\": \"40m\"`; `\"Ethernet8\": \"0m\"`; cable length is 0m",
        "warning; headroom; leaf0 Ethernet8; `, \"Ethernet8\": \"40m\"`; ``; the cable length is not configured",
        "error; headroom; leaf0 Ethernet0; `\"size\": \"100352\"`; `\"size\": \"80000\"`; reserves 80000 bytes",
        "error; headroom; leaf0 Ethernet0; `\"size\": \"10000000\"`; `\"size\": \"10000000\", \"xoff\": \"80000\"`; " +
            "shared headroom of pool ingress_lossless_pool has 80000 bytes",
        "error; headroom; leaf0 Ethernet8; " +
            "`\"Ethernet8|3-4\": {\"profile\": \"[BUFFER_PROFILE|pg_lossless_100000_40m_profile]\"}`; " +
            "`\"Ethernet8|3-4\": {\"profile\": \"ingress_lossy_profile\"}`; has no xoff",
        "warning; headroom; leaf0 Ethernet0 - leaf1 Ethernet4; `\"Ethernet0\": \"40m\"`; `\"Ethernet0\": \"30m\"`; " +
            "cable lengths are 30 m and 40 m",
        "error; headroom; leaf0 Ethernet0 - leaf1 Ethernet4; `\"lanes\": \"0,1,2,3\", \"speed\": \"100000\"`; " +
            "`\"speed\": \"50000\"`; speeds are 50G and 100G",
        "error; ecn; leaf0 Ethernet0; `\"green_min_threshold\": \"250000\", \"green_max_threshold\": \"1000000\"`; " +
            "`\"green_min_threshold\": \"7000000\", \"green_max_threshold\": \"8000000\"`; PFC before ECN",
        "warning; ecn; leaf0 Ethernet0; `\"green_min_threshold\": \"250000\", \"green_max_threshold\": \"1000000\"`; " +
            "`\"green_min_threshold\": \"5000000\", \"green_max_threshold\": \"8000000\"`; when queue 3 has 5000000",
        "error; ecn; leaf0 Ethernet0; `\"red_max_threshold\": \"1000000\"`; `\"red_max_threshold\": \"1\"`; swap them",
        "warning; ecn; leaf0 Ethernet8; `\"Ethernet8|3-4\": {\"wred_profile\": \"AZURE_LOSSLESS\"}`; " +
            "`\"Ethernet8|0\": {}`; does not mark ECN",
        "error; ecn; leaf0 Ethernet0; `\"size\": \"100352\", \"dynamic_th\": \"0\"`; " +
            "`\"size\": \"100352\", \"static_th\": \"125000\"`; two ingress ports are paused when queue 3 has 250000",
        "error; deadlock; leaf0 Ethernet0; `\"SYSLOG_SERVER\"`; " +
            "`\"VLAN_MEMBER\": {\"Vlan10|Ethernet0\": {}}, \"SYSLOG_SERVER\"`; frames are switched",
    })
    void shouldFind(
        final String level, final String subject, final String place, final String text, final String other,
        final String expected) throws IOException
    {
        SonicRing.edit(folder, 0, text, other == null ? "" : other);
        final List<Finding> findings = check().findings();
        assertTrue(findings.stream().anyMatch(each -> each.isError() == level.equals("error") &&
            each.subject().equals(subject) && each.place().equals(place) && each.text().contains(expected)),
            findings.toString());
        assertTrue(findings.stream().allMatch(each -> each.place().startsWith("leaf0 ") ||
            each.place().contains("leaf0 ")), findings.toString());
    }

    @Test
    void shouldLeaveHeadroomToADynamicBufferModel() throws IOException
    {
        SonicRing.edit(folder, 1, "\"type\": \"ToRRouter\"", "\"type\": \"ToRRouter\", \"buffer_model\": \"dynamic\"");
        SonicRing.edit(folder, 1, "\"profile\": \"pg_lossless_100000_40m_profile\"", "\"profile\": \"NULL\"");
        assertEquals(List.of(), check().findings());
    }

    /** The clockwise path of leaf0 has a priority of its own, so no priority has a turn at every switch. */
    @Test
    void shouldFollowEachLaneAlone() throws IOException
    {
        SonicRing.writeFrrRoutes(folder, true);
        assertEquals(List.of(), check(new Lanes(2, new int[]{0, 1, 1})).findings());
        final SonicCheck refuted = check(new Lanes(2, new int[]{1, 1, 1}));
        assertEquals(3, refuted.cycle().size());
        assertTrue(refuted.findings().get(0).text().contains("3 links in lane 1"), "" + refuted.findings());
    }

    @Test
    void shouldNeedALosslessPriorityForEachLane()
    {
        final SonicCheck check = check(new Lanes(3, new int[]{0, 1, 2}));
        assertEquals(1, check.findings().size());
        assertTrue(check.findings().get(0).text().contains("priorities 3,4, but the plan has 3 lanes"),
            "" + check.findings());
    }

    /** Checks with a formula that the user has not chosen. */
    private SonicCheck checkByDefault()
    {
        return SonicCheck.of(SonicSite.read(folder), new Lanes(1, new int[SonicRing.SWITCHES]),
            new HeadroomRule(HeadroomModel.SONIC, 0, false));
    }

    private SonicCheck check()
    {
        return check(Lanes.one(SonicSite.read(folder).fabric()));
    }

    private SonicCheck check(final Lanes lanes)
    {
        return SonicCheck.of(SonicSite.read(folder), lanes, HEADROOM);
    }
}
