package org.fibnuma.bench.system;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.concurrent.TimeUnit;

import static org.fibnuma.bench.system.RouterLab.BEYOND_B;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Options of forwarded packets: RFC 791 section 3.1, RFC 1812 section 5.3.13. */
class OptionsSystemTest extends WireTest
{
    private static final int UNREACHABLE = 3;
    private static final int SOURCE_ROUTE_FAILED = 5;
    private static final int PARAMETER_PROBLEM = 12;
    private static final int HEX = 16;
    private static final long DAY_MS = TimeUnit.DAYS.toMillis(1);

    private Observation send(final String option)
    {
        return fromA("TO_ROUTER/IP(src='10.0.0.2', dst='" + BEYOND_B + "7', id=7, options=" +
            option + ")/UDP(sport=1, dport=2)/b'with options'");
    }

    private static String raw(final String hex)
    {
        return "[Raw(bytes.fromhex('" + hex + "'))]";
    }

    private static String forwardedOptions(final Observation seen)
    {
        final ReceivedFrame frame = seen.onlyAtB();
        assertTrue(frame.ip().checksumRight(), frame::toString);
        assertTrue(frame.ip().transportChecksumRight(), frame::toString);
        seen.assertForwarded();
        return frame.ip().options();
    }

    /** The address of the egress interface goes into the slot that the pointer names. */
    @Test
    void shouldRecordTheRoute()
    {
        assertEquals("070b080a0001010000000000", forwardedOptions(send(
            "IPOption_RR(pointer=4, routers=['0.0.0.0', '0.0.0.0'])")));
        assertEquals("070b0cc00002010a00010100", forwardedOptions(send(
            "IPOption_RR(pointer=8, routers=['192.0.2.1', '0.0.0.0'])")));
    }

    @Test
    void shouldForwardAFullRouteAsItIs()
    {
        assertEquals("070708c000020100", forwardedOptions(send("IPOption_RR(pointer=8, routers=['192.0.2.1'])")));
    }

    /** Milliseconds since midnight UT, as far as the clock of the router's machine goes. */
    @ParameterizedTest
    @CsvSource({"4408050000000000,44080900", "440c05010000000000000000,440c0d010a000101",
        "440c05030a00000100000000,440c0d030a000001"})
    void shouldWriteTheTime(final String option, final String before)
    {
        final long earliest = milliseconds();
        final String options = forwardedOptions(send(raw(option)));
        final long latest = milliseconds();
        assertEquals(before, options.substring(0, before.length()));
        final long written = Long.parseLong(options.substring(before.length(), before.length() + 8), HEX);
        assertTrue(
            Math.floorMod(written - earliest, DAY_MS) <= Math.floorMod(latest - earliest, DAY_MS),
            () -> written + " is not in " + earliest + " to " + latest);
    }

    private long milliseconds()
    {
        return Long.parseLong(lab.router().run("date", "+%s%3N").trim()) % DAY_MS;
    }

    /** Prespecified addresses of others, and no room left. */
    @ParameterizedTest
    @CsvSource({"440c0503c000020100000000,440c0503c000020100000000", "4408090000000001,4408091000000001"})
    void shouldCountTheTimesThatDoNotFit(final String option, final String expected)
    {
        assertEquals(expected, forwardedOptions(send(raw(option))));
    }

    @ParameterizedTest
    @ValueSource(strings = {"83070408080808", "89070408080808", "83070808080808"})
    void shouldRefuseSourceRoutes(final String option)
    {
        lab.assumeRouter("Linux forwards them where the destination is not its own");
        final Observation seen = send(raw(option));
        seen.onlyErrorAtA(UNREACHABLE, SOURCE_ROUTE_FAILED);
        seen.assertDropped("ipv4-source-route");
    }

    /** A length beyond the header or below 2, pointers to no slot, an overflow of the overflow counter, twice. */
    @ParameterizedTest
    @CsvSource({
        "01010107, 23", "07050400, 21", "07010000, 21", "0707010000000000, 22", "0706040000000000, 22",
        "44080401 00000000, 22", "440809f000000000, 23", "8303048903040000, 23"})
    void shouldAnswerTheOctetInError(final String option, final int pointer)
    {
        lab.assumeRouter("Linux points at the option, not at its length");
        final Observation seen = send(raw(option.replace(" ", "")));
        final ReceivedFrame error = seen.onlyErrorAtA(PARAMETER_PROBLEM, 0);
        assertEquals(pointer << Byte.SIZE, error.icmp().unused());
        assertEquals(0, error.icmp().mtu());
        assertEquals(seen.packet(0), error.icmp().quote());
        seen.assertDropped("ipv4-bad-option");
    }
}
