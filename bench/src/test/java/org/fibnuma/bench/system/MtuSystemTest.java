package org.fibnuma.bench.system;

import org.junit.jupiter.api.Test;

import java.util.List;

import static org.fibnuma.bench.system.Frames.ip;
import static org.fibnuma.bench.system.RouterLab.BEYOND_C;
import static org.fibnuma.bench.system.RouterLab.NARROW_MTU;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** A link that is too narrow: RFC 791 section 3.2, RFC 1191, RFC 1812 section 4.2.2.7. */
class MtuSystemTest extends WireTest
{
    private static final int LARGEST_FRAGMENT = (NARROW_MTU - 20) / 8 * 8;

    /** RFC 1191 section 4: the error tells the MTU of the next hop; exactly the MTU fits. */
    @Test
    void shouldAnswerTooBigWithTheMtuAndForwardWhatJustFits()
    {
        final Observation seen = toC("flags='DF', id=1", NARROW_MTU + 1);

        final ReceivedFrame error = seen.onlyErrorAtA(3, 4);
        assertEquals(NARROW_MTU, error.icmp().mtu());
        assertEquals(0, error.icmp().unused());
        assertEquals("10.0.0.1", error.ip().source());
        assertTrue(error.icmp().checksumRight());
        seen.assertDropped("ipv4-too-big");
        final Observation fits = toC("flags='DF', id=2", NARROW_MTU);
        assertEquals(NARROW_MTU, fits.onlyAtC().ip().totalLength());
        fits.assertForwarded();
    }

    /** RFC 791 section 3.2: fragments carry the packet's fields, multiples of 8 bytes, and together its payload. */
    @Test
    void shouldFragmentWhenAllowed()
    {
        final Observation seen = toC("id=4242, tos=8, ttl=33", 1500);

        assertFragments(seen, 0, 1480, false);
        for (final ReceivedFrame fragment : seen.atC())
        {
            assertEquals(4242, fragment.ip().id());
            assertEquals(8, fragment.ip().tos());
            assertEquals(32, fragment.ip().ttl());
            assertEquals(lab.c().macAddress(), fragment.destination());
            assertEquals(lab.router().macAddress("r2"), fragment.source());
        }
        seen.assertForwarded();
    }

    /**
     * RFC 791 section 3.2: a fragment in the middle stays one: all of its parts have more fragments behind them. Of the
     * last fragment's parts only the last is the last.
     */
    @Test
    void shouldFragmentFragments()
    {
        assertFragments(toC("id=5, flags='MF', frag=185", 1500), 1480, 1480, true);
        assertFragments(toC("id=6, frag=370", 1333), 2960, 1313, false);
    }

    /** RFC 791 section 3.1: only options with the copy bit go into the fragments behind the first. */
    @Test
    void shouldCopyOnlyCopiedOptionsIntoLaterFragments()
    {
        final Observation seen = toC("id=7, options=IPOption(b'\\x1e\\x04ab\\x9e\\x04cd')", 1400);

        assertEquals(2, seen.atC().size(), () -> "fragments " + seen.atC());
        final ReceivedFrame.Ip first = seen.atC().get(0).ip();
        final ReceivedFrame.Ip second = seen.atC().get(1).ip();
        assertEquals("1e0461629e046364", first.options());
        assertEquals("9e046364", second.options().replaceAll("(01|00)+$", "").replaceAll("^(01)+", ""));
        assertTrue(second.checksumRight());
        assertEquals(seen.packet(0).substring(2 * 28), first.payload() + second.payload());
    }

    private Observation toC(final String fields, final int totalLength)
    {
        final int payload = totalLength - 20 - (fields.contains("options") ? 8 : 0);
        return fromA(ip("10.0.0.2", BEYOND_C + "1", "proto=253, " + fields) +
            "/(bytes(range(251)) * 6)[:" + payload + "]");
    }

    private void assertFragments(
        final Observation seen, final int firstOffset, final int payloadLength, final boolean moreBehind)
    {
        final List<ReceivedFrame> fragments = seen.atC();
        assertEquals(List.of(), seen.atA());
        assertEquals(List.of(), seen.atB());
        assertTrue(fragments.size() >= 2, () -> "fragments " + fragments);
        final StringBuilder payload = new StringBuilder();
        for (int i = 0; i < fragments.size(); i++)
        {
            final ReceivedFrame.Ip ip = fragments.get(i).ip();
            final boolean last = i == fragments.size() - 1;
            assertEquals(firstOffset + payload.length() / 2, ip.fragmentOffset());
            assertEquals(moreBehind || !last, ip.moreFragments());
            assertFalse(ip.dontFragment());
            assertTrue(ip.checksumRight(), fragments.get(i)::toString);
            assertEquals("", ip.trailing());
            assertTrue(last || ip.payload().length() == 2 * LARGEST_FRAGMENT, "fragment " + i + " is not full");
            payload.append(ip.payload());
        }
        assertEquals(2 * payloadLength, payload.length());
        assertEquals(seen.packet(0).substring(2 * 20), payload.toString());
    }
}
