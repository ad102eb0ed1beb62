package org.fibnuma.bench.pipeline;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.Arrays;
import java.util.List;
import java.util.Map;

import static org.fibnuma.bench.pipeline.TestFrameKind.ARP;
import static org.fibnuma.bench.pipeline.TestFrameKind.IPV4;
import static org.fibnuma.bench.pipeline.TestFrameKind.IPV6;
import static org.fibnuma.bench.pipeline.TestFrameKind.OPTIONS;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

class TrafficMixTest
{
    @Test
    void shouldAlternateBetweenEqualParts()
    {
        assertArrayEquals(new TestFrameKind[]{IPV4, IPV6}, TrafficMix.parse("ipv4=1,ipv6=1").sequence());
        assertArrayEquals(
            new TestFrameKind[]{IPV4, IPV6, IPV4, IPV6, IPV4, IPV6}, TrafficMix.parse("ipv6=3,ipv4=3").sequence());
    }

    @Test
    void shouldSpreadEveryKindEvenly()
    {
        final List<TestFrameKind> sequence =
            Arrays.asList(TrafficMix.parse("ipv4=45, ipv6=45, options=1, arp=9").sequence());

        assertEquals(100, sequence.size());
        for (int tenth = 0; tenth < 10; tenth++)
        {
            final List<TestFrameKind> part = sequence.subList(10 * tenth, 10 * tenth + 10);
            final long ipv4 = part.stream().filter(kind -> kind == IPV4).count();
            final long ipv6 = part.stream().filter(kind -> kind == IPV6).count();
            final long arp = part.stream().filter(kind -> kind == ARP).count();
            assertTrue(ipv4 >= 4 && ipv4 <= 5, part::toString);
            assertTrue(ipv6 >= 4 && ipv6 <= 5, part::toString);
            assertTrue(arp <= 2, part::toString);
        }
        assertEquals(9, sequence.stream().filter(kind -> kind == ARP).count());
        assertEquals(1, sequence.stream().filter(kind -> kind == OPTIONS).count());
    }

    @Test
    void shouldKeepTheRatioOfTheFamiliesWithoutExceptions()
    {
        final TrafficMix mix = TrafficMix.parse("ipv4=60,ipv6=30,arp=10");

        assertEquals(Map.of("ipv4", 60, "ipv6", 30), mix.withoutExceptions().toMap());
        assertEquals(List.of("arp"), mix.exceptions());
    }

    @Test
    void shouldHaveOneExceptionInAnInterval()
    {
        final TestFrameKind[] sequence = TrafficMix.withOneIn(10, OPTIONS, ARP).sequence();

        assertEquals(20, sequence.length);
        assertEquals(18, Arrays.stream(sequence).filter(kind -> kind == IPV4).count());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        ipv4              | "ipv4" is not a kind and its parts; write for example ipv4=99,arp=1
        ipv4=1,           | "" is not a kind and its parts; write for example ipv4=99,arp=1
        ipv5=1            | "ipv5" is none of ipv4, ipv6, unresolved, unresolved6, options, fragment, expired,
        ipv4=0            | "ipv4=0": the parts are not a number from 1 to 100000
        ipv4=many         | "ipv4=many": the parts are not a number from 1 to 100000
        ipv4=1,ipv4=2     | ipv4 occurs twice
        ipv4=99999,arp=2  | the parts sum up to 100001, more than 100000
        arp=1             | neither ipv4 nor ipv6 is in it
        """)
    void shouldRefuse(final String text, final String message)
    {
        final IllegalArgumentException refusal =
            assertThrows(IllegalArgumentException.class, () -> TrafficMix.parse(text));
        assertTrue(refusal.getMessage().startsWith(message), refusal::getMessage);
    }
}
