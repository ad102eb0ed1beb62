package org.fibnuma.fabric.topology;

import org.fibnuma.core.UserException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Every form of topology, and faults reported in one line with file and line. */
class TopologyReaderTest
{
    private static final String IBSIM = "Hca\t1 \"H0\"\n[1]\t\"S0\"[1]\n\nHca\t1 \"H1\"\n[1]\t\"S1\"[1]\n\n" +
        "Switch\t3 \"S0\"\n[1]\t\"H0\"[1]\n[2]\t\"S1\"[2]\n[3]\t\"S1\"[3]\n\n" +
        "Switch\t3 \"S1\"\n[1]\t\"H1\"[1]\n[2]\t\"S0\"[2]\n[3]\t\"S0\"[3]\n";
    private static final String DISCOVERED = "switchguid=0x200008(200008)\n" +
        "Switch\t4 \"S-0000000000200008\"\t\t# \"leaf one\" base port 0 lid 13 lmc 0\n" +
        "[1]\t\"H-0000000000100010\"[1](100011) \t\t# \"H8\" lid 19 4xSDR\n" +
        "[2]\t\"S-0000000000200003\"[4]\t\t# \"S3\" lid 6 4xSDR\n\n" +
        "switchguid=0x200003(200003)\nSwitch\t4 \"S-0000000000200003\"\t\t# \"S3\" base port 0 lid 6 lmc 0\n" +
        "[4]\t\"S-0000000000200008\"[2]\t\t# \"leaf one\" lid 13 4xSDR\n\n" +
        "caguid=0x100010\nCa\t1 \"H-0000000000100010\"\t\t# \"H8\"\n" +
        "[1](100011) \t\"S-0000000000200008\"[1]\t\t# lid 19 lmc 0 \"leaf one\" lid 13 4xSDR\n";

    @TempDir
    private Path folder;

    @Test
    void shouldReadAnEdgeList() throws IOException
    {
        final Fabric fabric = read("# three\n10 9\n9 2 # a remark\n\nservers 9 0\nservers 10 3\n");
        assertEquals("2", fabric.switchName(0));
        assertEquals("10", fabric.switchName(2));
        assertEquals(1, fabric.serversAt(0));
        assertEquals(0, fabric.serversAt(1));
        assertEquals(3, fabric.serversAt(2));
        assertEquals(4, fabric.channelCount());
        assertEquals("2 port 2 -> 9", fabric.describe(fabric.firstChannel(0)));
    }

    @Test
    void shouldReadJson() throws IOException
    {
        final Fabric fabric = read("{\"switches\": [\"a\", {\"name\": \"b\", \"servers\": [\"x\", \"y\"]}],\n" +
            "\"links\": [{\"a\": \"a\", \"b\": \"b\", \"aPort\": 7, \"bPort\": 8}," +
            "{\"a\": \"a\", \"b\": \"b\", \"aPort\": \"eth1\", \"bPort\": \"eth2\"}]}");
        assertEquals(7, fabric.portNumber(0));
        assertEquals("eth2", fabric.portName(fabric.reverse(1)));
        assertEquals("y", fabric.serverName(2));
    }

    @Test
    void shouldReadWhatIbsimReadsWithItsGuids() throws IOException
    {
        final Fabric fabric = read(IBSIM);
        assertEquals(4, fabric.channelCount());
        assertEquals(0x200001, fabric.switchGuid(1));
        assertEquals(0x100001, fabric.serverGuid(0));
        assertEquals(0x100003, fabric.serverGuid(1));
        assertEquals(3, fabric.portNumber(fabric.firstChannel(0) + 1));
    }

    @Test
    void shouldReadWhatIbnetdiscoverPrints() throws IOException
    {
        final Fabric fabric = read(DISCOVERED);
        assertEquals("leaf one", fabric.switchName(0));
        assertEquals(0x200008, fabric.switchGuid(0));
        assertEquals(0x100011, fabric.serverGuid(0));
        assertEquals(0, fabric.serversAt(1));
        assertEquals(4, fabric.portNumber(fabric.firstChannel(1)));
    }

    @Test
    void shouldReadLldpDumps() throws IOException
    {
        final Path dumps = Files.createDirectory(folder.resolve("lldp"));
        Files.writeString(dumps.resolve("sw1.json"), "{\"lldp\": {\"interface\": [" + neighbor("eth1", "sw2", "eth5") +
            "," + neighbor("eth2", "host", "nic") + "]}}");
        Files.writeString(dumps.resolve("sw2.json"), "{\"lldp\": {\"interface\": " + neighbor("eth5", "sw1", "eth1") +
            "}}");
        final Fabric fabric = TopologyReader.read(dumps.toString());
        assertEquals(2, fabric.channelCount());
        assertEquals("eth5", fabric.portName(fabric.firstChannel(1)));
        assertEquals("host", fabric.serverName(0));
        final Path one = folder.resolve("all.json");
        Files.writeString(one, "{\"sw1\": " + Files.readString(dumps.resolve("sw1.json")) + ", \"sw2\": " +
            Files.readString(dumps.resolve("sw2.json")) + "}");
        assertEquals(2, TopologyReader.read(one.toString()).channelCount());
    }

    /**
     * Written by lldpd 1.0.16 of Debian 12 in four namespaces: two cables from leaf1 to spine1, one of them with
     * aliases at both ends, one from leaf2 to spine1's third port, and a host at leaf1.
     */
    @Test
    void shouldReadWhatLldpdWrote() throws Exception
    {
        final Fabric fabric = TopologyReader.read(
            Path.of(getClass().getResource("lldpd-1.0.16/leaf1.json").toURI()).getParent().toString());
        assertEquals(3, fabric.switchCount());
        assertEquals(6, fabric.channelCount());
        assertEquals("host1", fabric.serverName(0));
        assertEquals(fabric.switchNamed("leaf1"), fabric.serverSwitch(0));
        final List<String> cables = new ArrayList<>();
        for (int channel = 0; channel < fabric.channelCount(); channel++)
        {
            cables.add(fabric.switchName(fabric.source(channel)) + ":" + fabric.portName(channel) + " " +
                fabric.switchName(fabric.target(channel)) + ":" + fabric.portName(fabric.reverse(channel)));
        }
        assertEquals(
            List.of("leaf1:swp1 spine1:swp1", "leaf1:swp2 spine1:swp2", "leaf2:swp1 spine1:swp3",
                "spine1:swp1 leaf1:swp1", "spine1:swp2 leaf1:swp2", "spine1:swp3 leaf2:swp1"),
            cables);
    }

    private static String neighbor(final String local, final String name, final String port)
    {
        return "{\"" + local + "\": {\"via\": \"LLDP\", \"chassis\": {\"" + name + "\": {\"id\": {\"type\": \"mac\", " +
            "\"value\": \"02:00:00:00:00:01\"}}}, \"port\": {\"id\": {\"type\": \"ifname\", \"value\": \"" + port +
            "\"}}}}";
    }

    /** Unmanaged switches have no description of their own, and neither have many servers. */
    @Test
    void shouldTellNodesOfOneDescriptionApartByTheirGuids() throws IOException
    {
        final String name = "MT47396 Infiniscale-III Mellanox Technologies";
        final Fabric fabric = read(DISCOVERED.replace("\"leaf one\"", "\"" + name + "\"")
            .replace("\"S3\"", "\"" + name + "\"").replace("[4]\t\"S-0000000000200008\"[2]",
                "[1]\t\"H-0000000000100020\"[1](100021)\t# \"H8\" lid 20 4xSDR\n[4]\t\"S-0000000000200008\"[2]") +
            "\ncaguid=0x100020\nCa\t1 \"H-0000000000100020\"\t\t# \"H8\"\n" +
            "[1](100021) \t\"S-0000000000200003\"[1]\t\t# lid 20 lmc 0 \"" + name + "\" lid 6 4xSDR\n");
        assertEquals(2, fabric.switchCount());
        assertEquals(2, fabric.channelCount());
        assertEquals(name + "@0x0000000000200008", fabric.switchName(0));
        assertEquals(name + "@0x0000000000200003", fabric.switchName(1));
        assertEquals("H8@0x0000000000100010", fabric.serverName(0));
        assertEquals("H8@0x0000000000100020", fabric.serverName(1));
        assertEquals(0x100021, fabric.serverGuid(1));
    }

    /** Servers take the lowest ports that the numbered links leave free. */
    @Test
    void shouldReadTheJsonOfTheGuide() throws IOException
    {
        final Fabric fabric = read("{\"switches\": [\"a\", {\"name\": \"b\", \"servers\": 4}], " +
            "\"links\": [{\"a\": \"a\", \"b\": \"b\", \"aPort\": 1, \"bPort\": 2}]}");
        assertEquals(1, fabric.portNumber(fabric.firstChannel(0)));
        assertEquals(2, fabric.portNumber(fabric.firstChannel(1)));
        assertEquals(List.of(2, 1, 3, 4, 5),
            IntStream.range(0, fabric.serverCount()).mapToObj(fabric::serverPort).toList());
        assertEquals(List.of("H0", "H1", "H2", "H3", "H4"),
            IntStream.range(0, fabric.serverCount()).mapToObj(fabric::serverName).toList());
    }

    @Test
    void shouldLeaveOutACableFromASwitchToItself() throws IOException
    {
        final Fabric edges = read("0 1\n1 1\n");
        assertEquals(2, edges.channelCount());
        assertEquals(List.of(folder.resolve("topology") + ":2: a cable from switch \"1\" to itself is left out"),
            edges.leftOut());
        final Fabric json = read("{\"switches\": [\"a\", \"b\"], \"links\": [{\"a\": \"a\", \"b\": \"b\"},\n" +
            "{\"a\": \"b\", \"b\": \"b\", \"aPort\": 7, \"bPort\": 8}]}");
        assertEquals(2, json.channelCount());
        assertEquals(1, json.leftOut().size());
        final Fabric ib = read(IBSIM.replace("Switch\t3 \"S1\"\n",
            "Switch\t5 \"S1\"\n[4]\t\"S1\"[5]\n[5]\t\"S1\"[4]\n"));
        assertEquals(4, ib.channelCount());
        assertEquals(1, ib.leftOut().size());
    }

    /** What lldpcli prints for neighbours that send no system name, as many network cards do. */
    @Test
    void shouldNameAnLldpNeighbourWithoutANameByItsChassis() throws IOException
    {
        final Path dumps = Files.createDirectory(folder.resolve("unnamed"));
        Files.writeString(dumps.resolve("sw1.json"), "{\"lldp\": {\"interface\": [" +
            neighbor("swp1", "sw2", "swp5") + "," + unnamed("swp2", "b8:59:9f:00:00:01") + "," +
            unnamed("swp3", "b8:59:9f:00:00:02") + "," + neighbor("swp4", "id", "nic") + "]}}");
        Files.writeString(dumps.resolve("sw2.json"), "{\"lldp\":[{\"interface\":[" +
            "{\"name\":\"swp5\",\"via\":\"LLDP\",\"rid\":\"1\",\"chassis\":[{\"id\":[{\"type\":\"mac\",\"value\":" +
            "\"02:00:00:00:00:01\"}],\"name\":[{\"value\":\"sw1\"}]}],\"port\":[{\"id\":[{\"type\":\"mac\"," +
            "\"value\":\"02:00:00:00:00:09\"}],\"descr\":[{\"value\":\"swp1\"}]}]}," +
            "{\"name\":\"swp6\",\"chassis\":[{\"id\":[{\"type\":\"mac\",\"value\":\"b8:59:9f:00:00:03\"}]}]," +
            "\"port\":[{\"id\":[{\"type\":\"mac\",\"value\":\"b8:59:9f:00:00:03\"}],\"ttl\":" +
            "[{\"value\":\"120\"}]}]}]}]}");
        final Fabric fabric = TopologyReader.read(dumps.toString());
        assertEquals(2, fabric.channelCount());
        assertEquals("swp5", fabric.portName(fabric.firstChannel(1)));
        assertEquals(List.of("b8:59:9f:00:00:01", "b8:59:9f:00:00:02", "id", "b8:59:9f:00:00:03"),
            IntStream.range(0, fabric.serverCount()).mapToObj(fabric::serverName).toList());
    }

    @Test
    void shouldLeaveOutManagementPorts() throws IOException
    {
        final Path dumps = Files.createDirectory(folder.resolve("managed"));
        for (int i = 0; i < 4; i++)
        {
            Files.writeString(dumps.resolve("sw" + i + ".json"), "{\"lldp\": {\"interface\": [" +
                neighbor("eth0", "mgmt-sw", "ge-0/0/" + i) + "," +
                neighbor("swp1", "sw" + (i + 1) % 4, "swp2") + "," + neighbor("swp2", "sw" + (i + 3) % 4, "swp1") +
                "," + neighbor("swp3", "host" + i, "nic") + "," + neighbor("swp4", "probe", "p" + i) + "]}}");
        }
        final Fabric fabric = TopologyReader.read(dumps.toString(), Set.of("probe"));
        assertEquals(8, fabric.channelCount());
        assertEquals(List.of("host0", "host1", "host2", "host3"),
            IntStream.range(0, fabric.serverCount()).mapToObj(fabric::serverName).toList());
        assertEquals(8, fabric.leftOut().size());
        assertEquals(dumps + ": sw0: interface eth0 to \"mgmt-sw\" is a management port; it is left out",
            fabric.leftOut().get(0));
        assertEquals(dumps + ": sw0: interface swp4 to \"probe\" is ignored; it is left out", fabric.leftOut().get(1));
        assertEquals(8, TopologyReader.read(dumps.toString()).serverCount());
        assertEquals(4, TopologyReader.read(dumps.toString(), Set.of("swp4")).serverCount());
        assertEquals(4, TopologyReader.read(dumps.toString(), Set.of("sw3", "swp4", "swp1")).channelCount());
    }

    private static String unnamed(final String local, final String mac)
    {
        return "{\"" + local + "\": {\"via\": \"LLDP\", \"chassis\": {\"id\": {\"type\": \"mac\", \"value\": \"" +
            mac + "\"}, \"descr\": \"none\"}, \"port\": {\"id\": {\"type\": \"mac\", \"value\": \"" + mac +
            "\"}, \"ttl\": \"120\"}}}";
    }

    @Test
    void shouldGenerate()
    {
        assertEquals(136, TopologyReader.read("joined-fat-trees:k=4,join=middle").channelCount());
        assertEquals(16, TopologyReader.read("fat-tree:k=4").serverCount());
        assertEquals(60, TopologyReader.read("random:switches=20,ports=6,servers=3,seed=7").serverCount());
    }

    @Test
    void shouldSayInOneLineWhatIsWrong() throws IOException
    {
        assertFault("topology:3: duplicate link 1 0; remove it", "0 1\n1 2\n1 0\n");
        assertFault("topology:2: unknown switch \"7\"; declare it", "0 1\nservers 7 2\n");
        assertFault("topology:1: \"0 1 2 3\" is neither", "0 1 2 3\n");
        assertFault("topology:2: not connected: no path from switch \"0\" to \"2\"", "0 1\n2 3\n");
        assertFault("topology: no switches", "# nothing\n");
        assertFault("topology:2: not JSON", "{\"switches\": [],\n nothing");
        assertFault("topology:1: neither \"switches\"", "{\"nodes\": []}");
        assertFault("topology:4: unknown switch \"c\"",
            "{\"links\": [\n {\"a\": \"a\",\n  \"b\": \"b\"},\n {\"a\": \"a\", \"b\": \"c\"}],\n" +
                "\"switches\": [\"a\", {\"name\": \"b\", \"servers\": [\"x\"]}]}");
        assertFault("topology:2: not connected: no path from switch \"a\" to \"b\"",
            "{\"switches\": [\"a\",\n\"b\"], \"links\": []}");
        assertFault("topology:2: a switch has no \"name\"", "{\"switches\": [\"a\",\n{}], \"links\": []}");
        assertFault("topology:10: unknown node \"S9\"", IBSIM.replace("[3]\t\"S1\"[3]", "[3]\t\"S9\"[3]"));
        assertFault("topology:16: port 2 of switch \"S1\" is used twice (duplicate link)",
            IBSIM + "[2]\t\"S0\"[3]\n");
        assertTrue(assertThrows(UserException.class, () -> TopologyReader.read(folder + "/none")).getMessage()
            .endsWith("none: cannot be read (no such file)"));
        assertTrue(assertThrows(UserException.class, () -> TopologyReader.read("fat-tree:k=5"))
            .getMessage().contains("5 ports"));
        assertTrue(assertThrows(UserException.class, () -> TopologyReader.read("fat-tree:k=4,size=2"))
            .getMessage().endsWith("unknown option \"size\""));
        final Path binary = folder.resolve("binary");
        Files.write(binary, "\u00ff\u00fe".getBytes(StandardCharsets.ISO_8859_1));
        assertTrue(assertThrows(UserException.class, () -> TopologyReader.read(binary.toString())).getMessage()
            .contains("is not text"));
    }

    private void assertFault(final String expected, final String text) throws IOException
    {
        final String message = assertThrows(UserException.class, () -> read(text)).getMessage();
        assertTrue(message.substring(folder.toString().length() + 1).startsWith(expected), message);
        assertEquals(1, message.lines().count());
    }

    private Fabric read(final String text) throws IOException
    {
        final Path file = folder.resolve("topology");
        Files.writeString(file, text);
        return TopologyReader.read(file.toString());
    }
}
