package org.fibnuma.bench.system;

import org.fibnuma.core.Await;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.List;

import static org.fibnuma.bench.system.Frames.UDP;
import static org.fibnuma.bench.system.Frames.ip6;
import static org.fibnuma.bench.system.RouterLab.A6;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** RFC 4861 section 8.2: a host that has a better first hop on its own link is told so. */
class Ipv6RedirectSystemTest extends WireTest
{
    private static final String NETWORK = "2001:db8:555::";
    private static final String BETTER = "fe80::7";
    private static final String BETTER_MAC = "02:00:00:00:00:77";
    private static final String ON_LINK = "2001:db8:a::7";
    private static final String IS_REDIRECT = "IPv6 in p and p[IPv6].nh == 58 and p.original[54] == 137";
    private static final String IS_FORWARDED = "p.dst == '" + BETTER_MAC + "'";
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    @BeforeEach
    void before()
    {
        for (final String better : List.of(BETTER, ON_LINK))
        {
            lab.router().run("ip", "neigh", "replace", better, "lladdr", BETTER_MAC, "dev", "r0", "nud", "permanent");
        }
        lab.route6("replace", NETWORK + "/48", "via", BETTER, "dev", "r0");
        lab.a().clear();
    }

    @AfterEach
    void after()
    {
        lab.route6("del", NETWORK + "/48");
        for (final String better : List.of(BETTER, ON_LINK))
        {
            lab.router().run("ip", "neigh", "del", better, "dev", "r0");
        }
    }

    private static String frame(final String source, final String destination)
    {
        return ip6(source, destination, "hlim=64") + UDP + "/b'data'";
    }

    private record Answer(String sent, ReceivedFrame redirect)
    {
    }

    /** RFC 4861 section 4.5: every field, and the packet that caused it. */
    @Test
    void shouldTellTheSenderOfTheBetterRouter()
    {
        final Answer answer = redirected(NETWORK + "1");
        final ReceivedFrame redirect = answer.redirect;
        assertEquals(lab.a().macAddress(), redirect.destination());
        assertEquals(lab.router().macAddress("r0"), redirect.source());
        assertTrue(redirect.ipv6().source().startsWith("fe80:"), redirect::toString);
        assertEquals(A6, redirect.ipv6().destination());
        assertEquals(255, redirect.ipv6().hopLimit());
        assertEquals(0, redirect.icmpv6().code());
        assertEquals(0, redirect.icmpv6().rest());
        assertTrue(redirect.icmpv6().checksumRight(), redirect::toString);
        final String body = redirect.icmpv6().body();
        assertEquals("fe80" + "0".repeat(27) + "7", body.substring(0, 32), "target");
        assertEquals("20010db80555" + "0".repeat(19) + "1", body.substring(32, 64), "destination");
        assertTrue(body.contains("0201" + BETTER_MAC.replace(":", "")), () -> "the target's MAC address: " + body);
        assertTrue(body.contains(answer.sent.substring(28)), () -> "the packet: " + body);
    }

    /** RFC 4861 section 4.5: the target is the destination where that is on the link. */
    @Test
    void shouldTellTheSenderThatTheDestinationIsOnItsLink()
    {
        final String body = redirected(ON_LINK).redirect.icmpv6().body();
        assertEquals("20010db8000a" + "0".repeat(19) + "7", body.substring(0, 32), "target");
        assertEquals(body.substring(0, 32), body.substring(32, 64), "destination");
    }

    /** RFC 4861 section 8.2: the source of the packet is a neighbour. */
    @Test
    void shouldNotTellHostsOnOtherLinks()
    {
        redirected(NETWORK + "2");
        lab.a().clear();
        lab.a().send(frame(RouterLab.BEYOND_B6 + "9", NETWORK + "3"));
        assertEquals(1, lab.a().receive(1, PATIENCE, IS_FORWARDED).size(), "not forwarded");
        assertEquals(List.of(), lab.a().receive(1, Duration.ofMillis(100), IS_REDIRECT));
    }

    /** Sends until the route is in force and the frame is forwarded and answered: a pair is told once a second. */
    private Answer redirected(final String destination)
    {
        final Answer[] answer = new Answer[1];
        Await.until("a forwarded frame and a redirect", () ->
        {
            lab.a().clear();
            final String sent = lab.a().send(frame(A6, destination)).get(0);
            final List<ReceivedFrame> frames = lab.a().receive(
                2, Duration.ofMillis(600), "(" + IS_REDIRECT + ") or (" + IS_FORWARDED + ")");
            final List<ReceivedFrame> redirects = frames.stream().filter(ReceivedFrame::isIcmpv6).toList();
            answer[0] = redirects.isEmpty() ? null : new Answer(sent, redirects.get(0));
            return frames.size() == 2 && redirects.size() == 1;
        });
        return answer[0];
    }
}
