package org.fibnuma.fabric.topology;

import org.fibnuma.core.UserException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Two leaves and a spine in the forms of NetBox, and damaged files. */
class NetBoxReaderTest
{
    private static final String CABLES =
        "\uFEFFID,Label,Device A,Termination A,Device B,Termination B,Status,Type\r\n" +
        "1,,leaf1,Ethernet0,spine1,Ethernet0,Connected,AOC\r\n" +
        "2,\"a \"\"b\"\",\n c\",spine1,Ethernet4,leaf2,Ethernet0,Connected,AOC\r\n" +
        "3,,leaf1,Ethernet8,host1,eth0,Connected,DAC\r\n" +
        "4,,host2,eth0,leaf2,Ethernet8,Connected,DAC\r\n" +
        "5,,leaf1,Ethernet4,leaf2,Ethernet4,Planned,DAC\r\n";

    @TempDir
    private Path folder;

    @Test
    void shouldReadTheExportOfCables() throws IOException
    {
        final Fabric fabric = read(CABLES);
        assertEquals(3, fabric.switchCount());
        assertEquals(4, fabric.channelCount());
        assertEquals(2, fabric.serverCount());
        assertEquals("host1", fabric.serverName(0));
        final int channel = fabric.firstChannel(fabric.switchNamed("leaf2"));
        assertEquals("Ethernet0", fabric.portName(channel));
        assertEquals("Ethernet4", fabric.portName(fabric.reverse(channel)));
        assertEquals("spine1", fabric.switchName(fabric.target(channel)));
    }

    @Test
    void shouldReadOtherForms() throws IOException
    {
        assertEquals(4, read("side_a_device,side_a_type,side_a_name,side_b_device,side_b_type,side_b_name\n" +
            "leaf1,dcim.interface,e0,spine1,dcim.interface,e0\nleaf2,dcim.interface,e0,spine1,dcim.interface,e1\n" +
            "leaf1,dcim.interface,e1,h1,dcim.interface,eth0\nleaf2,dcim.interface,e1,h2,dcim.interface,eth0")
            .channelCount());
        assertEquals(2, read("Device A,Interface A,Reachable,Device B,Interface B\n" +
            "a,e0,True,b,e0\na,e1,True,h1,eth0\nb,e1,True,h2,eth0\n").channelCount());
    }

    @Test
    void shouldUseRolesOfDevices() throws IOException
    {
        final String both = CABLES + "6,,host1,eth1,leaf2,Ethernet12,Connected,DAC\r\n";
        assertEquals(4, read(both).switchCount());
        Files.writeString(folder.resolve("devices.csv"), "Name,Status,Role\nleaf1,Active,Leaf\nleaf2,Active,Leaf\n" +
            "spine1,Active,Spine\nhost1,Active,GPU server\nhost2,Active,GPU server\n");
        final Fabric fabric = read(both);
        assertEquals(3, fabric.switchCount());
        assertEquals(3, fabric.serverCount());
        Files.writeString(folder.resolve("devices.csv"), "Name,Status\n");
        assertFault("devices.csv:1: has no columns Name and Role", both);
        Files.writeString(folder.resolve("devices.csv"), "Name,Role\nleaf1,server\nhost1,server\n");
        assertFault("cables.csv:5: connects two servers", both);
    }

    /** Rows of an export without types, and names that two sites have. */
    @Test
    void shouldLeaveOutPowerConsolesAndCircuits() throws IOException
    {
        final Fabric fabric = read("ID,Device A,Termination A,Site A,Device B,Termination B,Site B,Status,Type\n" +
            "1,,Feed A,x,pdu1,Input,x,Connected,Power\n2,leaf1,PSU0,x,pdu1,Outlet 1,x,Connected,\n" +
            "3,leaf1,Ethernet0,x,spine,Ethernet0,x,Connected,AOC\n4,leaf1,Console,x,ts,Port 7,x,Connected,CAT6\n" +
            "5,leaf1,Ethernet0,y,spine,Ethernet4,x,Connected,AOC\n6,spine,Ethernet8,x,,4711,,Connected,SMF\n" +
            "7,leaf1,Ethernet4,x,host1,eth0,x,Connected,DAC\n8,leaf1,Ethernet4,y,host1,eth0,y,Connected,DAC\n" +
            "9,leaf1,Ethernet8,y,leaf1,Ethernet12,y,Connected,DAC\n");
        assertEquals(3, fabric.switchCount());
        assertEquals(4, fabric.channelCount());
        assertEquals("x/host1", fabric.serverName(0));
        assertEquals("y/leaf1", fabric.switchName(fabric.serverSwitch(1)));
        assertEquals(List.of(
            folder + "/cables.csv:10: a cable from device \"y/leaf1\" to itself is left out",
            folder + "/cables.csv: 1 cables of circuits, power feeds or other ends without a device are left out",
            folder + "/cables.csv: 3 cables of power or consoles are left out"), fabric.leftOut());
    }

    /** A cable through two panels, whose front and rear ports have the same names. */
    @Test
    void shouldPassPatchPanels() throws IOException
    {
        final String header = "side_a_device,side_a_type,side_a_name,side_b_device,side_b_type,side_b_name\n";
        final Fabric fabric = read(header +
            "leaf1,dcim.interface,e0,pp1,dcim.frontport,1\npp1,dcim.rearport,1,pp2,dcim.rearport,1\n" +
            "pp2,dcim.frontport,1,spine,dcim.interface,e0\nleaf1,dcim.interface,e7,pp1,dcim.frontport,2\n" +
            "leaf2,dcim.interface,e0,spine,dcim.interface,e1\nleaf1,dcim.interface,e1,h1,dcim.interface,eth0\n" +
            "leaf2,dcim.interface,e1,h2,dcim.interface,eth0\nleaf2,dcim.powerport,e2,h2,dcim.poweroutlet,x\n" +
            "leaf2,dcim.interface,e3,far,circuits.circuittermination,A\n");
        assertEquals(3, fabric.switchCount());
        assertEquals(4, fabric.channelCount());
        assertEquals("e0", fabric.portName(fabric.firstChannel(fabric.switchNamed("leaf1"))));
        assertEquals("spine", fabric.switchName(fabric.target(fabric.firstChannel(fabric.switchNamed("leaf1")))));
        assertTrue(fabric.leftOut().contains(
            folder + "/cables.csv:5: the cable of leaf1 e7 ends at a patch panel; it is left out"),
            fabric.leftOut().toString());
        Files.writeString(folder.resolve("devices.csv"), "Name,Role\npanel,Patch panel\nh1,Server\nh2,Server\n");
        assertEquals(2, read("Device A,Termination A,Device B,Termination B\nleaf1,e0,panel,Front 1\n" +
            "leaf2,e0,panel,Rear 1\nleaf1,e1,h1,eth0\nleaf2,e1,h2,eth0\n").channelCount());
    }

    @ParameterizedTest
    @CsvSource(delimiter = ';', quoteCharacter = '`', value = {
        "`leaf1,Ethernet8`; `leaf1,Ethernet0`; `cables.csv:5: an end of this cable has another cable already`",
        "`host1,eth0`; `host1,\"eth0,eth1\"`; `cables.csv:5: \"eth0,eth1\" are several terminations`",
        "`host1,eth0`; `host1`; `cables.csv:5: has 7 fields, the header 8`",
        "`host1,eth0`; `host1,\"eth0`; `cables.csv:5: a quote is not closed`",
        "`host1,eth0`; `host1,\"eth0\"x`; `cables.csv:5: text follows a closing quote`",
        "`Device B`; `Device A`; `cables.csv:1: column \"Device A\" exists twice`",
        "`Device B`; `Device`; `cables.csv:1: has no columns Device A, Termination A`",
    })
    void shouldRefuse(final String text, final String other, final String expected) throws IOException
    {
        assertFault(expected, CABLES.replace(text, other));
    }

    @Test
    void shouldRefuseDamagedFiles() throws IOException
    {
        // A cut inside a row is a fault; the last field of a row may be cut, and the rows before it are a network.
        for (int length = CABLES.indexOf("1,,leaf1"); length < CABLES.lastIndexOf(",DAC"); length++)
        {
            final String row = CABLES.substring(CABLES.lastIndexOf('\n', length - 1) + 1, length);
            if (!row.isEmpty() && !row.startsWith("2,") && !row.startsWith(" c") && row.split(",", -1).length < 8)
            {
                assertFault("cables.csv:", CABLES.substring(0, length));
            }
        }
        assertFault("cables.csv: no switches", CABLES.substring(0, CABLES.indexOf('\n')));
        assertFault("cables.csv: has more than 64 MiB", CABLES + "6,,a,b,c,d,e,f\n".repeat(7_000_000));
        assertFault("cables.csv:1: column \"\" exists twice", "termination a" + ",".repeat(500));
    }

    private void assertFault(final String expected, final String text)
    {
        final String message = assertThrows(UserException.class, () -> read(text)).getMessage();
        assertTrue(message.contains(expected), message);
        assertEquals(1, message.lines().count());
    }

    private Fabric read(final String text) throws IOException
    {
        Files.writeString(folder.resolve("cables.csv"), text);
        return TopologyReader.read(folder.resolve("cables.csv").toString());
    }
}
