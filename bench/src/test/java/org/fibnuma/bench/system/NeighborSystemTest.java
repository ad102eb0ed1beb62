package org.fibnuma.bench.system;

import static org.fibnuma.bench.system.Frames.UDP;
import static org.fibnuma.bench.system.Frames.ip;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** IPv4 next hops that are unknown, change, or go: RFC 1812 section 3.3.2, RFC 826, RFC 1122 section 2.3.2. */
class NeighborSystemTest extends NextHopContract
{
    private static final String GATEWAY = "10.0.1.77";

    NeighborSystemTest()
    {
        super(GATEWAY, 24, "198.18.128.0/24", "198.18.128.1");
    }

    @Override
    void changeRoute(final String... words)
    {
        lab.route(words);
    }

    @Override
    String frame(final String to, final int number)
    {
        return ip("10.0.0.2", to, "ttl=64, id=" + number) + UDP;
    }

    @Override
    int forwardedNumber(final ReceivedFrame frame)
    {
        assertTrue(frame.ip().checksumRight() && frame.ip().ttl() == 63, frame::toString);
        return frame.ip().id();
    }

    @Override
    String isTo(final String address)
    {
        return "IP in p and p[IP].dst == '" + address + "'";
    }

    @Override
    String isError()
    {
        return "ICMP in p";
    }

    @Override
    void assertUnreachable(final ReceivedFrame error)
    {
        assertEquals(3, error.icmp().type());
        assertEquals(1, error.icmp().code());
    }

    @Override
    String isQuestion()
    {
        return "ARP in p and p[ARP].op == 1 and p[ARP].pdst == '" + GATEWAY + "'";
    }

    @Override
    void assertQuestion(final ReceivedFrame question)
    {
        assertEquals(lab.router().macAddress("r1"), question.source());
    }
}
