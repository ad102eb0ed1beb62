package org.fibnuma.fibnic.datapath;

import org.fibnuma.core.wire.IpAddress;
import org.fibnuma.fibnic.adjacency.Adjacency;
import org.fibnuma.fibnic.fate.DropReason;
import org.fibnuma.fibnic.fate.ForwarderCounter;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

/** RFC 1812 section 5.3.13 and RFC 791 section 3.1. The router leaves by 10.0.1.1; it is 0x1234 ms past midnight. */
class Ipv4OptionsTest
{
    private static final long NOW_MS = 20_000 * 86_400_000L + 0x1234;
    private static final int ICMP = TestFrame.ETHERNET + 20;

    private final RouterFixture router = router(false);

    private static RouterFixture router(final boolean forwardLooseSourceRoutes)
    {
        return new RouterFixture(2, context ->
            context.epochClock(() -> NOW_MS).forwardLooseSourceRoutes(forwardLooseSourceRoutes));
    }

    @AfterEach
    void after()
    {
        router.close();
    }

    private static byte[] frame(final String options)
    {
        return TestFrame.ipv4().options(options).payload(20).bytes();
    }

    /** The options that left, all else being as for a frame without. */
    private static String forwarded(final RouterFixture router, final String options)
    {
        final byte[] in = frame(options);
        final List<byte[]> sent = router.forward(in);
        assertEquals(1, sent.size(), options);
        final byte[] out = sent.get(0);
        final int end = TestFrame.ETHERNET + 20 + options.length() / 2;
        assertEquals(0, TestFrame.checksumOf(out, TestFrame.ETHERNET, end - TestFrame.ETHERNET), "header checksum");
        assertEquals(63, TestFrame.u8(out, TestFrame.ETHERNET + 8));
        assertArrayEquals(Arrays.copyOfRange(in, end, in.length), Arrays.copyOfRange(out, end, out.length));
        return HexFormat.of().formatHex(out, TestFrame.ETHERNET + 20, end);
    }

    @ParameterizedTest
    @CsvSource({
        // The first slot, the second of three, the last; behind a no-operation, where it is not aligned.
        "07070400000000 00, 0707080a000101 00",
        "070f08c00002010000000000000000 00, 070f0cc00002010a00010100000000 00",
        "01 070704 00000000, 01 070708 0a000101",
        // Full, and one without a slot.
        "070708c0000201 00, 070708c0000201 00",
        "070304 00, 070304 00",
        "0707ffc0000201 00, 0707ffc0000201 00"})
    void shouldRecordTheAddressThatTheFrameLeavesBy(final String options, final String expected)
    {
        assertEquals(expected.replace(" ", ""), forwarded(router, options.replace(" ", "")));
    }

    @ParameterizedTest
    @CsvSource({
        // Flag 0, timestamps only.
        "4408050000000000, 4408090000001234",
        "440c0900 00000001 00000000, 440c0d00 00000001 00001234",
        // Flag 1, each behind an address.
        "440c0501 00000000 00000000, 440c0d01 0a000101 00001234",
        // Flag 3, prespecified: our other address, another router's, our own in the second slot.
        "440c0503 0a000001 00000000, 440c0d03 0a000001 00001234",
        "440c0503 0a000002 00000000, 440c0503 0a000002 00000000",
        "44140d03 c0000201 00000001 0a000101 00000000, 44141503 c0000201 00000001 0a000101 00001234",
        // Full: the overflow is counted.
        "44080900 00000001, 44080910 00000001",
        "440809e0 00000001, 440809f0 00000001",
        "440c0d01 c0000201 00000001, 440c0d11 c0000201 00000001",
        // A flag that nobody defined.
        "44080502 00000000, 44080502 00000000",
        "440809f7 00000000, 440809f7 00000000"})
    void shouldWriteTheTime(final String options, final String expected)
    {
        assertEquals(expected.replace(" ", ""), forwarded(router, options.replace(" ", "")));
    }

    @ParameterizedTest
    @ValueSource(strings = {"01010101", "00ffffff", "9e04abcd", "82 0b 0000000000000000 00 00", "88041234", "94040000"})
    void shouldForwardOtherOptionsAsTheyAre(final String options)
    {
        assertEquals(options.replace(" ", ""), forwarded(router, options.replace(" ", "")));
    }

    @Test
    void shouldServeBothOptionsOfOneHeader()
    {
        assertEquals(
            "0707080a000101" + "01" + "4408090000001234",
            forwarded(router, "07070400000000" + "01" + "4408050000000000"));
    }

    /** Everything that RFC 791 has to find fault with, and where. */
    @ParameterizedTest
    @CsvSource({
        // A length below 2, one beyond the header, none.
        "07000000, 21", "07010000, 21", "9e010000, 21", "9e050000, 21", "01010107, 23", "010107ff, 23",
        // Record route: too short, pointer below 4, between slots, to a slot that does not fit.
        "07020000, 21", "07070000000000 00, 22", "07070300000000 00, 22", "070b0500000000 00000000 00, 22",
        "0706040000 000000, 22", "070a08c0000201000000 0000, 22",
        // Timestamp: too short, pointer below 5, between slots, to one that does not fit, overflow.
        "44030500, 21", "4408040000000000, 22", "440c060000000000 00000000, 22", "4408050100000000, 22",
        "4408050300000000, 22", "440809f000000000, 23", "440c0df10000000000000000, 23",
        // Source routes: too short, bad pointers.
        "83020000, 21", "83070300000000 00, 22", "89070500000000 00, 22",
        // Twice: RFC 791 says at most once, RFC 1812 section 5.2.4.1 of source routes.
        "0703040703040000, 23", "4404050044040500, 24", "8303048903040000, 23"})
    void shouldAnswerTheOctetInErrorAndNotForward(final String options, final int pointer)
    {
        router.receive(0, frame(options.replace(" ", "")));
        router.run();
        assertEquals(List.of(), router.sent(1));
        final byte[] answer = router.sent(0).get(0);
        assertEquals(0x0C00, TestFrame.u16(answer, ICMP));
        assertEquals(pointer, TestFrame.u8(answer, ICMP + 4));
        assertEquals(0, TestFrame.s32(answer, ICMP + 4) & 0xFF_FFFF);
        router.assertAllDropped(DropReason.IPV4_BAD_OPTION);
    }

    @ParameterizedTest
    @ValueSource(strings = {"83070408080808 00", "89070408080808 00", "83070808080808 00", "01010101 830304 00"})
    void shouldDropSourceRoutes(final String options)
    {
        router.receive(0, frame(options.replace(" ", "")));
        router.run();
        assertEquals(List.of(), router.sent(1));
        assertEquals(0x0305, TestFrame.u16(router.sent(0).get(0), ICMP), "source route failed");
        router.assertAllDropped(DropReason.IPV4_SOURCE_ROUTE);
    }

    @Test
    void shouldForwardLooseSourceRoutesWhereTheyAreAllowed()
    {
        try (RouterFixture lenient = router(true))
        {
            assertEquals("8307040808080800", forwarded(lenient, "8307040808080800"));
            assertEquals(List.of(), lenient.forward(frame("8907040808080800")), "strict");
            assertEquals(1, lenient.report().get(DropReason.IPV4_SOURCE_ROUTE));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"0707040000000000", "07000000", "8307040808080800"})
    void shouldLeaveWhatIsForTheKernelAsItCame(final String options)
    {
        router.route("192.0.2.0", 24, RouterFixture.KERNEL);
        for (final String destination : List.of("10.0.1.1", "10.0.1.255", "192.0.2.1"))
        {
            final byte[] in = TestFrame.ipv4().options(options).destination(destination).payload(20).bytes();
            router.receive(0, in);
            router.run();
            assertArrayEquals(in, router.punted().get(0));
        }
        assertEquals(3, router.count(ForwarderCounter.PUNTED));
    }

    @Test
    void shouldQuoteWhatHasNoHopLeftAsItCame()
    {
        final byte[] in = TestFrame.ipv4().options("0707040000000000").ttl(1).payload(20).bytes();
        router.receive(0, in);
        router.run();
        final byte[] answer = router.sent(0).get(0);
        assertEquals(0x0B00, TestFrame.u16(answer, ICMP));
        assertArrayEquals(
            Arrays.copyOfRange(in, TestFrame.ETHERNET, in.length),
            Arrays.copyOfRange(answer, ICMP + 8, answer.length));
    }

    @Test
    void shouldRecordOnceWhatWaitsForItsNeighbour()
    {
        router.adjacencies.set(
            RouterFixture.UNRESOLVED, Adjacency.unresolved(1, IpAddress.parse("10.0.1.2"), RouterFixture.MTU));
        router.route("192.0.2.0", 24, RouterFixture.UNRESOLVED);
        final byte[] in = TestFrame.ipv4().options("070b04" + "00".repeat(9)).destination("192.0.2.1").bytes();
        assertEquals(List.of(), router.forward(in));
        assertEquals(1, router.count(ForwarderCounter.HELD));
        router.adjacencies.set(RouterFixture.UNRESOLVED, router.adjacencies.get(2));
        router.run();
        final byte[] out = router.sent(1).get(0);
        assertEquals(
            "070b080a0001010000000000",
            HexFormat.of().formatHex(out, TestFrame.ETHERNET + 20, TestFrame.ETHERNET + 32));
        assertEquals(0, TestFrame.checksumOf(out, TestFrame.ETHERNET, 32));
    }

    @Test
    void shouldNotHoldWhatHasAnOctetInError()
    {
        assertEquals(List.of(), router.forward(
            TestFrame.ipv4().options("07000000").destination("10.0.1.77").bytes()));
        router.assertAllDropped(DropReason.IPV4_BAD_OPTION);
    }
}
