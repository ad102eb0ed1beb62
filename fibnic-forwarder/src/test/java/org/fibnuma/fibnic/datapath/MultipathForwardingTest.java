package org.fibnuma.fibnic.datapath;

import org.fibnuma.core.kernel.InterfacePolicy;
import org.fibnuma.core.kernel.ReversePath;
import org.fibnuma.core.wire.IpAddress;
import org.fibnuma.core.wire.IpProtocol;
import org.fibnuma.fibnic.adjacency.Adjacency;
import org.fibnuma.fibnic.adjacency.AdjacencyGroup;
import org.fibnuma.fibnic.fate.DropReason;
import org.fibnuma.fibnic.fate.ForwarderCounter;
import org.fibnuma.fibnic.multipath.Flow;
import org.fibnuma.fibnic.multipath.FlowHash;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Frames from port 0 to a network behind the hosts of ports 1 and 2. */
class MultipathForwardingTest
{
    private static final int GROUP = 140;
    private static final int GROUP6 = 141;
    private static final int BUCKETS = 64;
    private static final int FLOWS = 100;
    private static final String DESTINATION = "203.0.113.9";
    private static final String DESTINATION6 = "2001:db8:99::9";

    private final FlowHash hash = new FlowHash(7);
    private final RouterFixture router = new RouterFixture(3, this::settings);

    private void settings(final ForwarderContext context)
    {
        context.flowHash(hash).forwardsIpv6(true);
    }

    private void route(final RouterFixture to)
    {
        to.adjacencies.set(GROUP, group(2, 3, null));
        to.adjacencies.set(GROUP6, group(RouterFixture.HOST6 + 1, RouterFixture.HOST6 + 2, null));
        to.route("203.0.113.0", 24, GROUP);
        to.routeIpv6("2001:db8:99::", 48, GROUP6);
    }

    private static Adjacency group(final int even, final int odd, final int[] usedMs)
    {
        return Adjacency.group(new AdjacencyGroup(
            new int[]{even, odd}, new int[]{1, 1}, IntStream.range(0, BUCKETS).map(i -> i % 2).toArray(), usedMs));
    }

    @AfterEach
    void close()
    {
        router.close();
    }

    private static byte[] ports(final int source, final int destination, final int length)
    {
        final byte[] bytes = new byte[length];
        bytes[0] = (byte)(source >>> 8);
        bytes[1] = (byte)source;
        bytes[2] = (byte)(destination >>> 8);
        bytes[3] = (byte)destination;
        return bytes;
    }

    /** The port that a frame leaves by. */
    private static int egress(final RouterFixture of, final byte[] frame)
    {
        of.receive(0, frame);
        of.run();
        final int byOne = of.sent(1).size();
        final int byTwo = of.sent(2).size();
        assertEquals(1, byOne + byTwo, "sent");
        return byOne > 0 ? 1 : 2;
    }

    private int expected(final Flow flow)
    {
        return 1 + router.adjacencies.get(GROUP).group().bucket(hash.of(flow)) % 2;
    }

    private static TestFrame udp(final int host, final int port)
    {
        return TestFrame.ipv4().source("10.0.0." + host).destination(DESTINATION).protocol(IpProtocol.UDP)
            .payload(ports(port, 53, 26));
    }

    private static Flow flow(final int host, final int port)
    {
        return new Flow(
            IpAddress.parse("10.0.0." + host), IpAddress.parse(DESTINATION), IpProtocol.UDP, port, 53, 0);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldSendFlowsOfIpv4WhereTheirHashLeads(final boolean byPorts)
    {
        route(router);
        hash.byPorts(false, byPorts);
        final Set<Integer> ofOneHost = new HashSet<>();
        final Set<Integer> ofAllHosts = new HashSet<>();
        for (int i = 0; i < FLOWS; i++)
        {
            assertEquals(expected(flow(2, 5000 + i)), egress(router, udp(2, 5000 + i).bytes()));
            assertEquals(expected(flow(2 + i, 5000)), egress(router, udp(2 + i, 5000).bytes()));
            ofOneHost.add(expected(flow(2, 5000 + i)));
            ofAllHosts.add(expected(flow(2 + i, 5000)));
        }
        assertEquals(byPorts ? 2 : 1, ofOneHost.size(), "ports used by one host");
        assertEquals(2, ofAllHosts.size());
        assertEquals(0, router.count(ForwarderCounter.EXCEPTIONS));
        router.assertBalanced();
    }

    /** RFC 6437: the flow label tells flows apart if the ports do not count. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldSendFlowsOfIpv6WhereTheirHashLeads(final boolean byPorts)
    {
        route(router);
        hash.byPorts(true, byPorts);
        final Set<Integer> byLabel = new HashSet<>();
        final Set<Integer> byPort = new HashSet<>();
        for (int i = 0; i < FLOWS; i++)
        {
            byLabel.add(check(5000, i));
            byPort.add(check(5000 + i, 9));
        }
        assertEquals(byPorts ? 1 : 2, byLabel.size());
        assertEquals(byPorts ? 2 : 1, byPort.size());
        router.assertBalanced();
    }

    private int check(final int port, final int label)
    {
        final byte[] frame = TestFrame6.ipv6().destination(DESTINATION6).nextHeader(IpProtocol.TCP).flowLabel(label)
            .payload(ports(port, 443, 26)).bytes();
        final IpAddress source = address(TestFrame6.source(frame));
        final int leaves = egress(router, frame);
        assertEquals(
            expected(new Flow(source, IpAddress.parse(DESTINATION6), IpProtocol.TCP, port, 443, label)), leaves);
        return leaves;
    }

    private static IpAddress address(final byte[] bytes)
    {
        long high = 0;
        long low = 0;
        for (int i = 0; i < 8; i++)
        {
            high = high << 8 | bytes[i] & 0xFF;
            low = low << 8 | bytes[8 + i] & 0xFF;
        }
        return new IpAddress(high, low);
    }

    /** All fragments of a packet go one way, whatever is where the ports would be. */
    @Test
    void shouldSendFragmentsByTheirAddresses()
    {
        route(router);
        hash.byPorts(false, true);
        hash.byPorts(true, true);
        final Set<Integer> ports = new HashSet<>();
        final Set<Integer> ports6 = new HashSet<>();
        for (int i = 0; i < FLOWS; i++)
        {
            ports.add(egress(router, udp(2, i).flagsAndOffset(0x2000).bytes()));
            ports.add(egress(router, udp(2, i).flagsAndOffset(0x0003).bytes()));
            final byte[] fragment = new byte[34];
            fragment[0] = IpProtocol.UDP;
            fragment[3] = (byte)(i % 2 == 0 ? 1 : 0x18);
            System.arraycopy(ports(i, 53, 26), 0, fragment, 8, 26);
            ports6.add(egress(router, TestFrame6.ipv6().destination(DESTINATION6).nextHeader(IpProtocol.FRAGMENT)
                .payload(fragment).bytes()));
        }
        assertEquals(1, ports.size());
        assertEquals(1, ports6.size());
    }

    /**
     * An error about a reply of an address with several servers goes to the server that the client's packets reach. The
     * quoted packet is the reply, from the server's address to the client.
     */
    @Test
    void shouldSendIcmpErrorsWhereTheFlowGoesThatTheyReportOn()
    {
        route(router);
        int otherWay = 0;
        for (int i = 0; i < FLOWS; i++)
        {
            final int flow = egress(router, udp(2 + i, 5000).bytes());
            final byte[] reply = TestFrame.ipv4().source(DESTINATION).destination("10.0.0." + (2 + i))
                .protocol(IpProtocol.UDP).payload(8).bytes();
            for (final int type : new int[]{3, 4, 5, 11, 12})
            {
                assertEquals(flow, egress(router, icmp(type, reply, 28, i).bytes()), "type " + type);
            }
            otherWay += egress(router, icmp(8, reply, 28, i).bytes()) != flow ? 1 : 0;
            egress(router, icmp(3, reply, 19, i).bytes());
            egress(router, icmp(3, reply, 28, i).flagsAndOffset(0x2000).bytes());
        }
        assertTrue(otherWay > FLOWS / 4, "echo requests by their own addresses: " + otherWay);
        router.assertBalanced();
    }

    private static TestFrame icmp(final int type, final byte[] quoted, final int quotedLength, final int router)
    {
        final byte[] message = new byte[8 + quotedLength];
        message[0] = (byte)type;
        System.arraycopy(quoted, 14, message, 8, quotedLength);
        return TestFrame.ipv4().source("10.0.7." + router).destination(DESTINATION).protocol(IpProtocol.ICMP)
            .payload(message);
    }

    @Test
    void shouldSendIcmpv6ErrorsWhereTheFlowGoesThatTheyReportOn()
    {
        route(router);
        int otherWay = 0;
        for (int i = 0; i < FLOWS; i++)
        {
            final String client = "2001:db8:0:1::" + Integer.toHexString(2 + i);
            final int flow = egress(router, TestFrame6.ipv6().source(client).destination(DESTINATION6)
                .nextHeader(IpProtocol.UDP).payload(ports(5000, 53, 26)).bytes());
            final byte[] reply = TestFrame6.ipv6().source(DESTINATION6).destination(client)
                .nextHeader(IpProtocol.UDP).payload(8).bytes();
            for (final int type : new int[]{1, 2, 3, 4})
            {
                assertEquals(flow, egress(router, icmpv6(type, reply, 48, i)), "type " + type);
            }
            otherWay += egress(router, icmpv6(128, reply, 48, i)) != flow ? 1 : 0;
            egress(router, icmpv6(1, reply, 39, i));
        }
        assertTrue(otherWay > FLOWS / 4, "echo requests by their own addresses: " + otherWay);
        router.assertBalanced();
    }

    private static byte[] icmpv6(final int type, final byte[] quoted, final int quotedLength, final int router)
    {
        final byte[] message = new byte[8 + quotedLength];
        message[0] = (byte)type;
        System.arraycopy(quoted, 14, message, 8, quotedLength);
        return TestFrame6.ipv6().source("2001:db8:0:7::" + Integer.toHexString(1 + router)).destination(DESTINATION6)
            .nextHeader(IpProtocol.ICMPV6).payload(message).bytes();
    }

    /** Options and an unusual path do not change the way of a flow. */
    @Test
    void shouldSendExceptionsAsOrdinaryFrames()
    {
        route(router);
        hash.byPorts(false, true);
        try (RouterFixture exceptions = RouterFixture.ofExceptions(3, this::settings))
        {
            route(exceptions);
            for (int i = 0; i < FLOWS; i++)
            {
                final int ordinary = egress(router, udp(2, i).bytes());
                assertEquals(ordinary, egress(router, udp(2, i).options("01010100").bytes()));
                assertEquals(ordinary, egress(exceptions, udp(2, i).bytes()));
                final byte[] ipv6 = TestFrame6.ipv6().destination(DESTINATION6).flowLabel(i).payload(26).bytes();
                assertEquals(egress(router, ipv6), egress(exceptions, ipv6));
            }
        }
    }

    /** A whole batch of both families and ways at once. */
    @Test
    void shouldDivideAMixedBatch()
    {
        route(router);
        hash.byPorts(false, true);
        int byOne = 0;
        for (int i = 0; i < FLOWS; i++)
        {
            router.receive(0, udp(2, i).bytes());
            router.receive(0, udp(2, i).options("01010100").ttl(i % 2 == 0 ? 9 : 1).bytes());
            router.receive(0, TestFrame.ipv4().payload(26).bytes());
            byOne += expected(flow(2, i)) == 1 ? 1 + (i + 1) % 2 : 0;
            router.run();
        }
        assertEquals(FLOWS + byOne, router.sent(1).size());
        assertEquals(FLOWS + FLOWS / 2 - byOne, router.sent(2).size());
        assertEquals(FLOWS / 2, router.report().get(DropReason.IPV4_TTL_EXPIRED));
        router.assertBalanced();
    }

    /** A frame waits for the neighbour of its member, and takes another member when that one fails. */
    @Test
    void shouldHoldFramesForTheMemberTheyTake()
    {
        hash.byPorts(false, true);
        router.adjacencies.set(
            RouterFixture.UNRESOLVED, Adjacency.unresolved(1, IpAddress.parse("10.0.1.77"), RouterFixture.MTU));
        router.adjacencies.set(GROUP, group(RouterFixture.UNRESOLVED, 3, null));
        router.route("203.0.113.0", 24, GROUP);
        int held = 0;
        for (int i = 0; i < 12; i++)
        {
            router.receive(0, udp(2, i).bytes());
            held += expected(flow(2, i)) == 1 ? 1 : 0;
        }
        router.run();
        assertTrue(held > 0 && held <= 8, "held " + held);
        assertEquals(12 - held, router.sent(2).size());
        assertEquals(held, router.count(ForwarderCounter.HELD));
        assertEquals(List.of("1 10.0.1.77"), router.resolveRequests);
        router.clock.advance(TimeUnit.SECONDS.toNanos(1));
        router.adjacencies.set(GROUP, group(3, 3, null));
        router.run();
        assertEquals(held, router.sent(2).size());
        assertEquals(0, router.count(ForwarderCounter.HELD));
        router.assertBalanced();
    }

    @Test
    void shouldRecordTheUseOfBucketsOfAResilientGroup()
    {
        final int[] usedMs = new int[BUCKETS];
        router.adjacencies.set(GROUP, group(2, 3, usedMs));
        router.route("203.0.113.0", 24, GROUP);
        router.clock.advance(TimeUnit.SECONDS.toNanos(9));
        egress(router, udp(2, 1).bytes());
        final int bucket = router.adjacencies.get(GROUP).group().bucket(hash.of(flow(2, 1)));
        for (int i = 0; i < BUCKETS; i++)
        {
            assertEquals(i == bucket ? (int)(router.clock.nanoTime() / 1_000_000) : 0, usedMs[i]);
        }
    }

    /** As in the kernel (fib_info_nh_uses_dev), the source may be reached by any of the next hops. */
    @Test
    void shouldAcceptSourcesByTheInterfaceOfAnyMember()
    {
        router.adjacencies.set(GROUP, group(1, 2, null));
        router.route("198.51.100.0", 24, GROUP);
        for (int port = 0; port < 3; port++)
        {
            router.interfaces.set(
                port, router.interfaces.get(port).with(new InterfacePolicy(true, ReversePath.STRICT, true)));
            router.receive(port, TestFrame.ipv4().to("02:00:00:00:01:0" + port)
                .source("198.51.100.7").destination("10.0.2.2").payload(26).bytes());
        }
        router.run();
        assertEquals(2, router.sent(2).size());
        assertEquals(1, router.report().get(DropReason.IPV4_REVERSE_PATH));
        router.assertBalanced();
    }
}
