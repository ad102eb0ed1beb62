package org.fibnuma.fibnic.datapath;

import org.fibnuma.core.flow.FlowMemory;
import org.fibnuma.core.flow.FlowTable;
import org.fibnuma.core.flow.FlowTuple;
import org.fibnuma.core.kernel.InterfacePolicy;
import org.fibnuma.core.kernel.ReversePath;
import org.fibnuma.core.kernel.Transit;
import org.fibnuma.core.wire.IpAddress;
import org.fibnuma.fibnic.acl.AccessAction;
import org.fibnuma.fibnic.acl.AccessList;
import org.fibnuma.fibnic.acl.AccessLists;
import org.fibnuma.fibnic.acl.AccessTable;
import org.fibnuma.fibnic.adjacency.Adjacency;
import org.fibnuma.fibnic.adjacency.AdjacencyGroup;
import org.fibnuma.fibnic.fate.DropReason;
import org.fibnuma.fibnic.fate.ForwarderCounter;
import org.fibnuma.fibnic.rate.RateLimit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.stream.IntStream;

import static org.fibnuma.fibnic.datapath.FlowFrames.ACK;
import static org.fibnuma.fibnic.datapath.FlowFrames.ICMP;
import static org.fibnuma.fibnic.datapath.FlowFrames.ICMPV6;
import static org.fibnuma.fibnic.datapath.FlowFrames.SCTP;
import static org.fibnuma.fibnic.datapath.FlowFrames.TCP;
import static org.fibnuma.fibnic.datapath.FlowFrames.UDP;
import static org.fibnuma.fibnic.datapath.FlowFrames.forwarded;
import static org.fibnuma.fibnic.datapath.FlowFrames.frame;
import static org.fibnuma.fibnic.datapath.FlowFrames.ipv4;
import static org.fibnuma.fibnic.datapath.FlowFrames.ipv6;
import static org.fibnuma.fibnic.datapath.FlowFrames.tuple;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * A host with packet filters: port 0 leads to clients, port 1 to the Internet, port 2 elsewhere. Translated flows have
 * the router's address of port 1 there.
 */
class FlowInputTest
{
    private static final int CAPACITY = 50;
    private static final int FIN_ACK = 0x11;
    private static final int RST = 0x04;
    private static final int ECHO = 8 << 8;
    private static final int ECHO6 = 128 << 8;
    private static final String CLIENT = "10.0.0.2";
    private static final String SERVER = "10.0.1.2";
    private static final String ROUTER = "10.0.1.1";
    private static final String GATEWAY = "10.0.1.9";
    private static final FlowTuple ORIGINAL = tuple(TCP, CLIENT, 40_000, SERVER, 80);
    private static final FlowTuple TRANSLATED = tuple(TCP, ROUTER, 50_000, SERVER, 80);
    private static final FlowTuple ORIGINAL6 = tuple(TCP, "2001:db8:0::2", 40_000, "2001:db8:1::2", 80);
    private static final FlowTuple TRANSLATED6 = tuple(TCP, "2001:db8:1::1", 50_000, "2001:db8:1::2", 80);
    private static final InterfacePolicy FLOWS = new InterfacePolicy(Transit.FLOWS, ReversePath.OFF, Transit.FLOWS);

    private final FlowMemory memory = FlowMemory.ofProcess(CAPACITY);
    private final FlowTable table = new FlowTable(memory, CAPACITY, 9);
    private final AtomicReference<FlowTable> tables = new AtomicReference<>(table);
    private final AccessTable accessTable = new AccessTable();
    private final RouterFixture router = router(context -> context.flows(tables).accessTable(accessTable)
        .forwardsIpv6(true).icmpErrors(new RateLimit(1000, 1000)));

    /** Makes the router. */
    RouterFixture router(final Consumer<ForwarderContext> settings)
    {
        return new RouterFixture(3, settings);
    }

    @BeforeEach
    void before()
    {
        router.clock.advance(TimeUnit.HOURS.toNanos(1));
        policy(FLOWS);
    }

    @AfterEach
    void after()
    {
        router.assertBalanced();
        router.close();
        memory.close();
    }

    private void policy(final InterfacePolicy policy)
    {
        for (int port = 0; port < 3; port++)
        {
            router.interfaces.set(port, router.interfaces.get(port).with(policy));
        }
    }

    /** Adds a flow from one port to another. */
    private int add(final FlowTuple original, final FlowTuple translated, final int from, final int to)
    {
        final int flow = table.add(original, from, to, translated.inverse(), to, from);
        assertTrue(flow > 0, () -> "flow " + flow);
        return flow;
    }

    private int masquerade()
    {
        return add(ORIGINAL, TRANSLATED, 0, 1);
    }

    private static void assertFrames(final List<byte[]> actual, final byte[]... expected)
    {
        final HexFormat hex = HexFormat.of();
        assertEquals(
            Arrays.stream(expected).map(hex::formatHex).toList(), actual.stream().map(hex::formatHex).toList());
    }

    private void assertForwarded(final int from, final byte[] frame, final int to, final byte[] expected)
    {
        router.receive(from, frame);
        router.run();
        assertFrames(router.punted());
        assertFrames(router.sent(to), expected);
    }

    private void assertPunted(final int from, final byte[] frame)
    {
        final long punted = router.count(ForwarderCounter.PUNTED);
        final long flows = router.count(ForwarderCounter.FLOWS);
        router.receive(from, frame);
        router.run();
        assertFrames(router.punted(), frame);
        for (int port = 0; port < 3; port++)
        {
            assertFrames(router.sent(port));
        }
        assertEquals(punted + 1, router.count(ForwarderCounter.PUNTED));
        assertEquals(flows, router.count(ForwarderCounter.FLOWS));
    }

    private void assertCounted(final int direction, final int packets, final int bytes)
    {
        assertEquals(packets, table.packets(direction), "packets");
        assertEquals(bytes, table.bytes(direction), "bytes");
    }

    /** Both directions of a flow leave translated, twice, and are counted. */
    private void assertBothDirections(
        final FlowTuple original, final FlowTuple translated, final int from, final int to)
    {
        final int flow = add(original, translated, from, to);
        final long flows = router.count(ForwarderCounter.FLOWS);
        final int length = frame(from, original).length - TestFrame.ETHERNET;
        for (int i = 1; i <= 2; i++)
        {
            assertForwarded(from, frame(from, original), to, forwarded(to, translated));
            assertForwarded(to, frame(to, translated.inverse()), from, forwarded(from, original.inverse()));
            assertCounted(2 * flow, i, i * length);
            assertCounted(2 * flow + 1, i, i * length);
        }
        assertEquals(flows + 4, router.count(ForwarderCounter.FLOWS));
        assertEquals(0, router.count(ForwarderCounter.PUNTED));
        assertTrue(table.isValid(flow));
    }

    /** The reply is addressed to the router itself. */
    @ParameterizedTest
    @ValueSource(ints = {TCP, UDP, FlowFrames.UDP_LITE})
    void shouldMasquerade(final int protocol)
    {
        assertBothDirections(
            tuple(protocol, CLIENT, 40_000, SERVER, 80), tuple(protocol, ROUTER, 50_000, SERVER, 80), 0, 1);
    }

    @Test
    void shouldMasqueradeEchoRequests()
    {
        assertBothDirections(tuple(ICMP, CLIENT, 7, SERVER, ECHO), tuple(ICMP, ROUTER, 0xFFFE, SERVER, ECHO), 0, 1);
    }

    /** The request is addressed to the router itself. */
    @ParameterizedTest
    @ValueSource(ints = {TCP, UDP, FlowFrames.UDP_LITE})
    void shouldTranslateTheDestination(final int protocol)
    {
        assertBothDirections(
            tuple(protocol, SERVER, 40_000, ROUTER, 8080), tuple(protocol, SERVER, 40_000, CLIENT, 80), 1, 0);
    }

    @ParameterizedTest
    @ValueSource(ints = {TCP, UDP, FlowFrames.UDP_LITE})
    void shouldTranslateSourceAndDestination(final int protocol)
    {
        assertBothDirections(
            tuple(protocol, CLIENT, 40_000, "10.0.0.1", 8080), tuple(protocol, ROUTER, 1, SERVER, 65_535), 0, 1);
    }

    @ParameterizedTest
    @ValueSource(ints = {TCP, UDP, FlowFrames.UDP_LITE, SCTP})
    void shouldForwardWithoutTranslation(final int protocol)
    {
        final FlowTuple original = tuple(protocol, CLIENT, 40_000, SERVER, 80);
        assertBothDirections(original, original, 0, 1);
    }

    @ParameterizedTest
    @ValueSource(ints = {TCP, UDP, FlowFrames.UDP_LITE})
    void shouldForwardIpv6(final int protocol)
    {
        final FlowTuple plain = tuple(protocol, "2001:db8:0::2", 40_000, "2001:db8:1::2", 80);
        assertBothDirections(plain, plain, 0, 1);
        assertBothDirections(
            tuple(protocol, "2001:db8:0::2", 40_001, "2001:db8:1::2", 80),
            tuple(protocol, "2001:db8:1::1", 50_000, "2001:db8:1::2", 80), 0, 1);
        assertBothDirections(
            tuple(protocol, "2001:db8:1::2", 40_001, "2001:db8:1::1", 80),
            tuple(protocol, "2001:db8:1::2", 40_001, "2001:db8:0::2", 8080), 1, 0);
    }

    @Test
    void shouldForwardEchoRequestsOfIpv6()
    {
        assertBothDirections(
            tuple(ICMPV6, "2001:db8:0::2", 7, "2001:db8:1::2", ECHO6),
            tuple(ICMPV6, "2001:db8:1::1", 8, "2001:db8:1::2", ECHO6), 0, 1);
    }

    @Test
    void shouldKeepUdpWithoutChecksum()
    {
        final FlowTuple original = tuple(UDP, CLIENT, 40_000, SERVER, 53);
        final FlowTuple translated = tuple(UDP, ROUTER, 50_000, SERVER, 53);
        add(original, translated, 0, 1);
        final int checksum = TestFrame.ETHERNET + 20 + 6;
        final byte[] frame = frame(0, original);
        final byte[] expected = forwarded(1, translated);
        ByteBuffer.wrap(frame).putShort(checksum, (short)0);
        ByteBuffer.wrap(expected).putShort(checksum, (short)0);
        assertForwarded(0, frame, 1, expected);
    }

    @Test
    void shouldPuntWhatOnlyTheKernelForwards()
    {
        final int flow = masquerade();
        final int flow6 = add(ORIGINAL6, TRANSLATED6, 0, 1);
        assertPunted(0, frame(0, ORIGINAL, 0x02, 0));
        assertPunted(0, frame(0, ORIGINAL, 0x12, 0));
        assertPunted(0, ipv4(0, ORIGINAL, ACK, 16).flagsAndOffset(0x2000).bytes());
        assertPunted(0, ipv4(0, ORIGINAL, ACK, 16).flagsAndOffset(0x0001).bytes());
        assertPunted(0, ipv4(0, ORIGINAL, ACK, 16).flagsAndOffset(0x3FFF).bytes());
        assertPunted(0, ipv4(0, ORIGINAL, ACK, 16).options("01010101").bytes());
        assertPunted(0, ipv4(0, ORIGINAL, ACK, 16).ttl(1).bytes());
        assertPunted(0, ipv4(0, ORIGINAL, ACK, 16).ttl(0).bytes());
        assertPunted(0, ipv4(0, ORIGINAL, ACK, 0).payload(19).bytes());
        assertPunted(0, frame(0, ORIGINAL6, 0x02, 0));
        assertPunted(0, ipv6(0, ORIGINAL6, ACK, 16).hopLimit(1).bytes());
        assertPunted(0, ipv6(0, ORIGINAL6, ACK, 16).hopLimit(0).bytes());
        assertPunted(0, ipv6(0, ORIGINAL6, ACK, 16).nextHeader(44).bytes());
        assertPunted(0, ipv6(0, ORIGINAL6, ACK, 16).nextHeader(0).bytes());
        assertCounted(2 * flow, 0, 0);
        assertCounted(2 * flow6, 0, 0);
        assertTrue(table.isValid(flow));
        assertTrue(table.isValid(flow6));
    }

    @Test
    void shouldPuntPacketsWithoutAFlow()
    {
        masquerade();
        add(ORIGINAL6, TRANSLATED6, 0, 1);
        assertPunted(0, frame(0, tuple(TCP, CLIENT, 40_001, SERVER, 80)));
        assertPunted(0, frame(0, tuple(UDP, CLIENT, 40_000, SERVER, 80)));
        assertPunted(0, frame(0, tuple(TCP, "10.0.0.3", 40_000, SERVER, 80)));
        assertPunted(0, frame(0, tuple(47, CLIENT, 40_000, SERVER, 80)));
        assertPunted(0, frame(0, tuple(ICMP, CLIENT, 40_000, SERVER, ECHO)));
        assertPunted(0, frame(0, tuple(ICMP, SERVER, 0, CLIENT, 3 << 8)));
        assertPunted(0, frame(0, tuple(TCP, "2001:db8:0::3", 40_000, "2001:db8:1::2", 80)));
        assertPunted(1, frame(1, tuple(TCP, SERVER, 80, ROUTER, 50_001)));
        // The interface is part of the key.
        assertPunted(2, frame(2, ORIGINAL));
        assertPunted(2, frame(2, ORIGINAL6));
        assertPunted(2, frame(2, TRANSLATED.inverse()));
        assertPunted(1, frame(1, ORIGINAL.inverse()));
        assertEquals(0, router.count(ForwarderCounter.FLOWS));
    }

    @ParameterizedTest
    @CsvSource({"0x11, 0", "0x15, 0", "0x04, 0", "0x14, 1", "0x11, 1"})
    void shouldEndAFlowThatCloses(final String flags, final int direction)
    {
        final int flow = masquerade();
        final int flow6 = add(ORIGINAL6, TRANSLATED6, 0, 1);
        final int bits = Integer.decode(flags);
        assertForwarded(0, frame(0, ORIGINAL), 1, forwarded(1, TRANSLATED));
        assertPunted(direction, frame(direction, direction == 0 ? ORIGINAL : TRANSLATED.inverse(), bits, 0));
        assertPunted(direction, frame(direction, direction == 0 ? ORIGINAL6 : TRANSLATED6.inverse(), bits, 0));
        assertFalse(table.isValid(flow));
        assertFalse(table.isValid(flow6));
        assertPunted(0, frame(0, ORIGINAL));
        assertPunted(1, frame(1, TRANSLATED.inverse()));
        assertPunted(0, frame(0, ORIGINAL6));
        assertPunted(1, frame(1, TRANSLATED6.inverse()));
        assertCounted(2 * flow, 1, frame(0, ORIGINAL).length - TestFrame.ETHERNET);
        // A segment without a flow closes nothing.
        final int other = add(tuple(TCP, CLIENT, 1, SERVER, 80), tuple(TCP, ROUTER, 2, SERVER, 80), 0, 1);
        assertPunted(1, frame(1, tuple(TCP, CLIENT, 1, SERVER, 80), RST, 0));
        assertTrue(table.isValid(other));
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 0x4000})
    void shouldPuntWhatIsLongerThanTheMtu(final int flags)
    {
        final int flow = masquerade();
        final int flow6 = add(ORIGINAL6, TRANSLATED6, 0, 1);
        final int data = RouterFixture.MTU - 40;
        final byte[] longest = ipv4(0, ORIGINAL, ACK, data).flagsAndOffset(flags).bytes();
        final byte[] expected = ipv4(1, TRANSLATED, ACK, data).flagsAndOffset(flags).bytes();
        assertForwarded(0, longest, 1, forwarded(1, expected));
        assertPunted(0, ipv4(0, ORIGINAL, ACK, data + 1).flagsAndOffset(flags).bytes());
        assertPunted(0, frame(0, ORIGINAL6, ACK, data - 19));
        assertCounted(2 * flow, 1, RouterFixture.MTU);
        assertCounted(2 * flow6, 0, 0);
        assertTrue(table.isValid(flow));
        assertTrue(table.isValid(flow6));
    }

    @ParameterizedTest
    @ValueSource(ints = {
        RouterFixture.LOCAL, RouterFixture.BROADCAST, RouterFixture.BLACKHOLE, RouterFixture.UNREACHABLE,
        RouterFixture.PROHIBIT, RouterFixture.KERNEL, RouterFixture.PUNT, RouterFixture.NO_ROUTE})
    void shouldEndAFlowWhoseRouteLeadsToNoPort(final int adjacency)
    {
        router.route("198.51.100.0", 24, adjacency);
        router.routeIpv6("2001:db8:51::", 48, adjacency);
        final FlowTuple original = tuple(TCP, SERVER, 40_000, ROUTER, 80);
        final FlowTuple original6 = tuple(TCP, "2001:db8:1::2", 40_000, "2001:db8:1::1", 80);
        final int flow = table.add(original, 1, 2, tuple(TCP, SERVER, 40_000, "198.51.100.7", 8080).inverse(), 2, 1);
        final int flow6 = table.add(
            original6, 1, 2, tuple(TCP, "2001:db8:1::2", 40_000, "2001:db8:51::7", 8080).inverse(), 2, 1);
        assertPunted(1, frame(1, original));
        assertPunted(1, frame(1, original6));
        assertFalse(table.isValid(flow));
        assertFalse(table.isValid(flow6));
        assertCounted(2 * flow, 0, 0);
        assertCounted(2 * flow6, 0, 0);
    }

    @ParameterizedTest
    @ValueSource(ints = {3, RouterFixture.GLEAN + 2, RouterFixture.UNRESOLVED})
    void shouldEndAFlowWhoseRouteMoves(final int moved)
    {
        router.adjacencies.set(RouterFixture.UNRESOLVED, Adjacency.unresolved(2, IpAddress.parse("10.0.2.9"), 1500));
        final int flow = masquerade();
        final int plain = add(tuple(TCP, CLIENT, 1, SERVER, 80), tuple(TCP, CLIENT, 1, SERVER, 80), 0, 1);
        assertForwarded(0, frame(0, ORIGINAL), 1, forwarded(1, TRANSLATED));
        router.route(SERVER, 32, moved);
        assertPunted(0, frame(0, ORIGINAL));
        assertFalse(table.isValid(flow));
        assertPunted(0, frame(0, tuple(TCP, CLIENT, 1, SERVER, 80)));
        assertFalse(table.isValid(plain), "a rule may accept the former interface only");
        router.route(SERVER, 32, 2);
        assertPunted(0, frame(0, ORIGINAL));
        assertPunted(1, frame(1, TRANSLATED.inverse()));
    }

    @Test
    void shouldEndAMasqueradedIpv6FlowWhoseRouteMoves()
    {
        final int flow = add(ORIGINAL6, TRANSLATED6, 0, 1);
        router.routeIpv6("2001:db8:1::2", 128, RouterFixture.HOST6 + 2);
        assertPunted(0, frame(0, ORIGINAL6));
        assertFalse(table.isValid(flow));
    }

    private void routeBySeveral(final int adjacency, final int member, final int other)
    {
        router.adjacencies.set(adjacency, Adjacency.group(new AdjacencyGroup(
            new int[]{member, other}, new int[]{1, 1}, IntStream.range(0, 64).map(i -> i % 2).toArray(), null)));
    }

    /** The kernel has selected the next hop, by a hash of its own. */
    @Test
    void shouldUseTheNextHopThatAMasqueradedFlowIsBoundTo()
    {
        routeBySeveral(140, 3, 2);
        routeBySeveral(141, RouterFixture.HOST6 + 2, RouterFixture.HOST6 + 1);
        router.route("203.0.113.0", 24, 140);
        router.routeIpv6("2001:db8:99::", 48, 141);
        for (int i = 0; i < CAPACITY / 2; i++)
        {
            final String server = "203.0.113." + i;
            final String server6 = "2001:db8:99::" + i;
            final FlowTuple translated = tuple(TCP, ROUTER, 50_000, server, 80);
            final FlowTuple translated6 = tuple(TCP, "2001:db8:1::1", 50_000, server6, 80);
            final FlowTuple original = tuple(TCP, CLIENT, 40_000, server, 80);
            final FlowTuple original6 = tuple(TCP, "2001:db8:0::2", 40_000, server6, 80);
            final int flow = add(original, translated, 0, 1);
            final int flow6 = add(original6, translated6, 0, 1);
            assertForwarded(0, frame(0, original), 1, forwarded(1, translated));
            assertForwarded(0, frame(0, original6), 1, forwarded(1, translated6));
            assertTrue(table.isValid(flow) && table.isValid(flow6), server);
        }
    }

    @Test
    void shouldEndAMasqueradedFlowWithoutANextHopByItsEgress()
    {
        routeBySeveral(140, 3, 1);
        router.route("203.0.113.0", 24, 140);
        final FlowTuple original = tuple(TCP, CLIENT, 40_000, "203.0.113.7", 80);
        final int flow = add(original, tuple(TCP, ROUTER, 50_000, "203.0.113.7", 80), 0, 1);
        assertPunted(0, frame(0, original));
        assertFalse(table.isValid(flow));
    }

    /** A held packet has lost its flow: an error about it would quote what its sender never sent. */
    @ParameterizedTest
    @ValueSource(ints = {RouterFixture.UNRESOLVED, RouterFixture.GLEAN + 1})
    void shouldLeaveTranslatedPacketsToTheKernelUntilTheirNeighborIsResolved(final int adjacency)
    {
        final FlowTuple original = tuple(TCP, CLIENT, 40_000, "192.0.2.7", 80);
        final FlowTuple original6 = tuple(TCP, "2001:db8:0::2", 40_000, "2001:db8:99::7", 80);
        final FlowTuple translated = tuple(TCP, ROUTER, 50_000, "192.0.2.7", 80);
        final FlowTuple translated6 = tuple(TCP, "2001:db8:1::1", 50_000, "2001:db8:99::7", 80);
        routeToGateway(adjacency);
        final int flow = add(original, translated, 0, 1);
        add(original6, translated6, 0, 1);
        assertPunted(0, frame(0, original));
        assertPunted(0, frame(0, original6));
        assertEquals(0, router.count(ForwarderCounter.HELD));
        assertTrue(table.isValid(flow));
        resolveGateway(adjacency);
        assertForwarded(0, frame(0, original), 1, forwarded(1, translated));
        assertForwarded(0, frame(0, original6), 1, forwarded(1, translated6));
        assertCounted(2 * flow, 1, frame(0, original).length - TestFrame.ETHERNET);
    }

    @Test
    void shouldHoldOtherPacketsUntilTheirNeighborIsResolved()
    {
        final FlowTuple original = tuple(TCP, CLIENT, 40_000, "192.0.2.7", 80);
        routeToGateway(RouterFixture.UNRESOLVED);
        final int flow = add(original, original, 0, 1);
        router.receive(0, frame(0, original));
        router.run();
        assertEquals(1, router.count(ForwarderCounter.HELD));
        assertFrames(router.sent(1));
        assertEquals(List.of("1 " + GATEWAY), router.resolveRequests);
        resolveGateway(RouterFixture.UNRESOLVED);
        router.run();
        assertFrames(router.sent(1), forwarded(1, original));
        assertCounted(2 * flow, 1, frame(0, original).length - TestFrame.ETHERNET);
        assertEquals(1, router.count(ForwarderCounter.FLOWS));
    }

    private void routeToGateway(final int adjacency)
    {
        router.adjacencies.set(RouterFixture.UNRESOLVED, Adjacency.unresolved(1, IpAddress.parse(GATEWAY), 1500));
        router.route("192.0.2.0", 24, adjacency);
        router.routeIpv6("2001:db8:99::", 48, adjacency);
    }

    private void resolveGateway(final int adjacency)
    {
        router.adjacencies.set(adjacency, Adjacency.forward(
            1, IpAddress.parse(GATEWAY), 1500, RouterFixture.hostMac(1), RouterFixture.routerMac(1)));
    }

    private void use(final AccessAction atPort1)
    {
        final AccessList list = new AccessList("list", List.of(), atPort1);
        accessTable.replace(new AccessLists(
            List.of(list), Arrays.asList(null, null, null), Arrays.asList(null, "list", null), 1));
    }

    /** RFC 792: the error quotes the packet; a translated one would tell its sender nothing. */
    @Test
    void shouldQuoteWhatTheSenderSentIfAnAccessListProhibitsIt()
    {
        final int flow = masquerade();
        add(ORIGINAL6, TRANSLATED6, 0, 1);
        use(AccessAction.PROHIBIT);
        router.receive(0, frame(0, ORIGINAL));
        router.receive(0, frame(0, ORIGINAL6));
        router.run();
        assertFrames(router.sent(1));
        assertFrames(router.punted());
        final List<byte[]> errors = router.sent(0);
        assertEquals(2, errors.size());
        assertEquals(TestFrame.ip(CLIENT), TestFrame.s32(errors.get(0), TestFrame.ETHERNET + 16));
        // As without flows, TTL and header checksum are those after the rewrite.
        assertArrayEquals(
            FlowFrames.packet(forwarded(0, ORIGINAL)),
            Arrays.copyOfRange(errors.get(0), TestFrame.ETHERNET + 28, errors.get(0).length));
        assertArrayEquals(
            FlowFrames.packet(forwarded(0, ORIGINAL6)),
            Arrays.copyOfRange(errors.get(1), TestFrame.ETHERNET + 48, errors.get(1).length));
        assertEquals(2, router.report().get(DropReason.ACCESS_PROHIBITED));
        assertEquals(0, router.count(ForwarderCounter.FLOWS));
        assertCounted(2 * flow, 0, 0);
    }

    @Test
    void shouldDropWhatAnAccessListDenies()
    {
        final int flow = masquerade();
        use(AccessAction.DENY);
        router.receive(0, frame(0, ORIGINAL));
        router.run();
        assertEquals(1, router.report().get(DropReason.ACCESS_DENIED));
        assertEquals(0, router.count(ForwarderCounter.FLOWS));
        assertCounted(2 * flow, 0, 0);
        for (int port = 0; port < 3; port++)
        {
            assertFrames(router.sent(port));
        }
        assertForwarded(1, frame(1, TRANSLATED.inverse()), 0, forwarded(0, ORIGINAL.inverse()));
    }

    /** Hairpin NAT: client and server are on one link, where a redirect would quote what the client never sent. */
    @ParameterizedTest
    @CsvSource({"true, 0", "false, 1"})
    void shouldNotRedirectTranslatedPackets(final boolean isTranslated, final int redirects)
    {
        router.connect(0, true);
        policy(FLOWS);
        final FlowTuple original = tuple(UDP, "10.0.0.77", 40_000, isTranslated ? "10.0.0.1" : CLIENT, 53);
        final FlowTuple translated = tuple(UDP, "10.0.0.77", 40_000, CLIENT, 53);
        add(original, translated, 0, 0);
        router.adjacencies.set(140, Adjacency.forward(
            0, IpAddress.parse("10.0.0.77"), 1500, 0x0200_0000_0277L, RouterFixture.routerMac(0)));
        router.route("10.0.0.77", 32, 140);
        router.receive(0, frame(0, original));
        router.run();
        final List<byte[]> sent = new ArrayList<>(router.sent(0));
        assertEquals(1 + redirects, sent.size());
        assertTrue(sent.removeIf(each -> Arrays.equals(forwarded(0, translated), each)));
        for (final byte[] redirect : sent)
        {
            assertEquals(0x0501, TestFrame.u16(redirect, TestFrame.ETHERNET + 20));
        }
    }

    @Test
    void shouldGiveEveryFrameOfAMixedBatchItsFate()
    {
        final int flow = masquerade();
        final int flow6 = add(ORIGINAL6, TRANSLATED6, 0, 1);
        final FlowTuple plain = tuple(UDP, CLIENT, 1, SERVER, 2);
        add(plain, plain, 0, 1);
        final FlowTuple closing = tuple(TCP, CLIENT, 3, SERVER, 4);
        final int closed = add(closing, tuple(TCP, ROUTER, 5, SERVER, 4), 0, 1);
        final FlowTuple moved = tuple(TCP, CLIENT, 6, "10.0.2.2", 7);
        final int ended = table.add(moved, 0, 1, tuple(TCP, "10.0.2.2", 7, ROUTER, 8), 1, 0);
        final FlowTuple lost = tuple(TCP, CLIENT, 9, "203.0.113.1", 9);
        table.add(lost, 0, 1, tuple(TCP, "203.0.113.1", 9, ROUTER, 9), 1, 0);
        final byte[] arp = ByteBuffer.allocate(60).putLong(0, -1L).putShort(12, (short)0x0806).array();
        final List<byte[]> punted = List.of(
            frame(0, tuple(UDP, CLIENT, 1, SERVER, 3)),
            ipv4(0, ORIGINAL, ACK, 8).options("01010101").bytes(),
            frame(0, closing, FIN_ACK, 0),
            frame(0, moved),
            frame(0, ORIGINAL6, ACK, RouterFixture.MTU),
            arp,
            frame(0, lost),
            ipv4(0, plain, ACK, RouterFixture.MTU).bytes(),
            frame(0, closing));
        final List<byte[]> forwarded = new ArrayList<>();
        for (final byte[] each : punted)
        {
            router.receive(0, frame(0, ORIGINAL));
            forwarded.add(forwarded(1, TRANSLATED));
            router.receive(0, each);
            router.receive(0, frame(0, ORIGINAL6));
            forwarded.add(forwarded(1, TRANSLATED6));
            router.receive(0, frame(0, plain));
            forwarded.add(forwarded(1, plain));
            router.receive(0, ipv4(0, ORIGINAL, ACK, 0).checksum(1).bytes());
        }
        router.run();
        final int rounds = punted.size();
        assertFrames(router.punted(), punted.toArray(new byte[0][]));
        assertFrames(router.sent(1), forwarded.toArray(new byte[0][]));
        assertFrames(router.sent(0));
        assertFrames(router.sent(2));
        assertEquals(3 * rounds, router.count(ForwarderCounter.FLOWS));
        assertEquals(rounds, router.report().get(DropReason.IPV4_BAD_CHECKSUM));
        assertEquals(5 * rounds, router.count(ForwarderCounter.RECEIVED));
        assertEquals(3 * rounds, router.count(ForwarderCounter.FORWARDED));
        assertEquals(rounds, router.count(ForwarderCounter.PUNTED));
        assertCounted(2 * flow, rounds, rounds * (frame(0, ORIGINAL).length - TestFrame.ETHERNET));
        assertCounted(2 * flow6, rounds, rounds * (frame(0, ORIGINAL6).length - TestFrame.ETHERNET));
        assertTrue(table.isValid(flow) && table.isValid(flow6));
        assertFalse(table.isValid(closed) || table.isValid(ended));
    }

    @Test
    void shouldPuntAllWithoutATable()
    {
        masquerade();
        assertForwarded(0, frame(0, ORIGINAL), 1, forwarded(1, TRANSLATED));
        tables.set(null);
        assertPunted(0, frame(0, ORIGINAL));
        assertPunted(0, frame(0, ORIGINAL6));
        tables.set(table);
        assertForwarded(0, frame(0, ORIGINAL), 1, forwarded(1, TRANSLATED));
    }

    @Test
    void shouldUseTheTableOfTheNextBatch()
    {
        masquerade();
        try (FlowMemory next = FlowMemory.ofProcess(1))
        {
            final FlowTable other = new FlowTable(next, 1, 1);
            assertTrue(other.add(ORIGINAL, 0, 1, tuple(TCP, ROUTER, 6, SERVER, 80).inverse(), 1, 0) > 0);
            tables.set(other);
            assertForwarded(0, frame(0, ORIGINAL), 1, forwarded(1, tuple(TCP, ROUTER, 6, SERVER, 80)));
            assertPunted(1, frame(1, TRANSLATED.inverse()));
            tables.set(table);
            assertForwarded(1, frame(1, TRANSLATED.inverse()), 0, forwarded(0, ORIGINAL.inverse()));
        }
    }

    @Test
    void shouldTakeNoPartUnlessThePolicySaysSo()
    {
        final int flow = masquerade();
        add(ORIGINAL6, TRANSLATED6, 0, 1);
        policy(InterfacePolicy.OPEN);
        assertForwarded(0, frame(0, ORIGINAL), 1, forwarded(1, ORIGINAL));
        assertForwarded(0, frame(0, ORIGINAL, FIN_ACK, 0), 1, forwarded(1, frame(1, ORIGINAL, FIN_ACK, 0)));
        assertForwarded(0, frame(0, ORIGINAL6), 1, forwarded(1, ORIGINAL6));
        assertPunted(1, frame(1, TRANSLATED.inverse()));
        assertEquals(0, router.count(ForwarderCounter.FLOWS));
        assertCounted(2 * flow, 0, 0);
        assertTrue(table.isValid(flow));
        policy(new InterfacePolicy(Transit.KERNEL, ReversePath.OFF, Transit.FLOWS));
        assertPunted(0, frame(0, ORIGINAL));
        assertForwarded(0, frame(0, ORIGINAL6), 1, forwarded(1, TRANSLATED6));
    }

    @Test
    void shouldConcernOnlyTheFamilyOfThePolicy()
    {
        masquerade();
        add(ORIGINAL6, TRANSLATED6, 0, 1);
        final FlowTuple unknown = tuple(TCP, CLIENT, 1, SERVER, 2);
        final FlowTuple unknown6 = tuple(TCP, "2001:db8:0::2", 1, "2001:db8:1::2", 2);
        policy(new InterfacePolicy(Transit.FLOWS, ReversePath.OFF, Transit.ALL));
        assertForwarded(0, frame(0, ORIGINAL), 1, forwarded(1, TRANSLATED));
        assertForwarded(0, frame(0, ORIGINAL6), 1, forwarded(1, ORIGINAL6));
        assertForwarded(0, frame(0, unknown6), 1, forwarded(1, unknown6));
        assertPunted(0, frame(0, unknown));
        policy(new InterfacePolicy(Transit.ALL, ReversePath.OFF, Transit.FLOWS));
        assertForwarded(0, frame(0, ORIGINAL), 1, forwarded(1, ORIGINAL));
        assertForwarded(0, frame(0, ORIGINAL6), 1, forwarded(1, TRANSLATED6));
        assertForwarded(0, frame(0, unknown), 1, forwarded(1, unknown));
        assertPunted(0, frame(0, unknown6));
    }

    /** The source on the wire is checked, as the kernel does, which translates sources last. */
    @Test
    void shouldCheckTheReversePathOfTheSourceOnTheWire()
    {
        masquerade();
        policy(new InterfacePolicy(Transit.FLOWS, ReversePath.STRICT, Transit.FLOWS));
        assertForwarded(0, frame(0, ORIGINAL), 1, forwarded(1, TRANSLATED));
        assertForwarded(1, frame(1, TRANSLATED.inverse()), 0, forwarded(0, ORIGINAL.inverse()));
    }
}
