package org.fibnuma.fibnic.datapath;

import org.fibnuma.core.kernel.KernelAddress;
import org.fibnuma.core.kernel.RouteOptions;
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

/** RFC 1812 section 5.2.7.2: port 0 leads to 10.0.0.2, the sender, and to 10.0.0.7, a better router. */
class IcmpRedirectsTest
{
    private static final int BURST = 5;
    private static final int ICMP = TestFrame.ETHERNET + 20;
    private static final int QUOTE = ICMP + 8;
    private static final int BETTER = 40;
    private static final String NO_OPTIONS = "";
    private static final String OPTIONS = "01010101";

    private final RouterFixture router = new RouterFixture(2, context ->
        context.icmpErrors(new RateLimit(10, BURST)).forwardLooseSourceRoutes(true));

    @BeforeEach
    void before()
    {
        router.clock.advance(TimeUnit.HOURS.toNanos(1));
        router.connect(0, true);
        router.adjacencies.set(BETTER, Adjacency.forward(
            0, IpAddress.parse("10.0.0.7"), RouterFixture.MTU, 0x0200_0000_0207L, RouterFixture.routerMac(0)));
        router.route("192.0.2.0", 24, BETTER);
        router.route("10.0.0.7", 32, BETTER);
    }

    @AfterEach
    void after()
    {
        router.close();
    }

    private static TestFrame frame(final String destination)
    {
        return TestFrame.ipv4().destination(destination).payload(20);
    }

    private List<byte[]> answersTo(final byte[] frame)
    {
        router.receive(0, frame);
        router.run();
        final List<byte[]> sent = router.sent(0);
        assertTrue(sent.removeIf(each -> TestFrame.u8(each, TestFrame.ETHERNET + 9) == 17), "forwarded all the same");
        return sent;
    }

    /** Without options an ordinary frame, with options an exception. */
    @ParameterizedTest
    @ValueSource(strings = {NO_OPTIONS, OPTIONS})
    void shouldTellTheSenderOfTheBetterRouter(final String options)
    {
        final byte[] in = frame("192.0.2.1").options(options).trafficClass(0x10).bytes();
        final List<byte[]> answers = answersTo(in);
        assertEquals(1, answers.size());
        final byte[] answer = answers.get(0);
        assertArrayEquals(
            TestFrame.hex("020000000200 020000000100 0800"), Arrays.copyOf(answer, TestFrame.ETHERNET));
        assertEquals(0xD0, TestFrame.u8(answer, TestFrame.ETHERNET + 1), "precedence 6, TOS of the original");
        assertEquals(64, TestFrame.u8(answer, TestFrame.ETHERNET + 8), "TTL");
        assertEquals(0, TestFrame.checksumOf(answer, TestFrame.ETHERNET, 20));
        assertEquals(TestFrame.ip("10.0.0.1"), TestFrame.s32(answer, TestFrame.ETHERNET + 12));
        assertEquals(TestFrame.ip("10.0.0.2"), TestFrame.s32(answer, TestFrame.ETHERNET + 16));
        assertEquals(0x0501, TestFrame.u16(answer, ICMP), "for a host");
        assertEquals(TestFrame.ip("10.0.0.7"), TestFrame.s32(answer, ICMP + 4), "the better router");
        assertEquals(0, TestFrame.checksumOf(answer, ICMP, answer.length - ICMP));
        // RFC 1812 section 4.3.2.3: the router need not undo what forwarding has done to TTL and checksum.
        final byte[] quoted = Arrays.copyOfRange(in, TestFrame.ETHERNET, in.length);
        quoted[8]--;
        System.arraycopy(answer, QUOTE + 10, quoted, 10, 2);
        assertArrayEquals(quoted, Arrays.copyOfRange(answer, QUOTE, answer.length));
        assertEquals(0, TestFrame.checksumOf(answer, QUOTE, 20 + options.length() / 2));
        assertEquals(1, router.count(ForwarderCounter.ORIGINATED));
        assertEquals(1, router.count(ForwarderCounter.FORWARDED));
        router.assertBalanced();
    }

    /** As the kernel does, which fragments no message of its own (icmp_send in net/ipv4/icmp.c, Linux 6.1). */
    @Test
    void shouldQuoteWhatTheRouteToTheSenderHasRoomFor()
    {
        router.adjacencies.set(BETTER + 1, router.adjacencies.get(1).with(
            new RouteOptions(68, false, IpAddress.NONE, RouteOptions.SCOPE_UNIVERSE), RouterFixture.MTU));
        router.route("10.0.0.2", 32, BETTER + 1);
        final List<byte[]> answers = answersTo(frame("192.0.2.1").payload(400).bytes());
        assertEquals(1, answers.size());
        assertEquals(TestFrame.ETHERNET + 68, answers.get(0).length);
    }

    @ParameterizedTest
    @ValueSource(strings = {NO_OPTIONS, OPTIONS})
    void shouldTellTheSenderThatTheDestinationIsOnItsLink(final String options)
    {
        final byte[] answer = answersTo(frame("10.0.0.7").options(options).bytes()).get(0);
        assertEquals(0x0501, TestFrame.u16(answer, ICMP));
        assertEquals(TestFrame.ip("10.0.0.7"), TestFrame.s32(answer, ICMP + 4));
    }

    @ParameterizedTest
    @ValueSource(strings = {NO_OPTIONS, OPTIONS})
    void shouldBeSilentWhereTheInterfaceSendsNone(final String options)
    {
        router.connect(0, false);
        assertEquals(List.of(), answersTo(frame("192.0.2.1").options(options).bytes()));
    }

    @ParameterizedTest
    @ValueSource(strings = {NO_OPTIONS, OPTIONS})
    void shouldBeSilentToSendersOnOtherNetworks(final String options)
    {
        for (final String source : List.of("192.0.3.1", "10.0.1.2", "198.18.0.9"))
        {
            assertEquals(List.of(), answersTo(frame("192.0.2.1").source(source).options(options).bytes()), source);
        }
        // Two networks on one link: the sender cannot reach the next hop.
        router.interfaces.set(0, RouterInterface.of(RouterFixture.routerMac(0), RouterFixture.MTU, List.of(
            new KernelAddress(1, IpAddress.parse("198.18.0.1"), 24),
            new KernelAddress(1, IpAddress.parse("10.0.0.1"), 24)), true));
        assertEquals(List.of(), answersTo(frame("192.0.2.1").source("198.18.0.9").options(options).bytes()));
    }

    @Test
    void shouldBearTheAddressOnTheSendersNetwork()
    {
        router.interfaces.set(0, RouterInterface.of(RouterFixture.routerMac(0), RouterFixture.MTU, List.of(
            new KernelAddress(1, IpAddress.parse("198.18.0.1"), 24),
            new KernelAddress(1, IpAddress.parse("10.0.0.1"), 24)), true));
        assertEquals(TestFrame.ip("10.0.0.1"),
            TestFrame.s32(answersTo(frame("192.0.2.1").bytes()).get(0), TestFrame.ETHERNET + 12));
    }

    @Test
    void shouldNotNameTheSenderAsItsOwnRouter()
    {
        router.route("192.0.3.0", 24, 1);
        assertEquals(List.of(), answersTo(frame("192.0.3.1").bytes()));
    }

    @Test
    void shouldBeSilentWithASourceRoute()
    {
        assertEquals(List.of(), answersTo(frame("192.0.2.1").options("8307040808080800").bytes()));
    }

    @Test
    void shouldBeSilentAboutOtherFragmentsAndIcmpErrors()
    {
        assertEquals(List.of(), answersTo(frame("192.0.2.1").flagsAndOffset(1).bytes()));
        router.receive(0, frame("192.0.2.1").protocol(1).payload(new byte[]{3, 0, 0, 0}).bytes());
        router.run();
        assertEquals(1, router.sent(0).size(), "the error itself");
        assertEquals(1, answersTo(frame("192.0.2.1").flagsAndOffset(0x2000).bytes()).size());
    }

    @Test
    void shouldBeSilentWhereTheFrameLeavesByAnotherPort()
    {
        router.connect(1, true);
        assertEquals(1, router.forward(frame("10.0.1.2").bytes()).size());
        assertEquals(List.of(), router.sent(0));
        assertEquals(0, router.count(ForwarderCounter.ORIGINATED));
    }

    @ParameterizedTest
    @ValueSource(strings = {NO_OPTIONS, OPTIONS})
    void shouldTellAPairOnceASecond(final String options)
    {
        final byte[] in = frame("192.0.2.1").options(options).bytes();
        assertEquals(1, answersTo(in).size());
        assertEquals(List.of(), answersTo(in));
        router.clock.advance(RedirectTimes.REPEAT_NS - 1);
        assertEquals(List.of(), answersTo(in));
        assertEquals(1, answersTo(frame("192.0.2.3").options(options).bytes()).size(), "another destination");
        router.clock.advance(1);
        assertEquals(1, answersTo(in).size());
        router.assertBalanced();
    }

    @ParameterizedTest
    @ValueSource(strings = {NO_OPTIONS, OPTIONS})
    void shouldLimitTheRateAndCountWhatItKeepsBack(final String options)
    {
        for (int i = 0; i < BURST + 3; i++)
        {
            router.receive(0, frame("192.0.2." + (10 + i)).options(options).bytes());
        }
        router.run();
        assertEquals(BURST + 3 + BURST, router.sent(0).size());
        assertEquals(BURST, router.count(ForwarderCounter.ORIGINATED));
        assertEquals(3, router.count(ForwarderCounter.ICMP_SUPPRESSED));
        assertEquals(BURST + 3, router.count(ForwarderCounter.FORWARDED));
        router.assertBalanced();
    }

    /** What is cut leaves too; what has no hop left, or must not be cut, is another message. */
    @Test
    void shouldTellOnlyOfWhatIsForwarded()
    {
        router.adjacencies.set(BETTER, Adjacency.forward(
            0, IpAddress.parse("10.0.0.7"), 100, 0x0200_0000_0207L, RouterFixture.routerMac(0)));
        router.receive(0, frame("192.0.2.1").ttl(1).bytes());
        router.receive(0, frame("192.0.2.1").flagsAndOffset(0x4000).payload(200).bytes());
        router.run();
        assertEquals(List.of(0x0B00, 0x0304), router.sent(0).stream().map(each -> TestFrame.u16(each, ICMP)).toList());
        final List<byte[]> answers = answersTo(frame("192.0.2.1").payload(200).bytes());
        assertEquals(1, answers.size());
        assertEquals(0x0501, TestFrame.u16(answers.get(0), ICMP));
    }
}
