package org.fibnuma.binding.pcap;

import org.fibnuma.binding.libc.StructMemory;
import org.fibnuma.core.Require;
import org.fibnuma.core.UserException;
import org.fibnuma.core.filter.FilterProgram;
import org.fibnuma.core.memory.FrameMemory;
import org.fibnuma.core.memory.MemoryRegion;
import org.fibnuma.core.port.pcap.PcapReader;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Compares the interpreter of core with libpcap's own, {@code pcap_offline_filter}, frame by frame. */
class PcapFilterCompilerTest
{
    private static final int LONGEST = 2048;
    private static final int MOST_OF_A_FILE = 10;
    private static final int RANDOM_PROGRAMS = 3000;
    /** {@code struct pcap_pkthdr}: a time of 16 bytes, captured length, length. */
    private static final int HEADER_LENGTH = 24;
    private static final int CAPTURED_OFFSET = 16;
    private static final int LENGTH_OFFSET = 20;

    private static final List<String> EXPRESSIONS = List.of(
        "", "ip", "ip6", "arp", "not ip", "tcp", "udp", "icmp", "icmp6", "sctp", "ether proto 0x8847", "vlan",
        "vlan 5", "vlan and ip", "vlan and vlan and udp", "mpls", "pppoes", "ether broadcast", "ether multicast",
        "ether src 02:00:00:00:00:01", "ether host 02:00:00:00:00:01", "host 10.0.0.1", "src host 10.0.0.1",
        "dst net 192.0.2.0/24", "udp and dst net 192.0.2.0/24", "net 10", "host 2001:db8::1",
        "dst net 2001:db8::/32", "port 53", "src port 53", "dst port 80 or dst port 443", "portrange 1000-2000",
        "tcp port 179", "udp portrange 0-1023", "tcp[tcpflags] & (tcp-syn|tcp-ack) = tcp-syn", "less 100",
        "greater 100", "len > 60 and len < 1000", "ip[8] < 5", "ip6[7] = 1", "ip[0] & 0xf != 5",
        "ip[6:2] & 0x3fff != 0", "ip proto 47", "ip6 proto 58",
        "ether[0] & 1 = 1", "ether[12:2] > 1500", "udp[4:2] - 8 > 100", "udp[8:4] % 7 = 3", "ip[2:2] / 4 * 4 = ip[2:2]",
        "(ip[2:2] << 2) >> 3 > 40", "ip[1] ^ 0xff = 255", "ip[1] | 1 = 1", "-ip[9] = -17", "ip multicast",
        "host 10.0.0.1 or arp", "icmp[icmptype] = icmp-echo", "tcp[((tcp[12] & 0xf0) >> 2):4] = 0x47455420",
        "ip[ip[2:2]:1] = 0", "ether[len - 1] = 0", "ether[len] = 0", "stp", "iso", "llc", "ip and not (udp or tcp)");

    private final MemoryRegion memory = MemoryRegion.ofBytes(LONGEST);
    private final List<byte[]> frames = new ArrayList<>();

    @BeforeEach
    void makeFrames()
    {
        Require.program("tcpdump", "tcpdump");
        final String ethernet = "020000000001020000000002";
        final String ipv4 = "4500005c12340000401100000a000001c0000207";
        final String udp = "0035003500480000" + "00".repeat(64);
        final String ipv6 = "6000000000481140" + "20010db8000000000000000000000001" +
            "20010db8000100000000000000000002";
        final List<String> texts = List.of(
            ethernet + "0800" + ipv4 + udp,
            ethernet + "0800" + ipv4.replace("40110000", "01060000") + "00b3c00000000001000000005002ffff00000000",
            ethernet + "0800" + ipv4.replace("45", "46") + "01010100" + udp,
            ethernet + "0800" + ipv4.replace("00004011", "20014011") + udp,
            ethernet + "0800" + ipv4.replace("4011", "4001") + "0800000000000000",
            ethernet + "86dd" + ipv6 + udp,
            ethernet + "86dd" + ipv6.replace("1140", "0040") + "1100000000000000" + udp,
            ethernet + "86dd" + ipv6.replace("1140", "3a40") + "8700000000000000",
            ethernet + "81000005" + "0800" + ipv4 + udp,
            ethernet + "88a80005" + "81000007" + "0800" + ipv4 + udp,
            ethernet + "88470001f140" + ipv4 + udp,
            "ffffffffffff020000000002" + "0806" + "0001080006040001020000000002" + "0a000001" + "00".repeat(6) +
                "0a000002",
            "01005e000001020000000002" + "0800" + ipv4.replace("c0000207", "e0000001") + udp,
            "0180c2000000020000000002" + "0026" + "424203" + "00".repeat(40));
        for (final String text : texts)
        {
            final byte[] whole = HexFormat.of().parseHex(text);
            frames.add(whole);
            for (int length = 0; length < whole.length; length += 7)
            {
                frames.add(Arrays.copyOf(whole, length));
            }
        }
    }

    @AfterEach
    void free()
    {
        memory.close();
    }

    @Test
    void shouldAcceptTheFramesThatLibpcapAccepts()
    {
        int accepted = 0;
        for (final String expression : EXPRESSIONS)
        {
            accepted += compare(expression, frames);
        }
        assertTrue(accepted > frames.size(), "accepted " + accepted);
    }

    @Test
    void shouldAcceptTheFramesOfCapturesThatLibpcapAccepts() throws IOException
    {
        final Path directory = Require.sharedData("pcap");
        final List<byte[]> captured = new ArrayList<>();
        try (Stream<Path> files = Files.walk(directory))
        {
            files.filter(Files::isRegularFile).sorted().forEach(file -> read(file, captured));
        }
        assertTrue(captured.size() > 1000, "frames: " + captured.size());
        int accepted = 0;
        for (final String expression : EXPRESSIONS)
        {
            accepted += compare(expression, captured);
        }
        assertTrue(accepted > captured.size(), "accepted " + accepted);
    }

    private static void read(final Path file, final List<byte[]> captured)
    {
        try (PcapReader reader = PcapReader.open(file); MemoryRegion copy = MemoryRegion.ofBytes(1 << 18))
        {
            for (int i = 0; i < MOST_OF_A_FILE && reader.next(); i++)
            {
                reader.copyTo(copy.address());
                final byte[] frame = new byte[Math.min(LONGEST, reader.capturedLength())];
                FrameMemory.getBytes(copy.address(), frame);
                captured.add(frame);
            }
        }
        catch (final UserException ignore)
        {
            // Not a capture file.
        }
    }

    /** Random valid programs: operations that no expression is compiled to. */
    @Test
    void shouldComputeWhatLibpcapComputes()
    {
        final Random random = new Random(1);
        final int[] codes = {
            0, 1, 2, 3, 4, 12, 20, 28, 36, 44, 60, 68, 76, 84, 92, 100, 108, 116, 124, 132, 156, 164, 172, 32, 40, 48,
            64, 72, 80, 128, 129, 96, 97, 177, 7, 135, 21, 29, 37, 45, 53, 61, 69, 77, 5};
        for (int k = 0; k < RANDOM_PROGRAMS; k++)
        {
            final int length = 20 + random.nextInt(20);
            final StringBuilder text = new StringBuilder();
            // libpcap leaves scratch words as they are: all are written first.
            for (int word = 0; word < 16; word++)
            {
                text.append("2 0 0 ").append(word).append(',');
            }
            for (int i = 0; i < length; i++)
            {
                final int code = codes[random.nextInt(codes.length)];
                final int left = length - i;
                final boolean isScratch = code == 2 || code == 3 || code == 96 || code == 97;
                final boolean isShift = code == 100 || code == 116;
                final boolean isLoad = (code & 7) < 2 && (code & 0xE0) != 0;
                final long constant = isScratch ? random.nextInt(16) : isShift ? random.nextInt(32) :
                    code == 5 ? random.nextInt(Math.min(left, 4)) : isLoad ? random.nextInt(80) :
                    random.nextInt(4) == 0 ? random.nextInt() & 0xFFFFFFFFL : random.nextInt(300);
                text.append(code).append(' ').append(random.nextInt(Math.min(left, 4))).append(' ')
                    .append(random.nextInt(Math.min(left, 4))).append(' ').append(constant).append(',');
            }
            final FilterProgram program = FilterProgram.parse(text + "22 0 0 0");
            try (StructMemory code = code(program.toString()); StructMemory reference = program(code, length + 17))
            {
                for (int i = 0; i < frames.size(); i += 5)
                {
                    assertSame(program.toString(), reference, program, frames.get(i));
                }
            }
        }
    }

    /** Returns how many frames the expression accepts. */
    private int compare(final String expression, final List<byte[]> given)
    {
        final PcapLibrary library = PcapFilterCompiler.library();
        final FilterProgram program = PcapFilterCompiler.compile(expression);
        final long pcap = library.pcap_open_dead(PcapReader.LINK_TYPE_ETHERNET, 262_144);
        int accepted = 0;
        try (StructMemory reference = new StructMemory(BpfProgramLayout.LENGTH))
        {
            assertEquals(0, library.pcap_compile(pcap, reference.address(), expression, 1, -1));
            for (final byte[] frame : given)
            {
                accepted += assertSame(expression, reference, program, frame) == 0 ? 0 : 1;
            }
            library.pcap_freecode(reference.address());
        }
        finally
        {
            library.pcap_close(pcap);
        }
        return accepted;
    }

    private int assertSame(
        final String what, final StructMemory reference, final FilterProgram program, final byte[] frame)
    {
        FrameMemory.putBytes(memory.address(), frame);
        try (StructMemory header = new StructMemory(HEADER_LENGTH))
        {
            header.putInt(CAPTURED_OFFSET, frame.length).putInt(LENGTH_OFFSET, frame.length);
            final int expected = PcapFilterCompiler.library().pcap_offline_filter(
                reference.address(), header.address(), memory.address());
            assertEquals(expected, program.run(memory.address(), frame.length),
                () -> what + " on " + HexFormat.of().formatHex(frame));
            return expected;
        }
    }

    private static StructMemory program(final StructMemory code, final int length)
    {
        return new StructMemory(BpfProgramLayout.LENGTH)
            .putInt(BpfProgramLayout.LENGTH_OFFSET, length)
            .putLong(BpfProgramLayout.INSTRUCTIONS_OFFSET, code.address());
    }

    private static StructMemory code(final String text)
    {
        final String[] lines = text.split(",");
        final StructMemory code = new StructMemory(lines.length * BpfProgramLayout.INSTRUCTION_LENGTH);
        for (int i = 0; i < lines.length; i++)
        {
            final String[] numbers = lines[i].split(" ");
            final int at = i * BpfProgramLayout.INSTRUCTION_LENGTH;
            code.putShort(at + BpfProgramLayout.CODE_OFFSET, Integer.parseInt(numbers[0]));
            code.putByte(at + BpfProgramLayout.WHEN_TRUE_OFFSET, Integer.parseInt(numbers[1]));
            code.putByte(at + BpfProgramLayout.WHEN_FALSE_OFFSET, Integer.parseInt(numbers[2]));
            code.putInt(at + BpfProgramLayout.CONSTANT_OFFSET, (int)Long.parseLong(numbers[3]));
        }
        return code;
    }

    @Test
    void shouldSayWhatIsWrongWithAnExpression()
    {
        for (final String wrong : List.of(
            "udp and (", "nonsense", "port 70000", "inbound", "ip broadcast", "ip protochain 6"))
        {
            final String message = assertThrows(
                UserException.class, () -> PcapFilterCompiler.compile(wrong), wrong).getMessage();
            assertTrue(message.startsWith("filter \"" + wrong + "\": "), message);
            assertEquals(1, message.lines().count(), message);
        }
    }
}
