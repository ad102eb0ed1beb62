package org.fibnuma.bench.system;

import org.fibnuma.core.Require;
import org.fibnuma.core.UserException;
import org.fibnuma.core.memory.FrameMemory;
import org.fibnuma.core.memory.MemoryRegion;
import org.fibnuma.core.port.pcap.PcapReader;
import org.fibnuma.core.wire.ReferenceRouter;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import static org.fibnuma.bench.system.Frames.ip;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * Captures made to crash parsers, and others, go over the wire: as they are but to the router's address, as IPv4
 * packets and as IPv6 packets, from a and from b. {@link ReferenceRouter} says what must leave, in which order and with
 * which bytes; nothing else may leave but the router's own messages.
 */
class CaptureSystemTest extends WireTest
{
    private static final int ETHERNET = 14;
    private static final int LONGEST = ETHERNET + RouterLab.MTU;
    private static final int CAPTURE_MAX = 262_144;
    private static final int MOST_OF_A_FILE = 30;
    private static final int BATCH = 250;
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final String DEFAULT_IPV4 = "0.0.0.0/0";
    private static final String DEFAULT_IPV6 = "::/0";

    private final List<byte[]> pending = new ArrayList<>();
    private ScapyHost sender;
    private ScapyHost far;
    private ReferenceRouter reference;
    private int farLink;
    private byte[] toRouter;
    private long sentFrames;
    private long forwarded;

    @AfterEach
    void restoreRoutes()
    {
        lab.router().run("sh", "-c", "ip -4 route del default; ip -6 route del default; true");
        lab.router().run("sh", "-c", "ip neighbor flush nud failed; ip neighbor flush nud incomplete; true");
    }

    @ParameterizedTest
    @CsvSource({"tcpdump,504,a", "tcpdump,504,b", "snabb-lwaftr,220,a", "snabb-lwaftr,220,b"})
    void shouldForwardWhatTheReferenceForwards(final String folder, final int files, final String from)
        throws IOException
    {
        lab.assumeRouter("the kernel is not as strict");
        final Path directory = Require.sharedData("pcap/" + folder);
        final List<Path> captures;
        try (Stream<Path> list = Files.list(directory))
        {
            captures = list.sorted().collect(Collectors.toList());
        }
        assertEquals(files, captures.size());
        begin("a".equals(from));
        final Fates before = lab.fates();
        try (MemoryRegion scratch = MemoryRegion.ofBytes(CAPTURE_MAX))
        {
            for (final Path capture : captures)
            {
                replay(capture, scratch);
            }
        }
        flush();
        assertTrue(forwarded > files, "forwarded " + forwarded);
        final Fates after = awaitBalance().since(before);
        assertTrue(after.count("forwarded") >= forwarded, after::toString);
        if (!LabDevice.chosen().isXdp())
        {
            assertTrue(after.count("received") >= sentFrames, () -> sentFrames + " sent; " + after);
        }
        lab.assertVerified();
    }

    private void begin(final boolean fromA)
    {
        sender = fromA ? lab.a() : lab.b();
        far = fromA ? lab.b() : lab.a();
        farLink = fromA ? 1 : 0;
        toRouter = mac(lab.router().macAddress(fromA ? "r0" : "r1"));
        lab.route("replace", "default", "via", fromA ? "10.0.1.2" : "10.0.0.2");
        lab.route6("replace", "default", "via", fromA ? RouterLab.B6 : RouterLab.A6);
        lab.awaitNextHop("1.2.3.4", fromA ? "10.0.1.2" : "10.0.0.2");
        lab.awaitNextHop("2001::1", fromA ? RouterLab.B6 : RouterLab.A6);
        reference = new ReferenceRouter(RouterLab.MTU, RouterLab.MTU, RouterLab.NARROW_MTU);
        reference.route(DEFAULT_IPV4, farLink);
        reference.route(DEFAULT_IPV6, farLink);
        reference.unknown("10.0.0.0/14");
        reference.unknown("2001:db8:a::/48");
        reference.unknown("2001:db8:b::/48");
        reference.unknown("2001:db8:c::/48");
        reference.route(RouterLab.BEYOND_A + "0/24", 0);
        reference.route(RouterLab.BEYOND_B + "0/24", 1);
        reference.route(RouterLab.BEYOND_C + "0/24", 2);
        reference.route(RouterLab.BEYOND_B_BY_31 + "0/24", 1);
        reference.route(RouterLab.BEYOND_B_BY_IPV6 + "0/24", 1);
        reference.route(RouterLab.BEYOND_A6 + "/48", 0);
        reference.route(RouterLab.BEYOND_B6 + "/48", 1);
        reference.route(RouterLab.BEYOND_C6 + "/48", 2);
        reference.route(RouterLab.BEYOND_B6_BY_127 + "/48", 1);
        reference.route(RouterLab.BEYOND_B6_BY_LINK_LOCAL + "/48", 1);
        for (final String network : List.of(RouterLab.BLACKHOLE, RouterLab.UNREACHABLE, RouterLab.PROHIBITED))
        {
            reference.drop(network + "0/24");
        }
        for (final String network : List.of(RouterLab.BLACKHOLE6, RouterLab.UNREACHABLE6, RouterLab.PROHIBITED6))
        {
            reference.drop(network + "/48");
        }
    }

    private void replay(final Path capture, final MemoryRegion scratch)
    {
        try (PcapReader reader = PcapReader.open(capture))
        {
            for (int count = 0; count < MOST_OF_A_FILE && reader.next(); count++)
            {
                reader.copyTo(scratch.address());
                final byte[] bytes = new byte[reader.capturedLength()];
                FrameMemory.getBytes(scratch.address(), bytes);
                replay(bytes);
            }
        }
        catch (final UserException ignore)
        {
            // No frame at all in it: an empty or unrecognizable file.
        }
    }

    private void replay(final byte[] bytes)
    {
        if (bytes.length >= ETHERNET && bytes.length <= LONGEST)
        {
            final byte[] asItIs = bytes.clone();
            System.arraycopy(toRouter, 0, asItIs, 0, toRouter.length);
            send(asItIs);
        }
        send(asPacket(bytes, 0x0800));
        final byte[] ipv6 = asPacket(bytes, 0x86DD);
        send(ipv6);
        if (ipv6.length > ETHERNET + 40)
        {
            // With a version and a payload length that fit, so that more than the first check is passed.
            final byte[] whole = ipv6.clone();
            whole[ETHERNET] = (byte)(0x60 | whole[ETHERNET] & 0xF);
            whole[ETHERNET + 4] = (byte)(whole.length - ETHERNET - 40 >> 8);
            whole[ETHERNET + 5] = (byte)(whole.length - ETHERNET - 40);
            send(whole);
        }
    }

    private byte[] asPacket(final byte[] bytes, final int etherType)
    {
        final byte[] frame = new byte[Math.min(LONGEST, ETHERNET + bytes.length)];
        System.arraycopy(toRouter, 0, frame, 0, toRouter.length);
        frame[6] = 2;
        frame[12] = (byte)(etherType >> 8);
        frame[13] = (byte)etherType;
        System.arraycopy(bytes, 0, frame, ETHERNET, frame.length - ETHERNET);
        return frame;
    }

    private void send(final byte[] frame)
    {
        pending.add(frame);
        if (pending.size() == BATCH)
        {
            flush();
        }
    }

    /** Sends what has gathered, and compares what arrives at the three hosts with what the reference says. */
    private void flush()
    {
        lab.hosts().forEach(ScapyHost::clear);
        sender.replay(pending.stream().map(HexFormat.of()::formatHex).toList());
        sentFrames += pending.size();
        final String end = HexFormat.of().formatHex("sentinel".getBytes(StandardCharsets.US_ASCII));
        sender.send(ip("10.0.0.99", (farLink == 1 ? RouterLab.BEYOND_B : RouterLab.BEYOND_A) + "250", "") +
            "/UDP(sport=9, dport=9)/b'sentinel'");
        final List<String> atFar = far.collect(end, PATIENCE);
        assertTrue(!atFar.isEmpty() && atFar.get(atFar.size() - 1).endsWith(end),
            () -> "the router does not forward any more; " + lab.fates());
        final List<List<String>> arrived = new ArrayList<>();
        for (int link = 0; link < 3; link++)
        {
            arrived.add(link == farLink ? atFar.subList(0, atFar.size() - 1) :
                lab.hosts().get(link).collect(end, Duration.ofMillis(20)));
        }
        compare(arrived);
        pending.clear();
    }

    private void compare(final List<List<String>> arrived)
    {
        final List<List<byte[]>> expected = List.of(new ArrayList<>(), new ArrayList<>(), new ArrayList<>());
        final Set<Integer> unknownTails = new HashSet<>();
        for (final byte[] frame : pending)
        {
            final ReferenceRouter.Verdict verdict = reference.judge(frame);
            if (verdict.fate() == ReferenceRouter.Fate.FORWARDED)
            {
                expected.get(verdict.link()).add(verdict.bytes());
                forwarded++;
            }
            else if (verdict.fate() == ReferenceRouter.Fate.UNKNOWN)
            {
                unknownTails.add(addressesOf(Arrays.copyOfRange(frame, ETHERNET, frame.length)));
            }
        }
        for (int link = 0; link < 3; link++)
        {
            compare(link, expected.get(link), arrived.get(link), unknownTails);
        }
    }

    private void compare(
        final int link, final List<byte[]> expected, final List<String> arrived, final Set<Integer> unknown)
    {
        int next = 0;
        for (final String hex : arrived)
        {
            final byte[] frame = HexFormat.of().parseHex(hex);
            final byte[] packet = Arrays.copyOfRange(frame, ETHERNET, frame.length);
            if (next < expected.size() && isSame(expected.get(next), packet))
            {
                next++;
            }
            else
            {
                final int missing = next;
                assertTrue(isFromRouter(frame, link) || unknown.contains(addressesOf(packet)), () -> "at link " + link +
                    " arrived " + hex + "\nthe reference has " + (missing < expected.size() ?
                    HexFormat.of().formatHex(expected.get(missing)) : "nothing"));
            }
        }
        final int found = next;
        assertEquals(expected.size(), found, () -> "at link " + link + " is missing " +
            HexFormat.of().formatHex(expected.get(found)) + "; " + lab.fates());
    }

    /** But for the checksum of TCP or UDP, which a host may have left to its device, and which the router completes. */
    private static boolean isSame(final byte[] expected, final byte[] packet)
    {
        final int first = Arrays.mismatch(expected, packet);
        if (first < 0)
        {
            return true;
        }
        final int behind = (first | 1) + 1;
        return LabDevice.chosen().isXdp() && expected.length == packet.length && first >= 26 &&
            Arrays.equals(expected, behind, expected.length, packet, behind, packet.length);
    }

    /** The router's own messages: ARP, neighbour discovery and errors, each from one of its addresses. */
    private static boolean isFromRouter(final byte[] frame, final int link)
    {
        final String packet = HexFormat.of().formatHex(frame, ETHERNET, frame.length);
        final int etherType = (frame[12] & 0xFF) << 8 | frame[13] & 0xFF;
        switch (etherType)
        {
            case 0x0800:
                return Set.of("0a000001", "0a000101", "0a000200", "0a000301").contains(packet.substring(24, 32));
            case 0x86DD:
                final String source = packet.substring(16, 48);
                return source.startsWith("fe80") || source.equals("0".repeat(32)) ||
                    source.startsWith("20010db8000") && source.endsWith("0000000000000001") ||
                    source.equals("20010db8000b00010000000000000000");
            default:
                return etherType == 0x0806;
        }
    }

    /** Both addresses of a packet, by which fragments of it and copies with other options are known. */
    private static int addressesOf(final byte[] packet)
    {
        final boolean isIpv6 = (packet[0] & 0xF0) == 0x60;
        final int from = isIpv6 ? 8 : 12;
        return packet.length < (isIpv6 ? 40 : 20) ? 0 :
            Arrays.hashCode(Arrays.copyOfRange(packet, from, isIpv6 ? 40 : 20));
    }

    private Fates awaitBalance()
    {
        // Frames to neighbours that nobody has wait for some seconds.
        final Fates none = new Fates(Map.of(), true, true);
        return Observation.awaitFates(lab, none, fates -> fates.balanced() && fates.count("held") == 0);
    }

    private static byte[] mac(final String text)
    {
        return HexFormat.of().parseHex(text.replace(":", ""));
    }
}
