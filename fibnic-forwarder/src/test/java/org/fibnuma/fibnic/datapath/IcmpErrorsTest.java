package org.fibnuma.fibnic.datapath;

import org.fibnuma.core.kernel.KernelAddress;
import org.fibnuma.core.wire.IpAddress;
import org.fibnuma.fibnic.adjacency.Adjacency;
import org.fibnuma.fibnic.adjacency.RouterInterface;
import org.fibnuma.fibnic.fate.DropReason;
import org.fibnuma.fibnic.fate.ForwarderCounter;
import org.fibnuma.fibnic.rate.IcmpSettings;
import org.fibnuma.fibnic.rate.RateLimit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

/** RFC 1812 section 4.3.2, RFC 792, RFC 1191 section 4. */
class IcmpErrorsTest
{
    private static final int BURST = 5;
    private static final int ICMP = TestFrame.ETHERNET + 20;
    private static final int QUOTE = ICMP + 8;

    private final IcmpSettings settings = new IcmpSettings();
    private final RouterFixture router = new RouterFixture(2, context ->
        context.icmpErrors(new RateLimit(10, BURST)).icmpSettings(settings));

    @AfterEach
    void after()
    {
        router.close();
    }

    private byte[] answerTo(final byte[] frame)
    {
        final List<byte[]> answers = answersTo(frame);
        assertEquals(1, answers.size());
        return answers.get(0);
    }

    private List<byte[]> answersTo(final byte[] frame)
    {
        assertEquals(List.of(), router.forward(frame));
        return router.sent(0);
    }

    private static TestFrame expired()
    {
        return TestFrame.ipv4().ttl(1).payload(16);
    }

    @Test
    void shouldTellTheSenderThatTheTtlRanOut()
    {
        final byte[] in = expired().trafficClass(0x2E).identification(77).bytes();
        final byte[] answer = answerTo(in);
        assertArrayEquals(
            TestFrame.hex("020000000200 020000000100 0800"), Arrays.copyOf(answer, TestFrame.ETHERNET));
        assertEquals(0x45, TestFrame.u8(answer, TestFrame.ETHERNET));
        assertEquals(0xCE, TestFrame.u8(answer, TestFrame.ETHERNET + 1), "precedence 6, TOS of the original");
        assertEquals(20 + 8 + 36, TestFrame.u16(answer, TestFrame.ETHERNET + 2));
        assertEquals(0, TestFrame.u16(answer, TestFrame.ETHERNET + 6), "no flags, no offset");
        assertEquals(64, TestFrame.u8(answer, TestFrame.ETHERNET + 8), "TTL");
        assertEquals(1, TestFrame.u8(answer, TestFrame.ETHERNET + 9), "protocol");
        assertEquals(0, TestFrame.checksumOf(answer, TestFrame.ETHERNET, 20));
        assertEquals(TestFrame.ip("10.0.0.1"), TestFrame.s32(answer, TestFrame.ETHERNET + 12), "facing the sender");
        assertEquals(TestFrame.ip("10.0.0.2"), TestFrame.s32(answer, TestFrame.ETHERNET + 16));
        assertEquals(0x0B00, TestFrame.u16(answer, ICMP), "type 11 code 0");
        assertEquals(0, TestFrame.s32(answer, ICMP + 4), "unused");
        assertEquals(0, TestFrame.checksumOf(answer, ICMP, answer.length - ICMP));
        assertArrayEquals(
            Arrays.copyOfRange(in, TestFrame.ETHERNET, in.length), Arrays.copyOfRange(answer, QUOTE, answer.length),
            "the datagram as it was received");
        assertEquals(1, router.count(ForwarderCounter.ORIGINATED));
        assertEquals(0, router.count(ForwarderCounter.FORWARDED));
        router.assertAllDropped(DropReason.IPV4_TTL_EXPIRED);
    }

    @ParameterizedTest
    @CsvSource({
        RouterFixture.NO_ROUTE + ",0x0300", RouterFixture.UNREACHABLE + ",0x0301", RouterFixture.PROHIBIT + ",0x030D"})
    void shouldTellTheSenderWhatTheRouteSays(final int adjacency, final String typeAndCode)
    {
        router.route("192.0.2.0", 24, adjacency);
        final byte[] answer = answerTo(TestFrame.ipv4().destination("192.0.2.1").payload(16).bytes());
        assertEquals((int)Integer.decode(typeAndCode), TestFrame.u16(answer, ICMP));
        assertEquals(0, TestFrame.s32(answer, ICMP + 4));
    }

    @Test
    void shouldTellTheSenderTheMtuOfTheNextHop()
    {
        router.adjacencies.set(2, Adjacency.forward(1, IpAddress.NONE, 1280, 1, 2));
        final byte[] answer = answerTo(TestFrame.ipv4().flagsAndOffset(0x4000).payload(1261).bytes());
        assertEquals(0x0304, TestFrame.u16(answer, ICMP));
        assertEquals(1280, TestFrame.s32(answer, ICMP + 4), "unused 16 bits, then the MTU");
        router.assertAllDropped(DropReason.IPV4_TOO_BIG);
    }

    @Test
    void shouldBeSilentAboutABlackhole()
    {
        router.route("192.0.2.0", 24, RouterFixture.BLACKHOLE);
        assertEquals(List.of(), answersTo(TestFrame.ipv4().destination("192.0.2.1").bytes()));
    }

    @ParameterizedTest
    @CsvSource({"519,575", "520,576", "521,576", "1400,576"})
    void shouldQuoteAsMuchAsFitsInFiveHundredSeventySixBytes(final int payload, final int total)
    {
        final byte[] in = TestFrame.ipv4().ttl(1).payload(payload + 8).bytes();
        final byte[] answer = answerTo(in);
        assertEquals(total, TestFrame.u16(answer, TestFrame.ETHERNET + 2));
        assertEquals(TestFrame.ETHERNET + total, answer.length);
        assertArrayEquals(
            Arrays.copyOfRange(in, TestFrame.ETHERNET, TestFrame.ETHERNET + total - 28),
            Arrays.copyOfRange(answer, QUOTE, answer.length));
    }

    @Test
    void shouldQuoteOptionsButNoPadding()
    {
        final byte[] answer = answerTo(TestFrame.ipv4().ttl(1).options("01010101").payload(4).padding(18).bytes());
        assertEquals(28 + 28, TestFrame.u16(answer, TestFrame.ETHERNET + 2));
    }

    @ParameterizedTest
    @ValueSource(ints = {3, 4, 5, 11, 12})
    void shouldNotAnswerIcmpErrors(final int type)
    {
        assertEquals(List.of(), answersTo(expired().protocol(1).payload(new byte[]{(byte)type, 0, 0, 0}).bytes()));
        router.assertAllDropped(DropReason.IPV4_TTL_EXPIRED);
    }

    @Test
    void shouldNotAnswerIcmpWithoutAType()
    {
        assertEquals(List.of(), answersTo(TestFrame.ipv4().ttl(1).protocol(1).padding(20).bytes()));
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 8, 13, 42})
    void shouldAnswerOtherIcmpMessages(final int type)
    {
        answerTo(expired().protocol(1).payload(new byte[]{(byte)type, 0, 0, 0}).bytes());
    }

    @Test
    void shouldAnswerOnlyAboutFirstFragments()
    {
        assertEquals(List.of(), answersTo(expired().flagsAndOffset(1).bytes()));
        assertEquals(List.of(), answersTo(expired().flagsAndOffset(0x2000 | 185).bytes()));
        answerTo(expired().flagsAndOffset(0x2000).bytes());
    }

    @ParameterizedTest
    @ValueSource(strings = {"0.0.0.0", "127.0.0.1", "224.0.0.1", "255.255.255.255", "10.0.0.255", "10.0.1.255"})
    void shouldNotAnswerSourcesThatAreNotOneHost(final String source)
    {
        assertEquals(List.of(), answersTo(expired().source(source).bytes()));
        assertEquals(0, router.count(ForwarderCounter.ORIGINATED));
    }

    @Test
    void shouldNotAnswerPacketsToMany()
    {
        assertEquals(List.of(), answersTo(expired().destination("224.0.0.9").bytes()));
        assertEquals(List.of(), answersTo(expired().destination("10.0.1.255").bytes()));
        assertEquals(List.of(), answersTo(expired().to("ff:ff:ff:ff:ff:ff").bytes()));
    }

    @Test
    void shouldNotAnswerItself()
    {
        router.route("192.0.2.0", 24, RouterFixture.LOCAL);
        assertEquals(List.of(), answersTo(expired().source("192.0.2.1").bytes()));
        assertEquals(1, router.count(ForwarderCounter.ORIGINATED_LOST));
        router.assertBalanced();
    }

    /** RFC 1812 section 4.3.2.5: precedence 6, and the TOS bits between precedence and the last bit are copied. */
    @ParameterizedTest
    @CsvSource({"0x00,0xC0", "0x10,0xD0", "0x1E,0xDE", "0xE0,0xC0", "0xFF,0xDE", "0x01,0xC0"})
    void shouldAnswerWithPrecedenceSixAndTheTosOfTheOriginal(final String original, final String answer)
    {
        assertEquals((int)Integer.decode(answer), TestFrame.u8(
            answerTo(expired().trafficClass(Integer.decode(original)).bytes()), TestFrame.ETHERNET + 1));
    }

    /** RFC 1812 section 4.3.2.4: the sender is not where the frame came from. */
    @Test
    void shouldAnswerFromTheAddressOfTheInterfaceThatTheAnswerLeavesBy()
    {
        router.route("192.0.2.0", 24, 2);
        router.receive(0, expired().source("192.0.2.1").bytes());
        router.run();
        assertEquals(List.of(), router.sent(0));
        final byte[] answer = router.sent(1).get(0);
        assertEquals(TestFrame.ip("10.0.1.1"), TestFrame.s32(answer, TestFrame.ETHERNET + 12));
        assertEquals(TestFrame.ip("192.0.2.1"), TestFrame.s32(answer, TestFrame.ETHERNET + 16));
    }

    @Test
    void shouldAnswerFromTheAddressOnTheNetworkOfTheNextHop()
    {
        router.set(0, RouterInterface.of(RouterFixture.routerMac(0), 1500, List.of(
            new KernelAddress(1, IpAddress.parse("198.18.0.1"), 16),
            new KernelAddress(1, IpAddress.parse("10.0.0.1"), 24)), false));
        assertEquals(
            TestFrame.ip("10.0.0.1"), TestFrame.s32(answerTo(expired().bytes()), TestFrame.ETHERNET + 12));
        router.route("192.0.2.0", 24, 1);
        assertEquals(TestFrame.ip("10.0.0.1"), TestFrame.s32(
            answerTo(expired().source("192.0.2.1").bytes()), TestFrame.ETHERNET + 12));
    }

    @Test
    void shouldAnswerAsTheSettingsOfTheKernelSay()
    {
        router.route("192.0.2.0", 24, 2);
        settings.change(new IcmpSettings.Values(true, 255, false, 0, 0));
        for (int i = 0; i < 2 * BURST; i++)
        {
            router.receive(0, expired().source("192.0.2.1").bytes());
        }
        router.run();
        final List<byte[]> answers = router.sent(1);
        assertEquals(2 * BURST, answers.size(), "no type is limited");
        assertEquals(TestFrame.ip("10.0.0.1"), TestFrame.s32(answers.get(0), TestFrame.ETHERNET + 12), "inbound");
        assertEquals(254, TestFrame.u8(answers.get(0), TestFrame.ETHERNET + 8), "the largest that can be sent");
        settings.change(new IcmpSettings.Values(false, 7, false, 0, 0));
        assertEquals(7, TestFrame.u8(answerTo(expired().bytes()), TestFrame.ETHERNET + 8));
    }

    @Test
    void shouldNameTheOctetInErrorOfAnOption()
    {
        final byte[] in = TestFrame.ipv4().options("0101010107070100000000" + "00").payload(16).bytes();
        final byte[] answer = answerTo(in);
        assertEquals(0x0C00, TestFrame.u16(answer, ICMP), "type 12 code 0");
        assertEquals(26 << 24, TestFrame.s32(answer, ICMP + 4), "the pointer");
        assertArrayEquals(
            Arrays.copyOfRange(in, TestFrame.ETHERNET, in.length), Arrays.copyOfRange(answer, QUOTE, answer.length));
        router.assertAllDropped(DropReason.IPV4_BAD_OPTION);
    }

    @Test
    void shouldLimitTheRateAndCountWhatItKeepsBack()
    {
        for (int i = 0; i < BURST + 3; i++)
        {
            router.receive(0, expired().bytes());
        }
        router.run();
        assertEquals(BURST, router.sent(0).size());
        assertEquals(3, router.count(ForwarderCounter.ICMP_SUPPRESSED));
        router.clock.advance(TimeUnit.MILLISECONDS.toNanos(100));
        answerTo(expired().bytes());
        assertEquals(List.of(), answersTo(expired().bytes()));
        router.assertAllDropped(DropReason.IPV4_TTL_EXPIRED);
    }

    @Test
    void shouldBorrowAnAddressWhereTheInterfaceHasNone()
    {
        router.set(0, new RouterInterface(RouterFixture.routerMac(0), 1500, List.of()));
        assertEquals(
            TestFrame.ip("10.0.1.1"), TestFrame.s32(answerTo(expired().bytes()), TestFrame.ETHERNET + 12));
        router.set(1, new RouterInterface(RouterFixture.routerMac(1), 1500, List.of()));
        assertEquals(
            TestFrame.ip("192.0.0.8"), TestFrame.s32(answerTo(expired().bytes()), TestFrame.ETHERNET + 12),
            "RFC 7600 section 4.8, as the kernel since 5.13");
        router.assertBalanced();
    }

    @Test
    void shouldBeSilentWithoutAFreeChunk()
    {
        final List<Long> taken = new ArrayList<>();
        router.receive(0, expired().bytes());
        while (router.routerPool.available() > 1)
        {
            taken.add(router.routerPool.allocate());
        }
        router.run();
        taken.forEach(router.routerPool::release);
        assertEquals(List.of(), router.sent(0));
        assertEquals(1, router.count(ForwarderCounter.ICMP_SUPPRESSED));
        router.assertBalanced();
    }

    @Test
    void shouldHoldTheMessageWhileTheWayBackIsUnresolved()
    {
        assertEquals(List.of(), answersTo(expired().source("10.0.0.9").bytes()));
        assertEquals(0, router.count(ForwarderCounter.HELD), "the received frame itself is dropped");
        router.route("10.0.0.9", 32, 1);
        router.run();
        assertEquals(1, router.sent(0).size());
        assertEquals(1, router.count(ForwarderCounter.ORIGINATED));
        router.assertAllDropped(DropReason.IPV4_TTL_EXPIRED);
    }
}
