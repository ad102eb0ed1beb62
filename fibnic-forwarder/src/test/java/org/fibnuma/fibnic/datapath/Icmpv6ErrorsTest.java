package org.fibnuma.fibnic.datapath;

import org.fibnuma.core.kernel.KernelAddress;
import org.fibnuma.core.kernel.RouteOptions;
import org.fibnuma.core.wire.IpAddress;
import org.fibnuma.fibnic.adjacency.Adjacency;
import org.fibnuma.fibnic.adjacency.RouterInterface;
import org.fibnuma.fibnic.fate.DropReason;
import org.fibnuma.fibnic.fate.ForwarderCounter;
import org.fibnuma.fibnic.rate.RateLimit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

class Icmpv6ErrorsTest
{
    private static final int BURST = 5;
    private static final int ICMP = TestFrame6.PAYLOAD;
    private static final int QUOTE = ICMP + 8;

    private final RouterFixture router = new RouterFixture(2, context ->
        context.forwardsIpv6(true).icmpErrors(new RateLimit(10, BURST)));

    @AfterEach
    void after()
    {
        router.close();
    }

    private List<byte[]> answersTo(final byte[] frame)
    {
        assertEquals(List.of(), router.forward(frame));
        return router.sent(0);
    }

    private byte[] answerTo(final byte[] frame)
    {
        return answerTo(frame, frame);
    }

    private byte[] answerTo(final byte[] frame, final byte[] quoted)
    {
        final List<byte[]> answers = answersTo(frame);
        assertEquals(1, answers.size());
        final byte[] answer = answers.get(0);
        assertEquals(0x86DD, TestFrame.u16(answer, 12));
        assertEquals(0x6000, TestFrame.u16(answer, TestFrame.ETHERNET));
        assertEquals(answer.length - TestFrame6.PAYLOAD, TestFrame.u16(answer, TestFrame.ETHERNET + 4));
        assertEquals(58, TestFrame.u8(answer, TestFrame.ETHERNET + 6), "next header");
        assertEquals(64, TestFrame.u8(answer, TestFrame.ETHERNET + 7), "hop limit");
        assertEquals(0, TestFrame6.checksumOf(answer), "checksum");
        assertArrayEquals(
            Arrays.copyOfRange(quoted, TestFrame.ETHERNET, TestFrame.ETHERNET + answer.length - QUOTE),
            Arrays.copyOfRange(answer, QUOTE, answer.length), "the quoted packet");
        return answer;
    }

    private static void assertTypeAndCode(final int type, final int code, final byte[] answer)
    {
        assertEquals(type << 8 | code, TestFrame.u16(answer, ICMP), "type and code");
    }

    private static TestFrame6 expired()
    {
        return TestFrame6.ipv6().hopLimit(1).payload(16);
    }

    /** RFC 4443 section 3.3. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1})
    void shouldTellTheSenderThatTheHopLimitRanOut(final int hopLimit)
    {
        final byte[] answer = answerTo(expired().hopLimit(hopLimit).trafficClass(0xAB).bytes());
        assertArrayEquals(
            TestFrame.hex("020000000200 020000000100 86dd"), Arrays.copyOf(answer, TestFrame.ETHERNET));
        assertTypeAndCode(3, 0, answer);
        assertEquals(0, TestFrame.s32(answer, ICMP + 4), "unused");
        assertArrayEquals(TestFrame6.ip("2001:db8:0::1"), TestFrame6.source(answer), "facing the sender");
        assertArrayEquals(TestFrame6.ip("2001:db8:0::2"), TestFrame6.destination(answer));
        assertEquals(1, router.count(ForwarderCounter.ORIGINATED));
        assertEquals(0, router.count(ForwarderCounter.FORWARDED));
        router.assertAllDropped(DropReason.IPV6_HOP_LIMIT);
    }

    /** RFC 4443 section 3.1; an unreachable route as Linux has it. */
    @ParameterizedTest
    @CsvSource({RouterFixture.NO_ROUTE + ",0", RouterFixture.UNREACHABLE + ",0", RouterFixture.PROHIBIT + ",1"})
    void shouldTellTheSenderWhatTheRouteSays(final int adjacency, final int code)
    {
        router.routeIpv6("2001:db8:9::", 48, adjacency);
        assertTypeAndCode(1, code, answerTo(TestFrame6.ipv6().destination("2001:db8:9::1").payload(9).bytes()));
    }

    /** RFC 4443 section 3.2. */
    @Test
    void shouldTellTheSenderTheMtuOfTheNextHop()
    {
        router.adjacencies.set(RouterFixture.HOST6 + 1, Adjacency.forward(1, IpAddress.NONE, 1400, 1, 2));
        final byte[] answer = answerTo(TestFrame6.ipv6().payload(1361).bytes());
        assertTypeAndCode(2, 0, answer);
        assertEquals(1400, TestFrame.s32(answer, ICMP + 4));
        router.assertAllDropped(DropReason.IPV6_TOO_BIG);
    }

    /** RFC 8200 section 5, RFC 8201 section 4: no link has less than 1,280 bytes. */
    @Test
    void shouldNotTellAnMtuBelowTheSmallest()
    {
        router.adjacencies.set(RouterFixture.HOST6 + 1, Adjacency.forward(1, IpAddress.NONE, 1000, 1, 2));
        assertEquals(1280, TestFrame.s32(answerTo(TestFrame6.ipv6().payload(1361).bytes()), ICMP + 4));
    }

    /** RFC 4443 section 2.4 (c): as much as fits into 1,280 bytes. */
    @ParameterizedTest
    @CsvSource({"0,88", "1191,1279", "1192,1280", "1193,1280", "1400,1280"})
    void shouldQuoteAsMuchAsFits(final int payload, final int packet)
    {
        final byte[] answer = answerTo(expired().payload(payload).bytes());
        assertEquals(TestFrame.ETHERNET + packet, answer.length);
    }

    @Test
    void shouldQuoteNoPadding()
    {
        assertEquals(QUOTE + 40 + 3, answerTo(expired().payload(3).padding(15).bytes()).length);
    }

    /** RFC 4291 section 2.5.6, RFC 4443 section 3.1 code 2: back to the MAC address of the sender on the link. */
    @Test
    void shouldTellALinkLocalSenderThatItsPacketIsBeyondScope()
    {
        final byte[] answer = answerTo(TestFrame6.ipv6().source("fe80::2").payload(8).bytes());
        assertTypeAndCode(1, 2, answer);
        assertArrayEquals(
            TestFrame.hex("020000000200 020000000100 86dd"), Arrays.copyOf(answer, TestFrame.ETHERNET));
        assertArrayEquals(TestFrame6.ip("fe80::0:1"), TestFrame6.source(answer));
        assertArrayEquals(TestFrame6.ip("fe80::2"), TestFrame6.destination(answer));
        assertEquals(1, router.count(ForwarderCounter.ORIGINATED));
        router.assertAllDropped(DropReason.IPV6_BEYOND_SCOPE);
    }

    /** RFC 4291 section 2.5.6: the 54 bits behind fe80::/10 are 0. Only the kernel may have a route to others. */
    @Test
    void shouldLeaveALinkLocalSenderOfNoLinkToTheKernel()
    {
        assertEquals(List.of(), answersTo(TestFrame6.ipv6().source("fe80:800::2").payload(8).bytes()));
        assertEquals(1, router.count(ForwarderCounter.PUNTED));
    }

    /** Time exceeded comes first, as in Linux; also to a neighbour that is not resolved. */
    @Test
    void shouldCheckHopLimitAndScopeBeforeItHolds()
    {
        assertTypeAndCode(3, 0, answerTo(
            TestFrame6.ipv6().source("fe80::2").destination("2001:db8:1::9").hopLimit(1).bytes()));
        assertTypeAndCode(1, 2, answerTo(
            TestFrame6.ipv6().source("fe80::2").destination("2001:db8:1::9").bytes()));
        assertEquals(0, router.count(ForwarderCounter.HELD));
    }

    /** RFC 4443 section 3.1 code 3. */
    @Test
    void shouldTellTheSenderThatANeighbourDoesNotAnswer()
    {
        final byte[] frame = TestFrame6.ipv6().destination("2001:db8:1::9").payload(20).bytes();
        assertEquals(List.of(), answersTo(frame));
        router.clock.advance(TimeUnit.SECONDS.toNanos(3));
        router.run();
        final List<byte[]> answers = router.sent(0);
        assertEquals(1, answers.size());
        assertTypeAndCode(1, 3, answers.get(0));
        assertEquals(0, TestFrame6.checksumOf(answers.get(0)));
        router.assertAllDropped(DropReason.NEIGHBOR_UNRESOLVED);
    }

    @Test
    void shouldBeSilentAboutABlackhole()
    {
        router.routeIpv6("2001:db8:9::", 48, RouterFixture.BLACKHOLE);
        assertEquals(List.of(), answersTo(TestFrame6.ipv6().destination("2001:db8:9::1").bytes()));
    }

    /** RFC 4443 section 2.4 (e.1) and (e.2): errors have types below 128; 137 is the redirect. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3, 4, 127, 137})
    void shouldBeSilentAboutErrorsAndRedirects(final int type)
    {
        final byte[] message = new byte[16];
        message[0] = (byte)type;
        assertEquals(List.of(), answersTo(expired().nextHeader(58).payload(message).bytes()));
        // The same behind hop-by-hop options, a routing header, a first fragment's header and authentication.
        final byte[] headers = TestFrame.hex(
            "2b00010400000000" + "2c01000000000000" + "0000000000000000" + "33000001deadbeef" +
            "3a04000000000001" + "0000000000000000" + "0000000000000000");
        final byte[] packet = Arrays.copyOf(headers, headers.length + message.length);
        System.arraycopy(message, 0, packet, headers.length, message.length);
        assertEquals(List.of(), answersTo(expired().nextHeader(0).payload(packet).bytes()));
        packet[headers.length] = (byte)128;
        assertEquals(1, answersTo(expired().nextHeader(0).payload(packet).bytes()).size(), "an echo request");
    }

    @Test
    void shouldBeSilentAboutWhatMayBePartOfAnError()
    {
        assertEquals(List.of(), answersTo(expired().nextHeader(58).payload(0).bytes()), "no type");
        assertEquals(List.of(), answersTo(
            expired().nextHeader(44).payload(TestFrame.hex("3a000009deadbeef 8000000000000000")).bytes()),
            "a later fragment of ICMPv6");
        assertEquals(1, answersTo(
            expired().nextHeader(44).payload(TestFrame.hex("11000009deadbeef 0000000000000000")).bytes()).size(),
            "a later fragment of UDP");
    }

    /** RFC 4443 section 2.4 (f). */
    @Test
    void shouldLimitTheRate()
    {
        int answers = 0;
        for (int i = 0; i < 3 * BURST; i++)
        {
            answers += answersTo(expired().bytes()).size();
        }
        assertEquals(BURST, answers);
        assertEquals(2 * BURST, router.count(ForwarderCounter.ICMP_SUPPRESSED));
        router.clock.advance(TimeUnit.MILLISECONDS.toNanos(100));
        assertEquals(1, answersTo(expired().bytes()).size());
        router.assertBalanced();
    }

    /** As the kernel: of the interface that the packet came in by, unless the route to the sender has a source. */
    @Test
    void shouldUseTheAddressOfTheIngressInterfaceUnlessTheRouteHasASource()
    {
        router.routeIpv6("2001:db8:7::", 48, RouterFixture.HOST6 + 1);
        router.receive(0, expired().source("2001:db8:7::9").destination("2001:db8:0::2").bytes());
        router.run();
        final List<byte[]> answers = router.sent(1);
        assertEquals(1, answers.size());
        assertArrayEquals(TestFrame6.ip("2001:db8:0::1"), TestFrame6.source(answers.get(0)));
        router.adjacencies.set(RouterFixture.HOST6 + 1, router.adjacencies.get(RouterFixture.HOST6 + 1).with(
            new RouteOptions(0, false, IpAddress.parse("2001:db8:1::1"), 0), RouterFixture.MTU));
        router.receive(0, expired().source("2001:db8:7::9").destination("2001:db8:0::2").bytes());
        router.run();
        assertArrayEquals(TestFrame6.ip("2001:db8:1::1"), TestFrame6.source(router.sent(1).get(0)));
    }

    /** Linux 6.18 was seen to report an MTU below 1,280 bytes only where it is that of a route. */
    @Test
    void shouldTellTheSenderTheMtuOfTheRoute()
    {
        router.adjacencies.set(RouterFixture.HOST6 + 1, router.adjacencies.get(RouterFixture.HOST6 + 1).with(
            new RouteOptions(1000, false, IpAddress.NONE, 0), RouterFixture.MTU));
        // The kernel has lowered the hop limit when it looks at the MTU of a route.
        final byte[] answer = answerTo(
            TestFrame6.ipv6().hopLimit(9).payload(1001).bytes(), TestFrame6.ipv6().hopLimit(8).payload(1001).bytes());
        assertEquals(1000, TestFrame.s32(answer, TestFrame.ETHERNET + 44));
    }

    @Test
    void shouldTellTheSenderTheMtuOfTheLinkFirst()
    {
        final Adjacency plain = router.adjacencies.get(RouterFixture.HOST6 + 1);
        router.adjacencies.set(
            RouterFixture.HOST6 + 1, plain.with(new RouteOptions(1280, false, IpAddress.NONE, 0), 1400));
        assertEquals(1400, TestFrame.s32(
            answerTo(TestFrame6.ipv6().payload(1361).bytes()), TestFrame.ETHERNET + 44));
        router.adjacencies.set(
            RouterFixture.HOST6 + 1, plain.with(new RouteOptions(1300, true, IpAddress.NONE, 0), 1400));
        assertEquals(1300, TestFrame.s32(
            answerTo(TestFrame6.ipv6().payload(1261).bytes()), TestFrame.ETHERNET + 44));
    }

    @Test
    void shouldUseAnotherInterfacesGlobalAddressRatherThanALinkLocalOne()
    {
        router.set(0, RouterInterface.of(RouterFixture.routerMac(0), RouterFixture.MTU, List.of(
            new KernelAddress(0, IpAddress.parse("fe80::1"), 64)), false));
        assertArrayEquals(TestFrame6.ip("2001:db8:1::1"), TestFrame6.source(answerTo(expired().bytes())));
    }

    @Test
    void shouldBeSilentWithoutAnAddress()
    {
        for (int port = 0; port < 2; port++)
        {
            router.set(
                port, new RouterInterface(RouterFixture.routerMac(port), RouterFixture.MTU, List.of()));
        }
        assertEquals(List.of(), answersTo(expired().bytes()));
        assertEquals(List.of(), answersTo(TestFrame6.ipv6().source("fe80::2").bytes()));
        assertEquals(2, router.count(ForwarderCounter.ICMP_SUPPRESSED));
        router.assertBalanced();
    }

    /** Errors about both families in one batch. */
    @Test
    void shouldAnswerBothFamilies()
    {
        router.receive(0, expired().bytes());
        router.receive(0, TestFrame.ipv4().ttl(1).bytes());
        router.receive(0, expired().bytes());
        router.run();
        final List<byte[]> answers = router.sent(0);
        assertEquals(3, answers.size());
        assertEquals(1, answers.stream().filter(answer -> TestFrame.u16(answer, 12) == 0x0800).count());
        router.assertBalanced();
    }
}
