package org.fibnuma.core.flow;

import org.fibnuma.core.wire.IpAddress;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

class FlowTupleTest
{
    @ParameterizedTest
    @CsvSource({
        "192.0.2.1, 198.51.100.2, 6, 1234, 80, tcp 192.0.2.1:1234 > 198.51.100.2:80",
        "192.0.2.1, 198.51.100.2, 17, 65535, 0, udp 192.0.2.1:65535 > 198.51.100.2:0",
        "2001:db8::1, 2001:db8::2, 6, 1, 2, tcp [2001:db8::1]:1 > [2001:db8::2]:2",
        "192.0.2.1, 198.51.100.2, 1, 7, 2048, icmp 192.0.2.1 > 198.51.100.2 id 7 type 8 code 0",
        "2001:db8::1, 2001:db8::2, 58, 7, 33025, icmpv6 2001:db8::1 > 2001:db8::2 id 7 type 129 code 1",
        "192.0.2.1, 198.51.100.2, 132, 1, 2, sctp 192.0.2.1:1 > 198.51.100.2:2"
    })
    void shouldBeReadable(final String source, final String destination, final int protocol, final int sourcePort,
        final int destinationPort, final String text)
    {
        assertEquals(text, tuple(source, destination, protocol, sourcePort, destinationPort).toString());
    }

    @Test
    void shouldExchangeBothEnds()
    {
        final FlowTuple tuple = tuple("2001:db8::1", "2001:db8:1::2", 17, 1234, 80);

        assertEquals(tuple("2001:db8:1::2", "2001:db8::1", 17, 80, 1234), tuple.inverse());
        assertTrue(tuple.isIpv6());
        assertFalse(tuple("192.0.2.1", "192.0.2.2", 17, 1, 2).isIpv6());
    }

    @ParameterizedTest
    @CsvSource({"1, 8, 0, 0", "1, 0, 0, 8", "1, 128, 3, 128", "58, 128, 0, 129", "58, 129, 5, 128", "58, 8, 0, 8"})
    void shouldAnswerQueries(final int protocol, final int type, final int code, final int answer)
    {
        final FlowTuple tuple = tuple("192.0.2.1", "192.0.2.2", protocol, 40000, type << 8 | code);

        assertEquals(tuple("192.0.2.2", "192.0.2.1", protocol, 40000, answer << 8 | code), tuple.inverse());
        assertEquals(type, tuple.icmpType());
        assertEquals(code, tuple.icmpCode());
    }

    private static FlowTuple tuple(final String source, final String destination, final int protocol,
        final int sourcePort, final int destinationPort)
    {
        final IpAddress from = IpAddress.parse(source);
        final IpAddress to = IpAddress.parse(destination);
        return new FlowTuple(from.high(), from.low(), to.high(), to.low(), protocol, sourcePort, destinationPort);
    }
}
