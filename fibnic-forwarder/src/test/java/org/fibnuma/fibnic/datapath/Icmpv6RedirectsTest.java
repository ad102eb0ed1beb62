package org.fibnuma.fibnic.datapath;

import org.fibnuma.core.kernel.KernelAddress;
import org.fibnuma.core.wire.IpAddress;
import org.fibnuma.fibnic.adjacency.Adjacency;
import org.fibnuma.fibnic.adjacency.RouterInterface;
import org.fibnuma.fibnic.fate.ForwarderCounter;
import org.fibnuma.fibnic.rate.RateLimit;
import org.fibnuma.fibnic.rate.RedirectTimes;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** RFC 4861 section 8.2: port 0 leads to 2001:db8:0::2, the sender, and to fe80::7, a better router. */
class Icmpv6RedirectsTest
{
    private static final int BURST = 5;
    private static final int ICMP = TestFrame6.PAYLOAD;
    private static final int QUOTE = ICMP + 56;
    private static final int BETTER = 60;
    private static final String BETTER_MAC = "020000000207";
    private static final int ORDINARY = 64;

    private RouterFixture router = open(true);

    private static RouterFixture open(final boolean enabled)
    {
        return new RouterFixture(2, context -> context
            .forwardsIpv6(true).sendsIpv6Redirects(enabled).icmpErrors(new RateLimit(10, BURST)));
    }

    @BeforeEach
    void before()
    {
        router.clock.advance(TimeUnit.HOURS.toNanos(1));
        better("fe80::7");
    }

    private void better(final String nextHop)
    {
        router.adjacencies.set(BETTER, Adjacency.forward(
            0, IpAddress.parse(nextHop), RouterFixture.MTU, 0x0200_0000_0207L, RouterFixture.routerMac(0)));
        router.routeIpv6("2001:db8:9::", 48, BETTER);
    }

    @AfterEach
    void after()
    {
        router.close();
    }

    private static TestFrame6 frame(final String destination)
    {
        return TestFrame6.ipv6().hopLimit(ORDINARY).destination(destination).payload(20);
    }

    private List<byte[]> answersTo(final byte[] frame)
    {
        router.receive(0, frame);
        router.run();
        final List<byte[]> sent = router.sent(0);
        assertTrue(sent.removeIf(each -> TestFrame.u8(each, TestFrame.ETHERNET + 6) == 17), "forwarded all the same");
        return sent;
    }

    /** Section 4.5, byte for byte. */
    @Test
    void shouldTellTheSenderOfTheBetterRouter()
    {
        final byte[] in = frame("2001:db8:9::1").bytes();
        final List<byte[]> answers = answersTo(in);
        assertEquals(1, answers.size());
        final byte[] answer = answers.get(0);
        assertArrayEquals(
            TestFrame.hex("020000000200 020000000100 86dd 60000000"), Arrays.copyOf(answer, TestFrame.ETHERNET + 4));
        assertEquals(answer.length - ICMP, TestFrame.u16(answer, TestFrame.ETHERNET + 4));
        assertEquals(58 << 8 | 255, TestFrame.u16(answer, TestFrame.ETHERNET + 6), "ICMPv6, hop limit 255");
        assertArrayEquals(TestFrame6.ip("fe80::0:1"), TestFrame6.source(answer), "the port's link-local address");
        assertArrayEquals(TestFrame6.ip("2001:db8:0::2"), TestFrame6.destination(answer));
        assertEquals(0, TestFrame6.checksumOf(answer));
        assertEquals(137 << 8, TestFrame.u16(answer, ICMP), "redirect");
        assertEquals(0, TestFrame.s32(answer, ICMP + 4), "reserved");
        assertArrayEquals(TestFrame6.ip("fe80::7"), TestFrame6.slice(answer, ICMP + 8, 16), "target");
        assertArrayEquals(TestFrame6.ip("2001:db8:9::1"), TestFrame6.slice(answer, ICMP + 24, 16), "destination");
        assertArrayEquals(TestFrame.hex("0201" + BETTER_MAC), TestFrame6.slice(answer, ICMP + 40, 8));
        // 60 bytes of packet are filled up to 64: 1 + 8 units.
        assertArrayEquals(TestFrame.hex("0409000000000000"), TestFrame6.slice(answer, ICMP + 48, 8));
        assertArrayEquals(
            Arrays.copyOf(Arrays.copyOfRange(in, TestFrame.ETHERNET, in.length), 64),
            Arrays.copyOfRange(answer, QUOTE, answer.length), "the packet as it was received");
        assertEquals(1, router.count(ForwarderCounter.ORIGINATED));
        assertEquals(1, router.count(ForwarderCounter.FORWARDED));
        router.assertBalanced();
    }

    /** Section 4.5: the target is the destination itself where that is on the link. */
    @Test
    void shouldTellTheSenderThatTheDestinationIsOnItsLink()
    {
        better("2001:db8:0::7");
        router.routeIpv6("2001:db8:0::7", 128, BETTER);
        final byte[] answer = answersTo(frame("2001:db8:0::7").bytes()).get(0);
        assertArrayEquals(TestFrame6.ip("2001:db8:0::7"), TestFrame6.slice(answer, ICMP + 8, 16), "target");
        assertArrayEquals(TestFrame6.ip("2001:db8:0::7"), TestFrame6.slice(answer, ICMP + 24, 16), "destination");
    }

    /** Section 4.6.3: as much of the packet as fits a message of 1,280 bytes, in units of eight. */
    @Test
    void shouldQuoteUpTo1280Bytes()
    {
        final byte[] in = frame("2001:db8:9::1").payload(1440).bytes();
        final byte[] answer = answersTo(in).get(0);
        assertEquals(TestFrame.ETHERNET + 40 + 56 + 1184, answer.length);
        assertEquals(1 + 1184 / 8, TestFrame.u8(answer, ICMP + 49));
        assertArrayEquals(
            Arrays.copyOfRange(in, TestFrame.ETHERNET, TestFrame.ETHERNET + 1184),
            Arrays.copyOfRange(answer, QUOTE, answer.length));
        assertEquals(0, TestFrame6.checksumOf(answer));
    }

    /** Section 8.2: the target is a link-local address, or the destination. */
    @Test
    void shouldBeSilentWhereTheNextHopsLinkLocalAddressIsUnknown()
    {
        better("2001:db8:0::7");
        assertEquals(List.of(), answersTo(frame("2001:db8:9::1").bytes()));
    }

    /** Section 8.2: the source is a neighbour. */
    @ParameterizedTest
    @ValueSource(strings = {"2001:db8:1::2", "2001:db8:9::5", "2001:db8:77::1"})
    void shouldBeSilentToSendersThatAreNoNeighbors(final String source)
    {
        assertEquals(List.of(), answersTo(frame("2001:db8:9::1").source(source).bytes()));
    }

    /** A neighbour whose MAC address is not known is resolved before it is told. */
    @Test
    void shouldResolveTheSenderFirst()
    {
        final byte[] in = frame("2001:db8:9::1").source("2001:db8:0::55").bytes();
        assertEquals(List.of(), answersTo(in));
        assertEquals(List.of(), answersTo(in));
        assertEquals(List.of("0 2001:db8::55"), router.resolveRequests, "once a second");
    }

    @Test
    void shouldNotNameTheSenderAsItsOwnRouter()
    {
        router.adjacencies.set(BETTER, Adjacency.forward(0, IpAddress.parse("fe80::2"), RouterFixture.MTU,
            RouterFixture.hostMac(0), RouterFixture.routerMac(0)));
        assertEquals(List.of(), answersTo(frame("2001:db8:9::1").bytes()));
    }

    /** Section 4.5: the source of a redirect is link-local. */
    @Test
    void shouldBeSilentWithoutALinkLocalAddress()
    {
        router.interfaces.set(0, RouterInterface.of(RouterFixture.routerMac(0), RouterFixture.MTU,
            List.of(new KernelAddress(1, IpAddress.parse("2001:db8:0::1"), 64)), true));
        assertEquals(List.of(), answersTo(frame("2001:db8:9::1").bytes()));
    }

    @Test
    void shouldBeSilentWhereItIsSwitchedOff()
    {
        router.close();
        router = open(false);
        better("fe80::7");
        assertEquals(List.of(), answersTo(frame("2001:db8:9::1").bytes()));
    }

    @Test
    void shouldBeSilentWhereTheFrameLeavesByAnotherPort()
    {
        assertEquals(1, router.forward(frame("2001:db8:1::2").bytes()).size());
        assertEquals(List.of(), router.sent(0));
        assertEquals(0, router.count(ForwarderCounter.ORIGINATED));
    }

    /** Section 8.2: rate limiting, for each pair of hosts. */
    @Test
    void shouldTellAPairOnceASecond()
    {
        final byte[] in = frame("2001:db8:9::1").bytes();
        assertEquals(1, answersTo(in).size());
        assertEquals(List.of(), answersTo(in));
        router.clock.advance(RedirectTimes.REPEAT_NS - 1);
        assertEquals(List.of(), answersTo(in));
        assertEquals(1, answersTo(frame("2001:db8:9::3").bytes()).size(), "another destination");
        router.clock.advance(1);
        assertEquals(1, answersTo(in).size());
        router.assertBalanced();
    }

    /** Section 8.2: rate limiting, for all. */
    @Test
    void shouldLimitTheRateAndCountWhatItKeepsBack()
    {
        for (int i = 0; i < BURST + 3; i++)
        {
            router.receive(0, frame("2001:db8:9::" + (10 + i)).bytes());
        }
        router.run();
        assertEquals(BURST + 3 + BURST, router.sent(0).size());
        assertEquals(BURST, router.count(ForwarderCounter.ORIGINATED));
        assertEquals(3, router.count(ForwarderCounter.ICMP_SUPPRESSED));
        assertEquals(BURST + 3, router.count(ForwarderCounter.FORWARDED));
        router.assertBalanced();
    }

    /** What has no hop left, or is too big, is another message. */
    @Test
    void shouldTellOnlyOfWhatIsForwarded()
    {
        router.receive(0, frame("2001:db8:9::1").hopLimit(1).bytes());
        router.run();
        assertEquals(List.of(0x0300), router.sent(0).stream().map(each -> TestFrame.u16(each, ICMP)).toList());
    }
}
