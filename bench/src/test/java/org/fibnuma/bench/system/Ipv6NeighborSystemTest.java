package org.fibnuma.bench.system;

import org.junit.jupiter.api.Test;

import java.util.List;

import static org.fibnuma.bench.system.Frames.UDP;
import static org.fibnuma.bench.system.Frames.ip6;
import static org.fibnuma.bench.system.RouterLab.A6;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** IPv6 next hops that are unknown, change, or go: RFC 4861 section 7. The kernel's neighbour discovery finds them. */
class Ipv6NeighborSystemTest extends NextHopContract
{
    private static final String GATEWAY = "2001:db8:b::77";
    private static final String DESTINATION = "2001:db8:128::1";

    Ipv6NeighborSystemTest()
    {
        super(GATEWAY, 64, "2001:db8:128::/48", DESTINATION);
    }

    @Override
    void changeRoute(final String... words)
    {
        lab.route6(words);
    }

    @Override
    String frame(final String to, final int number)
    {
        return ip6(A6, to, "hlim=64, fl=" + number) + UDP;
    }

    @Override
    int forwardedNumber(final ReceivedFrame frame)
    {
        assertEquals(63, frame.ipv6().hopLimit());
        return frame.ipv6().flowLabel();
    }

    @Override
    String isTo(final String address)
    {
        return "IPv6 in p and p[IPv6].dst == '" + address + "'";
    }

    @Override
    String isError()
    {
        return isTo(A6) + " and ICMPv6DestUnreach in p";
    }

    @Override
    void assertUnreachable(final ReceivedFrame error)
    {
        assertEquals(1, error.icmpv6().type());
        assertEquals(3, error.icmpv6().code());
        assertTrue(error.icmpv6().checksumRight(), error::toString);
    }

    @Override
    String isQuestion()
    {
        return "ICMPv6ND_NS in p and p[ICMPv6ND_NS].tgt == '" + GATEWAY + "'";
    }

    /** RFC 4861 section 7.2.2: a neighbour that has gone is solicited by its solicited-node multicast address. */
    @Override
    void assertQuestion(final ReceivedFrame question)
    {
        assertEquals("ff02::1:ff00:77", question.ipv6().destination());
        assertEquals("33:33:ff:00:00:77", question.destination());
        assertEquals(lab.router().macAddress("r1"), question.source());
        assertEquals(255, question.ipv6().hopLimit());
    }

    /** RFC 4861 section 7.2.2: unreachable too is a destination on a connected prefix, its own next hop. */
    @Test
    void shouldAnswerUnreachableForMissingHostsOnLink()
    {
        lab.a().clear();
        lab.a().send(frame("2001:db8:b::dead", 1));
        awaitUnreachable();
    }

    /** RFC 4861 section 7.2.6: an unsolicited advertisement with the override flag tells a new link-layer address. */
    @Test
    void shouldFollowAnAdvertisedLinkLayerAddress()
    {
        answerAtB();
        lab.b().clear();
        lab.a().send(frames(1));
        assertEquals(lab.b().macAddress(), lab.b().receive(1, PATIENCE, isTo(DESTINATION)).get(0).destination());
        lab.b().send("Ether(src=TO_ROUTER.src, dst='33:33:00:00:00:01')/IPv6(src='" + GATEWAY +
            "', dst='ff02::1', hlim=255)/ICMPv6ND_NA(tgt='" + GATEWAY + "', R=0, S=0, O=1)/" +
            "ICMPv6NDOptDstLLAddr(lladdr='" + OTHER_MAC + "')");
        awaitDestination(OTHER_MAC);
    }

    /** RFC 8950: IPv4 and IPv6 wait for the same neighbour, and both leave when it answers. */
    @Test
    void shouldHoldBothFamiliesForOneNeighbor()
    {
        lab.assumeRouter("Linux does not hold so many");
        lab.route("replace", "198.18.7.0/24", "via", "inet6", GATEWAY);
        lab.awaitUnresolved("198.18.7.1", GATEWAY);
        final Fates before = lab.fates();
        lab.b().clear();
        lab.a().send(frame(DESTINATION, 1), Frames.ipv4("198.18.7.1"));
        Observation.awaitFates(lab, before, fates -> fates.count("held") == 2);
        answerAtB();
        final List<ReceivedFrame> frames = lab.b().receive(
            2, PATIENCE, isTo(DESTINATION) + " or IP in p and p[IP].dst == '198.18.7.1'");
        lab.route("delete", "198.18.7.0/24");
        assertEquals(2, frames.size(), frames::toString);
        frames.forEach(frame -> assertEquals(lab.b().macAddress(), frame.destination()));
    }
}
