package org.fibnuma.binding.afxdp;

import org.agrona.CloseHelper;
import org.fibnuma.binding.bpf.XdpAction;
import org.fibnuma.core.Require;
import org.fibnuma.core.flow.FlowTable;
import org.fibnuma.core.flow.FlowTuple;
import org.fibnuma.core.frame.FramePool;
import org.fibnuma.core.kernel.Transit;
import org.fibnuma.core.memory.MemoryRegion;
import org.fibnuma.core.port.PortFilter;
import org.fibnuma.core.port.PortSettings;
import org.fibnuma.core.wire.IpAddress;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Runs the program in the kernel on single frames, which are written as hex, with flows in its table. */
class FlowProgramSystemTest
{
    private static final long MAC = 0x0200_0000_0001L;
    private static final String US = "020000000001";
    private static final String FROM = "0200000000fe";
    private static final int PORT = 3;
    private static final int OTHER_PORT = 4;
    private static final int CAPACITY = 5_000;

    private static final int CHUNK_SIZE = 2048;
    private static final int CHUNKS = 128;

    private final MemoryRegion region = MemoryRegion.ofChunks(CHUNKS, CHUNK_SIZE);
    private XdpSocket socket;
    private BpfFlowMemory memory;
    private FlowTable table;
    private InterfaceRecognition interfaces;
    private TransitProgram program;
    private FlowProgram flows;

    @BeforeEach
    void load()
    {
        Require.root();
        socket = new XdpSocket(
            new FramePool(region, CHUNK_SIZE, 0, CHUNKS), new PortSettings(64, 64, 0, 64, true));
        memory = BpfFlowMemory.allocate(CAPACITY);
        table = new FlowTable(memory, CAPACITY, 0x1234_5678_9ABC_DEF1L);
        final PortFilter filter = PortFilter.TRANSIT.withIpv6();
        interfaces = new InterfaceRecognition(MAC, PORT, filter);
        program = new TransitProgram(interfaces, 1, null, null, filter);
        program.socket(0, socket.fd());
        flows = new FlowProgram(table, memory, interfaces, program.sockets());
        program.flows(flows);
        interfaces.takeTransit(Transit.FLOWS, Transit.FLOWS);
    }

    @AfterEach
    void close()
    {
        CloseHelper.closeAll(flows, program, interfaces, memory, socket, region);
    }

    @Test
    void shouldTakeOnlyPacketsOfFlowsByTheirInterface()
    {
        final FlowTuple original = tuple("10.0.0.5", "198.51.100.7", 6, 0xCF08, 80);
        final FlowTuple reply = tuple("198.51.100.7", "203.0.113.1", 6, 80, 0x1234);
        assertEquals(XdpAction.PASS, run(tcp(original, "10", "")));

        final int flow = table.add(original, PORT, OTHER_PORT, reply, OTHER_PORT, PORT);

        assertEquals(XdpAction.REDIRECT, run(tcp(original, "10", "")));
        assertEquals(XdpAction.PASS, run(tcp(reply, "10", "")), "the reply by the port of the initiator");
        interfaces.takeVlan(OTHER_PORT, 0x8100_0064L, MAC, Transit.FLOWS, Transit.FLOWS);
        interfaces.vlanCount(1);
        assertEquals(XdpAction.REDIRECT, run(tagged(tcp(reply, "10", ""))), "the reply by the other interface");
        assertEquals(XdpAction.PASS, run(tagged(tcp(original, "10", ""))));
        assertEquals(XdpAction.PASS, run(tcp(tuple("10.0.0.5", "198.51.100.7", 6, 0xCF09, 80), "10", "")));
        assertEquals(XdpAction.PASS, run(udp(original)), "another protocol");
        table.remove(flow);
        assertEquals(XdpAction.PASS, run(tcp(original, "10", "")));
    }

    @Test
    void shouldLeaveToTheKernelWhatMayChangeAConnection()
    {
        final FlowTuple original = tuple("10.0.0.5", "198.51.100.7", 6, 0xCF08, 80);
        final int flow = table.add(original, PORT, OTHER_PORT, original.inverse(), OTHER_PORT, PORT);
        final String ack = tcp(original, "10", "");

        assertEquals(XdpAction.PASS, run(tcp(original, "02", "")), "SYN");
        assertEquals(XdpAction.PASS, run(tcp(original, "12", "")), "SYN and ACK");
        assertEquals(XdpAction.PASS, run(tcp(original, "00", "")), "no ACK");
        assertEquals(XdpAction.PASS, run(tcp(original, "01", "")), "FIN without ACK");
        assertEquals(XdpAction.PASS, run(tcp(original, "06", "")), "SYN and RST");
        assertEquals(XdpAction.PASS, run(ack.substring(0, ack.length() - 2)), "short TCP header");
        assertEquals(XdpAction.PASS, run(replace(ack, 46, "40")), "TCP header of 16 bytes");
        assertEquals(XdpAction.PASS, run(replace(ack, 46, "60")), "TCP header longer than the packet");
        assertEquals(XdpAction.REDIRECT, run(replace(tcp(original, "10", "01010101"), 46, "60")), "TCP options");
        assertEquals(XdpAction.PASS, run(replace(ack, 14, "46")), "options");
        assertEquals(XdpAction.PASS, run(replace(ack, 20, "2000")), "first fragment");
        assertEquals(XdpAction.PASS, run(replace(ack, 20, "0001")), "later fragment");
        assertEquals(XdpAction.REDIRECT, run(replace(ack, 20, "4000")), "DF");
        assertEquals(XdpAction.PASS, run(replace(ack, 22, "01")), "TTL 1");
        assertEquals(XdpAction.REDIRECT, run(replace(ack, 22, "02")), "TTL 2");
        assertEquals(XdpAction.PASS, run(replace(ack, 0, "02000000ffff")), "another host");
        assertTrue(table.isValid(flow));
        assertEquals(XdpAction.PASS, run(tcp(original, "11", "")), "FIN");
        assertFalse(table.isValid(flow));
        assertEquals(XdpAction.PASS, run(ack), "after FIN");
    }

    @Test
    void shouldLeaveDatagramsOfAWrongLengthToTheKernel()
    {
        final FlowTuple original = tuple("2001:db8::5", "2001:db8:1::7", 17, 0xCF08, 53);
        table.add(original, PORT, OTHER_PORT, original.inverse(), OTHER_PORT, PORT);
        final String datagram = udp(original);
        assertEquals(XdpAction.REDIRECT, run(datagram));
        assertEquals(XdpAction.PASS, run(replace(datagram, 58, "0007")));
        assertEquals(XdpAction.PASS, run(replace(datagram, 58, "0009")));
        assertEquals(XdpAction.PASS, run(replace(datagram, 58, "ffff")));
        assertEquals(XdpAction.REDIRECT, run(replace(datagram + "00", 58, "0008")));
    }

    @Test
    void shouldEndBothDirectionsAfterRst()
    {
        final FlowTuple original = tuple("2001:db8::5", "2001:db8:1::7", 6, 0xCF08, 80);
        final int flow = table.add(original, PORT, PORT, original.inverse(), PORT, PORT);
        assertEquals(XdpAction.REDIRECT, run(tcp(original, "10", "")));
        assertEquals(XdpAction.REDIRECT, run(tcp(original.inverse(), "10", "")));

        assertEquals(XdpAction.PASS, run(tcp(original.inverse(), "14", "")));

        assertFalse(table.isValid(flow));
        assertEquals(XdpAction.PASS, run(tcp(original, "10", "")));
        assertEquals(XdpAction.PASS, run(tcp(original.inverse(), "10", "")));
    }

    @Test
    void shouldTakeEchoByIdentifierAndDataOfSctp()
    {
        final FlowTuple echo = tuple("10.0.0.5", "198.51.100.7", 1, 0x0102, 0x0800);
        final FlowTuple echo6 = tuple("2001:db8::5", "2001:db8:1::7", 58, 0x0102, 0x8000);
        final FlowTuple sctp = tuple("10.0.0.5", "198.51.100.7", 132, 5, 6);
        for (final FlowTuple tuple : List.of(echo, echo6, sctp))
        {
            table.add(tuple, PORT, PORT, tuple.inverse(), PORT, PORT);
        }

        assertEquals(XdpAction.REDIRECT, run(packet(echo, "0800abcd01020001")));
        assertEquals(XdpAction.REDIRECT, run(packet(echo.inverse(), "0000abcd01020001")));
        assertEquals(XdpAction.PASS, run(packet(echo, "0800abcd01030001")));
        assertEquals(XdpAction.PASS, run(packet(echo, "0300abcd01020001")));
        assertEquals(XdpAction.REDIRECT, run(packet(echo6, "8000abcd01020001")));
        assertEquals(XdpAction.REDIRECT, run(packet(echo6.inverse(), "8100abcd01020001")));
        assertEquals(XdpAction.PASS, run(packet(echo6, "8800abcd01020001")));
        assertEquals(XdpAction.REDIRECT, run(packet(sctp, "000500060000000000000000" + "00030010")));
        assertEquals(XdpAction.PASS, run(packet(sctp, "000500060000000000000000" + "07000008")), "SHUTDOWN");
    }

    /** Full buckets too: the program must find every direction that the table has, and no other. */
    @Test
    void shouldFindWhatTheTableFinds()
    {
        final Random random = new Random(1);
        final List<FlowTuple> present = new ArrayList<>();
        for (int i = 0; i < CAPACITY; i++)
        {
            final FlowTuple tuple = random.nextBoolean() ?
                tuple("10.0." + random.nextInt(256) + "." + random.nextInt(256), "198.51.100." + random.nextInt(256),
                17, random.nextInt(65_536), random.nextInt(65_536)) :
                new FlowTuple(0x2001_0DB8_0000_0000L, random.nextLong(), 0x2001_0DB8_0000_0001L, random.nextLong(), 17,
                random.nextInt(65_536), random.nextInt(65_536));
            if (table.add(tuple, PORT, PORT, tuple.inverse(), PORT, PORT) > 0)
            {
                present.add(tuple);
            }
        }
        assertTrue(present.size() > CAPACITY * 0.99, present.size() + " flows");
        for (final FlowTuple tuple : present)
        {
            assertEquals(XdpAction.REDIRECT, run(udp(tuple)), tuple.toString());
            assertEquals(XdpAction.REDIRECT, run(udp(tuple.inverse())), tuple.toString());
            final FlowTuple other = new FlowTuple(tuple.sourceHigh(), tuple.sourceLow(), tuple.destinationHigh(),
                tuple.destinationLow(), 17, tuple.sourcePort() ^ 1 << random.nextInt(16), tuple.destinationPort());
            if (table.flowOf(other) == FlowTable.NONE && table.flowOf(other.inverse()) == FlowTable.NONE)
            {
                assertEquals(XdpAction.PASS, run(udp(other)), other.toString());
            }
        }
    }

    private int run(final String frame)
    {
        return program.program().testRun(HexFormat.of().parseHex(frame)).action();
    }

    private static FlowTuple tuple(
        final String source, final String destination, final int protocol, final int sourcePort, final int port)
    {
        final IpAddress from = IpAddress.parse(source);
        final IpAddress to = IpAddress.parse(destination);
        return new FlowTuple(from.high(), from.low(), to.high(), to.low(), protocol, sourcePort, port);
    }

    private static String udp(final FlowTuple tuple)
    {
        return packet(withProtocol(tuple, 17),
            String.format("%04x%04x00080000", tuple.sourcePort(), tuple.destinationPort()));
    }

    private static String tcp(final FlowTuple tuple, final String flags, final String payload)
    {
        return packet(tuple, String.format("%04x%04x", tuple.sourcePort(), tuple.destinationPort()) +
            "0000000100000001" + "50" + flags + "0400" + "00000000" + payload);
    }

    private static FlowTuple withProtocol(final FlowTuple tuple, final int protocol)
    {
        return new FlowTuple(tuple.sourceHigh(), tuple.sourceLow(), tuple.destinationHigh(), tuple.destinationLow(),
            protocol, tuple.sourcePort(), tuple.destinationPort());
    }

    private static String packet(final FlowTuple tuple, final String transport)
    {
        final int length = transport.length() / 2;
        return US + FROM + (tuple.isIpv6() ?
            "86dd60000000" + String.format("%04x%02x40%016x%016x%016x%016x", length, tuple.protocol(),
            tuple.sourceHigh(), tuple.sourceLow(), tuple.destinationHigh(), tuple.destinationLow()) :
            "08004500" + String.format("%04x0000000040%02x0000%08x%08x", 20 + length, tuple.protocol(),
            (int)tuple.sourceLow(), (int)tuple.destinationLow())) + transport;
    }

    private static String tagged(final String frame)
    {
        return frame.substring(0, 24) + "81000064" + frame.substring(24);
    }

    private static String replace(final String frame, final int offset, final String bytes)
    {
        return frame.substring(0, 2 * offset) + bytes + frame.substring(2 * offset + bytes.length());
    }
}
