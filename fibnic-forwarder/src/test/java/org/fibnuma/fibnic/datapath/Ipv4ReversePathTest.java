package org.fibnuma.fibnic.datapath;

import org.fibnuma.core.kernel.InterfacePolicy;
import org.fibnuma.core.kernel.ReversePath;
import org.fibnuma.core.wire.IpAddress;
import org.fibnuma.fibnic.adjacency.Adjacency;
import org.fibnuma.fibnic.adjacency.RouterInterface;
import org.fibnuma.fibnic.fate.DropReason;
import org.fibnuma.fibnic.fate.ForwarderCounter;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

import java.util.List;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

/** RFC 1812 section 5.3.8, RFC 3704 sections 2.2 (strict) and 2.4 (loose). */
class Ipv4ReversePathTest
{
    private final RouterFixture router = new RouterFixture();

    @BeforeEach
    void before()
    {
        router.route("20.0.0.0", 8, 1);
        router.route("30.0.0.0", 8, 2);
        router.route("40.0.0.0", 8, RouterFixture.KERNEL);
        router.route("50.0.0.0", 8, RouterFixture.BLACKHOLE);
        router.route("51.0.0.0", 8, RouterFixture.UNREACHABLE);
        router.route("70.0.0.0", 8, RouterFixture.PUNT);
        router.route("60.0.0.0", 8, RouterFixture.UNRESOLVED);
        router.adjacencies.set(
            RouterFixture.UNRESOLVED, Adjacency.unresolved(0, IpAddress.of(1), RouterFixture.MTU));
    }

    @AfterEach
    void after()
    {
        router.assertBalanced();
        router.close();
    }

    @ParameterizedTest
    @CsvSource({
        // source, off, strict, loose: 1 where a frame that comes in by port 0 is forwarded
        "10.0.0.2,  1, 1, 1",
        "10.0.0.77, 1, 1, 1",
        "20.1.2.3,  1, 1, 1",
        "60.1.2.3,  1, 1, 1",
        "30.1.2.3,  1, 0, 1",
        "10.0.1.2,  1, 0, 1",
        "40.1.2.3,  1, 0, 1",
        "50.1.2.3,  1, 0, 0",
        "51.1.2.3,  1, 0, 0",
        "70.1.2.3,  1, 0, 0",
        "99.1.2.3,  1, 0, 0"})
    void shouldCheckTheRouteToTheSource(final String source, final int off, final int strict, final int loose)
    {
        assertForwarded(off, source, ReversePath.OFF);
        assertForwarded(strict, source, ReversePath.STRICT);
        assertForwarded(loose, source, ReversePath.LOOSE);
        final int punted = source.startsWith("70.") ? 2 : 0;
        assertEquals(punted, router.count(ForwarderCounter.PUNTED));
        assertEquals(3 - off - strict - loose - punted, router.report().get(DropReason.IPV4_REVERSE_PATH));
    }

    @Test
    void shouldLeaveToTheKernelTheSourcesThatItDecidesAbout()
    {
        policy(true, ReversePath.POLICY);
        final byte[] decided = TestFrame.ipv4().source("70.1.2.3").bytes();
        assertEquals(0, router.forward(decided).size());
        assertArrayEquals(decided, router.punted().get(0));
        for (final String source : List.of("30.1.2.3", "40.1.2.3", "50.1.2.3", "99.1.2.3"))
        {
            assertEquals(1, router.forward(TestFrame.ipv4().source(source).bytes()).size(), source);
        }
    }

    private void assertForwarded(final int expected, final String source, final ReversePath reversePath)
    {
        policy(true, reversePath);
        assertEquals(expected, router.forward(TestFrame.ipv4().source(source).bytes()).size(), reversePath.name());
    }

    @Test
    void shouldBeStrictWhereLooseIsAskedOfAPortWithoutAddress()
    {
        router.interfaces.set(0, new RouterInterface(RouterFixture.routerMac(0), RouterFixture.MTU, List.of()));
        policy(true, ReversePath.LOOSE);
        assertEquals(0, router.forward(TestFrame.ipv4().source("30.1.2.3").bytes()).size());
        assertEquals(1, router.forward(TestFrame.ipv4().source("20.1.2.3").bytes()).size());
    }

    @Test
    void shouldFollowADefaultRouteByThePort()
    {
        policy(true, ReversePath.STRICT);
        router.route("0.0.0.0", 0, 1);
        assertEquals(1, router.forward(TestFrame.ipv4().source("99.1.2.3").destination("10.0.1.2").bytes()).size());
        router.route("0.0.0.0", 0, 2);
        assertEquals(0, router.forward(TestFrame.ipv4().source("99.1.2.3").destination("10.0.1.2").bytes()).size());
    }

    @Test
    void shouldSayTheReasonThatComesFirst()
    {
        policy(true, ReversePath.STRICT);
        router.forward(TestFrame.ipv4().source("99.1.2.3").checksum(1).bytes());
        router.forward(TestFrame.ipv4().source("99.1.2.3").ttl(1).bytes());
        assertEquals(1, router.report().get(DropReason.IPV4_BAD_CHECKSUM));
        assertEquals(1, router.report().get(DropReason.IPV4_REVERSE_PATH));
        assertEquals(0, router.sent(0).size(), "no message about what nobody may have sent");
    }

    @ParameterizedTest
    @EnumSource(ReversePath.class)
    void shouldGiveToTheKernelWhatComesInWhereForwardingIsOff(final ReversePath reversePath)
    {
        policy(false, reversePath);
        final byte[] frame = TestFrame.ipv4().source("20.1.2.3").bytes();

        assertEquals(List.of(), router.forward(frame));

        final List<byte[]> punted = router.punted();
        assertEquals(1, punted.size());
        assertArrayEquals(frame, punted.get(0));
        assertEquals(1, router.count(ForwarderCounter.PUNTED));
        policy(true, reversePath);
        assertEquals(1, router.forward(frame).size());
    }

    private void policy(final boolean forwarding, final ReversePath reversePath)
    {
        router.interfaces.set(0, router.interfaces.get(0).with(new InterfacePolicy(forwarding, reversePath, true)));
    }
}
