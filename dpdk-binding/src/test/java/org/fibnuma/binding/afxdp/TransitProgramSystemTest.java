package org.fibnuma.binding.afxdp;

import org.fibnuma.binding.bpf.BpfProgram;
import org.fibnuma.binding.bpf.XdpAction;
import org.fibnuma.core.Require;
import org.fibnuma.core.frame.FramePool;
import org.fibnuma.core.memory.MemoryRegion;
import org.fibnuma.core.frame.InterfaceNumber;
import org.fibnuma.core.kernel.Transit;
import org.fibnuma.core.port.PortFilter;
import org.fibnuma.core.port.PortSettings;
import org.fibnuma.core.wire.IpAddress;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.HexFormat;
import java.util.List;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

/** Runs the program in the kernel on frames written by hand (BPF_PROG_TEST_RUN). */
class TransitProgramSystemTest
{
    private static final int CHUNK_SIZE = 2048;
    private static final int CHUNKS = 128;
    private static final long MAC = 0x0200_0000_0001L;
    private static final String US = "020000000001";
    private static final String FROM = "020000000099";
    private static final String SOURCE = "20010db8000000000000000000000099";
    private static final String REMOTE = "20010db8000500000000000000000007";
    private static final PortFilter IPV6 = PortFilter.TRANSIT.withIpv6();

    private final MemoryRegion region = MemoryRegion.ofChunks(CHUNKS, CHUNK_SIZE);
    private XdpSocket socket;
    private InterfaceRecognition interfaces;
    private TransitProgram program;

    @BeforeEach
    void openSocket()
    {
        Require.root();
        socket = new XdpSocket(
            new FramePool(region, CHUNK_SIZE, 0, CHUNKS), new PortSettings(64, 64, 0, 64, true));
    }

    @AfterEach
    void close()
    {
        if (program != null)
        {
            program.close();
            interfaces.close();
        }
        if (socket != null)
        {
            socket.close();
        }
        region.close();
    }

    @Test
    void shouldTakeTransitIpv6()
    {
        load(IPV6);

        assertTaken(ipv6(REMOTE));
        assertTaken(ipv6("fe7fffffffffffffffffffffffffffff"));
        assertTaken(ipv6("fec00000000000000000000000000001"));
        assertTaken(ipv6("feffffffffffffffffffffffffffffff"));
        assertTaken(ipv6("00000000000000000000000000000000"));
        assertTaken(ipv6("00000000000000000000ffff0a000001"));
        assertTaken(ipv4(US, "c6336407"));
    }

    @Test
    void shouldLeaveIpv6ToTheKernelUnlessTheFilterHasIt()
    {
        load(PortFilter.TRANSIT);

        assertPassed(ipv6(REMOTE));
        assertTaken(ipv4(US, "c6336407"));
    }

    @Test
    void shouldLeaveMulticastAndLinkLocalDestinationsToTheKernel()
    {
        load(IPV6);

        assertPassed(ipv6("fe800000000000000000000000000001"));
        assertPassed(ipv6("febfffffffffffffffffffffffffffff"));
        assertPassed(ipv6("ff020000000000000000000000000001"));
        assertPassed(ipv6("ff0e0000000000000000000000000101"));
    }

    @Test
    void shouldLeaveNeighborDiscoveryAndListenerReportsToTheKernel()
    {
        load(IPV6);
        program.localAddress(IpAddress.parse("2001:db8::1"), true);
        final String own = "20010db8000000000000000000000001";

        // Neighbour solicitation to the solicited-node group, and as a probe to the address itself.
        assertPassed("3333ff000001" + FROM + "86dd" +
            header(32, "3a", "ff", SOURCE, "ff0200000000000000000001ff000001") +
            "8700000000000000" + own + "0101" + FROM);
        assertPassed(US + FROM + "86dd" + header(32, "3a", "ff", SOURCE, own) +
            "8700000000000000" + own + "0101" + FROM);
        // Neighbour advertisement to the address that asked.
        assertPassed(US + FROM + "86dd" + header(32, "3a", "ff", SOURCE, own) +
            "8800000060000000" + SOURCE + "0201" + FROM);
        // Router advertisement to all nodes, and to one that asked.
        assertPassed("333300000001" + FROM + "86dd" + header(16, "3a", "ff", "fe80" + "00".repeat(13) + "99",
            "ff020000000000000000000000000001") + "86000000400007080000000000000000");
        assertPassed(US + FROM + "86dd" + header(16, "3a", "ff", "fe80" + "00".repeat(13) + "99",
            "fe80" + "00".repeat(13) + "01") + "86000000400007080000000000000000");
        // Multicast listener report, with a router alert in a hop-by-hop header.
        assertPassed("333300000016" + FROM + "86dd" + header(36, "00", "01", "fe80" + "00".repeat(13) + "99",
            "ff020000000000000000000000000016") + "3a00050200000100" + "8f00000000000001" + "04000000" +
            "ff0200000000000000000001ff000001");
    }

    @Test
    void shouldLeaveTheHostsOwnIpv6AddressesToTheKernel()
    {
        load(IPV6);
        final String last = "20010db8ffff00000000000080000001";
        assertTaken(ipv6(last));

        program.localAddress(IpAddress.parse("2001:db8:ffff::8000:1"), true);
        assertPassed(ipv6(last));
        assertTaken(ipv6("20010db8ffff00000000000080000002"));
        assertTaken(ipv6("20010db8ffff00000000000180000001"));
        assertTaken(ipv6("20010db8fffe00000000000080000001"));

        program.localAddress(IpAddress.parse("2001:db8:ffff::8000:1"), false);
        assertTaken(ipv6(last));
    }

    @Test
    void shouldKeepTheAddressesOfBothFamiliesApart()
    {
        load(IPV6);
        program.localAddress(IpAddress.parse("198.51.100.7"), true);

        assertPassed(ipv4(US, "c6336407"));
        assertTaken(ipv4(US, "c6336408"));
        assertTaken(ipv6("00000000000000000000ffffc6336407"));
    }

    @Test
    void shouldLeaveFramesToOtherMacAddressesToTheKernel()
    {
        load(IPV6);

        assertPassed(ipv6(REMOTE).replaceFirst(US, "020000000002"));
        assertPassed(ipv6(REMOTE).replaceFirst(US, "ffffffffffff"));
        assertPassed(ipv6(REMOTE).replaceFirst(US, "333300000001"));
        interfaces.macAddress(0x0200_0000_0002L);
        assertTaken(ipv6(REMOTE).replaceFirst(US, "020000000002"));
    }

    @Test
    void shouldLeaveAFamilyToTheKernelWhoseTransitIsNotTaken()
    {
        load(IPV6.withMacControl());
        final String ipv4 = ipv4(US, "c6336407");

        interfaces.takeTransit(Transit.ALL, Transit.KERNEL);
        assertTaken(ipv4);
        assertPassed(ipv6(REMOTE));
        assertTaken(tagged("8100", "0000", ipv4));
        assertPassed(tagged("8100", "0000", ipv6(REMOTE)));
        interfaces.takeTransit(Transit.KERNEL, Transit.ALL);
        assertPassed(ipv4);
        assertTaken(ipv6(REMOTE));
        assertPassed(tagged("8100", "0000", ipv4));
        assertTaken(tagged("8100", "0000", ipv6(REMOTE)));
        assertTaken("0180c2000001" + FROM + "8808" + "0101" + "00".repeat(44));

        interfaces.macAddress(0x0200_0000_0002L);
        assertPassed(ipv4.replaceFirst(US, "020000000002"));
        assertTaken(ipv6(REMOTE).replaceFirst(US, "020000000002"));
        interfaces.takeTransit(Transit.ALL, Transit.ALL);
        assertTaken(ipv4.replaceFirst(US, "020000000002"));
        assertPassed(ipv4);
    }

    @Test
    void shouldLeaveTruncatedIpv6ToTheKernel()
    {
        load(IPV6);

        final String whole = US + FROM + "86dd" + header(0, "3b", "40", SOURCE, REMOTE);
        assertEquals(54, whole.length() / 2);
        assertTaken(whole);
        for (int length = 14; length < 54; length++)
        {
            assertPassed(whole.substring(0, 2 * length));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {
        "00 11000502 00000100 0000",
        "2b 11020001 00000000 20010db8 00000000 00000000 00000009",
        "2c 11000001 12345678",
        "32 00000001 00000001",
        "3c 11000104 00000000",
        "3b", "ff", "11 cf0812b5 0008 0000", "3a 80 00 0000 0001 0001"})
    void shouldTakeAnyNextHeader(final String nextHeaderAndBytes)
    {
        load(IPV6);

        final String bytes = nextHeaderAndBytes.substring(2).replace(" ", "");
        assertTaken(US + FROM + "86dd" +
            header(bytes.length() / 2, nextHeaderAndBytes.substring(0, 2), "40", SOURCE, REMOTE) + bytes);
    }

    @ParameterizedTest
    @ValueSource(strings = {"00", "01", "02", "ff"})
    void shouldTakeAnyHopLimit(final String hopLimit)
    {
        load(IPV6);

        assertTaken(US + FROM + "86dd" + header(0, "3b", hopLimit, SOURCE, REMOTE));
    }

    @Test
    void shouldLeaveTaggedFramesToTheKernel()
    {
        load(IPV6);

        assertPassed(tagged("8100", "0000", ipv6(REMOTE)));
        assertPassed(tagged("8100", "0007", ipv6(REMOTE)));
        assertPassed(tagged("88a8", "0007", ipv6(REMOTE)));
    }

    @Test
    void shouldTakeTransitOfAVlan()
    {
        load(IPV6);
        interfaces.takeVlan(7, 0x8100_0064L, MAC, Transit.ALL, Transit.ALL);
        interfaces.vlanCount(1);
        program.localAddress(IpAddress.parse("2001:db8::1"), true);
        program.localAddress(IpAddress.parse("198.51.100.7"), true);

        for (final String frame : List.of(ipv6(REMOTE), ipv4(US, "c6336408")))
        {
            assertTaken(frame);
            assertTaken(tagged("8100", "0064", frame));
            assertTaken(tagged("8100", "f064", frame));
            assertTaken(tagged("8100", "e000", frame));
            assertTaken(tagged("88a8", "e000", frame));
            assertPassed(tagged("88a8", "0064", frame));
            assertPassed(tagged("8100", "0065", frame));
            assertPassed(tagged("8100", "0fff", frame));
            assertPassed(tagged("9100", "0064", frame));
            assertPassed(tagged("8100", "0064", frame).replaceFirst(US, "020000000002"));
            assertPassed(tagged("8100", "0064", tagged("8100", "0064", frame)));
            assertPassed(tagged("8100", "0000", tagged("8100", "0064", frame)));
            assertPassed(tagged("8100", "0064", tagged("8100", "0000", frame)));
        }
        assertPassed(tagged("8100", "0064", ipv4(US, "c6336407")));
        assertPassed(tagged("8100", "0064", ipv4(US, "e0000001")));
        assertPassed(tagged("8100", "0064", ipv4(US, "ffffffff")));
        assertPassed(tagged("8100", "0064", ipv6("20010db8000000000000000000000001")));
        assertPassed(tagged("8100", "0064", ipv6("fe800000000000000000000000000001")));
        assertPassed(tagged("8100", "0064", "ffffffffffff" + FROM + "0806" + "00".repeat(46)));
        assertPassed(tagged("8100", "0064", US + FROM + "0806" + "00".repeat(46)));

        interfaces.leaveVlan(0x8100_0064L);
        assertPassed(tagged("8100", "0064", ipv4(US, "c6336408")));
        interfaces.vlanCount(0);
        assertPassed(tagged("8100", "e000", ipv4(US, "c6336408")));
        assertTaken(ipv4(US, "c6336408"));
    }

    @Test
    void shouldTakeTransitOfAVlanInAnother()
    {
        load(IPV6);
        interfaces.takeVlan(8, 0x88A8_000A_8100_0014L, 0x0200_0000_0007L, Transit.ALL, Transit.KERNEL);
        interfaces.takeVlan(9, 0x8100_000A_8100_0014L, MAC, Transit.KERNEL, Transit.ALL);
        interfaces.vlanCount(2);
        final String ownMac = "020000000007";
        final String ipv4 = ipv4(ownMac, "c6336408");

        assertTaken(tagged("88a8", "f00a", tagged("8100", "f014", ipv4)));
        assertPassed(tagged("88a8", "000a", tagged("8100", "0014", ipv4(US, "c6336408"))));
        assertPassed(tagged("88a8", "000a", tagged("8100", "0014", ipv6(REMOTE).replaceFirst(US, ownMac))));
        assertPassed(tagged("88a8", "0014", tagged("8100", "000a", ipv4)));
        assertPassed(tagged("8100", "0014", tagged("88a8", "000a", ipv4)));
        assertPassed(tagged("88a8", "000a", ipv4));
        assertPassed(tagged("8100", "0014", ipv4));
        assertPassed(tagged("88a8", "000a", tagged("8100", "0014", tagged("8100", "001e", ipv4))));
        assertTaken(tagged("8100", "000a", tagged("8100", "0014", ipv6(REMOTE))));
        assertPassed(tagged("8100", "000a", tagged("8100", "0014", ipv4(US, "c6336408"))));
    }

    @Test
    void shouldTakeTransitOfMacvlans()
    {
        load(IPV6);
        program.localAddress(IpAddress.parse("198.51.100.7"), true);
        final long virtual = 0x0000_5E00_0101L;
        final String mac = "00005e000101";
        interfaces.takeVlan(
            0x40, InterfaceNumber.macvlanIdentity(0, virtual), virtual, Transit.ALL, Transit.KERNEL);
        assertPassed(ipv4(mac, "c6336408"));
        interfaces.vlanCount(1);

        assertTaken(ipv4(mac, "c6336408"));
        assertTaken(tagged("8100", "e000", ipv4(mac, "c6336408")));
        assertTaken(ipv4(US, "c6336408"));
        assertPassed(ipv4(mac, "c6336407"));
        assertPassed(ipv4(mac, "e0000001"));
        assertPassed(ipv6(REMOTE).replaceFirst(US, mac));
        assertPassed(ipv4("00005e000102", "c6336408"));
        assertPassed(ipv4("01005e000101", "c6336408"));
        assertPassed(ipv4("ffffffffffff", "c6336408"));
        assertPassed(tagged("8100", "0064", ipv4(mac, "c6336408")));

        interfaces.takeVlan(0x80, 0x8100_0064L, MAC, Transit.ALL, Transit.ALL);
        interfaces.vlanCount(2);
        assertPassed(tagged("8100", "0064", ipv4(mac, "c6336408")));
        interfaces.takeVlan(
            0xC0, InterfaceNumber.macvlanIdentity(0x80, virtual), virtual, Transit.KERNEL, Transit.ALL);
        interfaces.vlanCount(3);
        assertPassed(tagged("8100", "0064", ipv4(mac, "c6336408")));
        assertTaken(tagged("8100", "0064", ipv6(REMOTE).replaceFirst(US, mac)));
        interfaces.leaveVlan(InterfaceNumber.macvlanIdentity(0, virtual));
        assertPassed(ipv4(mac, "c6336408"));
    }

    @Test
    void shouldLeaveTruncatedTaggedFramesToTheKernel()
    {
        load(IPV6);
        interfaces.takeVlan(10, 0x8100_0064L, MAC, Transit.ALL, Transit.ALL);
        interfaces.takeVlan(11, 0x8100_0064_8100_0064L, MAC, Transit.ALL, Transit.ALL);
        interfaces.vlanCount(2);
        final String once = tagged("8100", "0064", US + FROM + "86dd" + header(0, "3b", "40", SOURCE, REMOTE));
        final String twice = tagged("8100", "0064", once);
        for (final String whole : List.of(once, twice))
        {
            assertTaken(whole);
            for (int length = 14; length < whole.length() / 2; length++)
            {
                assertPassed(whole.substring(0, 2 * length));
            }
        }
    }

    @Test
    void shouldTakePriorityTaggedIpv6WithFlowControl()
    {
        load(IPV6.withMacControl());
        program.localAddress(IpAddress.parse("2001:db8::1"), true);

        assertTaken(tagged("8100", "0000", ipv6(REMOTE)));
        assertTaken(tagged("8100", "e000", ipv6(REMOTE)));
        assertTaken(tagged("8100", "e000", ipv4(US, "c6336407")));
        assertTaken(ipv6(REMOTE));
        assertTaken("0180c2000001" + FROM + "8808" + "0101" + "00".repeat(44));
        assertPassed(tagged("8100", "e007", ipv6(REMOTE)));
        assertPassed(tagged("8100", "0000", ipv6("20010db8000000000000000000000001")));
        assertPassed(tagged("8100", "0000", ipv6("fe800000000000000000000000000001")));
        final String whole = tagged("8100", "0000", US + FROM + "86dd" + header(0, "3b", "40", SOURCE, REMOTE));
        assertTaken(whole);
        assertPassed(whole.substring(0, whole.length() - 2));
    }

    @Test
    void shouldTakeOnlyPriorityTaggedIpv4UnlessTheFilterHasIpv6()
    {
        load(PortFilter.TRANSIT.withMacControl());

        assertPassed(tagged("8100", "0000", ipv6(REMOTE)));
        assertTaken(tagged("8100", "0000", ipv4(US, "c6336407")));
    }

    @Test
    void shouldRefuseAFilterForOneAddressAndTransitIpv6()
    {
        assertThrows(IllegalArgumentException.class, () -> PortFilter.onlyTo(0x0A00_0001).withIpv6());
    }

    private void load(final PortFilter filter)
    {
        interfaces = new InterfaceRecognition(MAC, 0, filter);
        program = new TransitProgram(interfaces, 1, null, null, filter);
        program.socket(0, socket.fd());
    }

    private void assertTaken(final String frame)
    {
        assertEquals(XdpAction.REDIRECT, run(frame), frame);
    }

    private void assertPassed(final String frame)
    {
        assertEquals(XdpAction.PASS, run(frame), frame);
    }

    private int run(final String frame)
    {
        final byte[] bytes = HexFormat.of().parseHex(frame);
        final BpfProgram.TestResult result = program.program().testRun(bytes);
        assertArrayEquals(bytes, result.frame());
        return result.action();
    }

    private static String ipv6(final String destination)
    {
        return US + FROM + "86dd" + header(8, "11", "40", SOURCE, destination) + "cf0812b500080000";
    }

    private static String header(final int payloadLength, final String nextHeader, final String hopLimit,
        final String source, final String destination)
    {
        return "60000000" + String.format("%04x", payloadLength) + nextHeader + hopLimit + source + destination;
    }

    private static String ipv4(final String mac, final String destination)
    {
        return mac + FROM + "0800" + "4500001c00000000401100000a4d0002" + destination + "cf0812b500080000";
    }

    private static String tagged(final String type, final String tag, final String frame)
    {
        return frame.substring(0, 24) + type + tag + frame.substring(24);
    }
}
