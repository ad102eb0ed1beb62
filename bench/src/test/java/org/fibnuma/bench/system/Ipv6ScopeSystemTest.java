package org.fibnuma.bench.system;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

import static org.fibnuma.bench.system.Frames.UDP;
import static org.fibnuma.bench.system.Frames.ip6;
import static org.fibnuma.bench.system.RouterLab.BEYOND_B6;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Packets stay in the zone of their addresses: RFC 4007 section 9, RFC 4291 section 2.5.6. */
class Ipv6ScopeSystemTest extends WireTest
{
    private static final int UNREACHABLE = 1;
    private static final int BEYOND_SCOPE = 2;
    private static final Pattern ADDRESS = Pattern.compile("inet6 (fe80:[0-9a-f:]+)/64");

    /** RFC 4443 section 3.1, code 2: the sender is told on its link, from an address of that link. */
    @Test
    void shouldAnswerLinkLocalSourcesThatWouldLeaveTheirLink()
    {
        final String source = linkLocalOfA();
        final Observation seen = send(source, BEYOND_B6 + "1", "hlim=64");
        final ReceivedFrame error = seen.onlyIcmpv6AtA(UNREACHABLE, BEYOND_SCOPE);
        assertTrue(error.ipv6().source().startsWith("fe80:"), error::toString);
        assertEquals(source, error.ipv6().destination());
        assertEquals(lab.a().macAddress(), error.destination());
        assertEquals(lab.router().macAddress("r0"), error.source());
        assertTrue(error.icmpv6().checksumRight(), error::toString);
        assertEquals(seen.packet(0), error.icmpv6().body());
        seen.assertDropped("ipv6-beyond-scope");
    }

    /** RFC 4443 section 3.3: the hop limit of a packet from the link ends here like any. */
    @Test
    void shouldAnswerLinkLocalSourcesWhoseHopLimitExpires()
    {
        final ReceivedFrame error = send(linkLocalOfA(), BEYOND_B6 + "1", "hlim=1").onlyIcmpv6AtA(3, 0);
        assertTrue(error.ipv6().source().startsWith("fe80:"), error::toString);
    }

    /** RFC 4291 section 2.5.6: link-local destinations stay on their link, whatever the neighbour behind others has. */
    @ParameterizedTest
    @ValueSource(strings = {"fe80::b", "fe80::1234", "febf::1"})
    void shouldNotForwardToLinkLocalDestinations(final String destination)
    {
        // From a host that nobody has: the kernel's errors, which come seconds later, find no way.
        final Observation seen = send("2001:db8:a::99", destination, "hlim=64");
        assertEquals(0, seen.atB().size() + seen.atC().size(), seen::toString);
    }

    /** RFC 4193 section 4.3: unique local addresses are routed as the table says; RFC 3879: fec0::/10 is global. */
    @ParameterizedTest
    @ValueSource(strings = {"fd00::9", "fc00::9", "fec0::9", "64:ff9b::a00:1", "2002::9", "::a00:9"})
    void shouldForwardFromEveryOtherUnicastSource(final String source)
    {
        final Observation seen = send(source, BEYOND_B6 + "1", "hlim=64");
        assertEquals(63, seen.onlyAtB().ipv6().hopLimit());
        seen.assertForwarded();
    }

    private String linkLocalOfA()
    {
        final String text = lab.a().host().run("ip", "-6", "-o", "address", "show", "dev", "a0", "scope", "link");
        final Matcher matcher = ADDRESS.matcher(text);
        assertTrue(matcher.find(), text);
        return matcher.group(1);
    }

    private Observation send(final String source, final String destination, final String fields)
    {
        return fromA(ip6(source, destination, fields) + UDP + "/b'data'");
    }
}
