package org.fibnuma.fibnic.datapath;

import org.fibnuma.core.kernel.InterfacePolicy;
import org.fibnuma.core.kernel.ReversePath;
import org.fibnuma.fibnic.fate.DropReason;
import org.fibnuma.fibnic.fate.ForwarderCounter;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.Arrays;
import java.util.List;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

class Ipv6InputTest
{
    private final RouterFixture router = new RouterFixture(2, context -> context.forwardsIpv6(true));

    @AfterEach
    void after()
    {
        router.close();
    }

    private void assertDropped(final DropReason reason, final byte[] frame)
    {
        assertEquals(List.of(), router.forward(frame));
        assertEquals(List.of(), router.sent(0), "no error");
        assertEquals(List.of(), router.punted());
        router.assertAllDropped(reason);
    }

    private void assertPunted(final byte[] frame)
    {
        assertEquals(List.of(), router.forward(frame));
        assertEquals(List.of(), router.sent(0));
        final List<byte[]> punted = router.punted();
        assertEquals(1, punted.size());
        assertArrayEquals(frame, punted.get(0));
        router.assertBalanced();
    }

    @ParameterizedTest
    @ValueSource(ints = {14, 15, 53})
    void shouldDropWhatIsShorterThanTheHeader(final int length)
    {
        assertDropped(DropReason.IPV6_TOO_SHORT, Arrays.copyOf(TestFrame6.ipv6().bytes(), length));
    }

    /** RFC 8200 section 3. */
    @ParameterizedTest
    @ValueSource(ints = {0, 4, 5, 7, 15})
    void shouldDropOtherVersions(final int version)
    {
        assertDropped(DropReason.IPV6_BAD_VERSION, TestFrame6.ipv6().version(version).payload(8).bytes());
    }

    @ParameterizedTest
    @ValueSource(ints = {9, 0xFFFF})
    void shouldDropPayloadLengthsAboveTheFrame(final int payloadLength)
    {
        assertDropped(
            DropReason.IPV6_TRUNCATED, TestFrame6.ipv6().payload(8).payloadLength(payloadLength).bytes());
    }

    /** RFC 4291 sections 2.5.2, 2.5.3, 2.5.5.2 and 2.7. */
    @ParameterizedTest
    @ValueSource(strings = {"::", "::1", "::ffff:10.0.0.2", "ff02::1", "ff0e::1"})
    void shouldDropMartianSources(final String source)
    {
        assertDropped(DropReason.IPV6_MARTIAN_SOURCE, TestFrame6.ipv6().source(source).bytes());
    }

    /** RFC 4291 sections 2.5.2, 2.5.3 and 2.5.5.2. */
    @ParameterizedTest
    @ValueSource(strings = {"::", "::1", "::ffff:10.0.1.2"})
    void shouldDropMartianDestinations(final String destination)
    {
        assertDropped(DropReason.IPV6_MARTIAN_DESTINATION, TestFrame6.ipv6().destination(destination).bytes());
    }

    /** Neighbours of the martians, which are forwarded if there is a route: NAT64, site-local, 0:0:0:0:1::. */
    @ParameterizedTest
    @ValueSource(strings = {"64:ff9b::1", "fec0::1", "0:0:0:1::1", "::2", "fe7f::1", "fc00::1"})
    void shouldForwardOtherAddresses(final String address)
    {
        router.routeIpv6("::", 0, RouterFixture.HOST6 + 1);
        assertEquals(1, router.forward(TestFrame6.ipv6().destination(address).bytes()).size());
        assertEquals(1, router.forward(TestFrame6.ipv6().source(address).bytes()).size());
    }

    @ParameterizedTest
    @ValueSource(strings = {"2001:db8:0::1", "2001:db8:1::1"})
    void shouldDropItsOwnSources(final String source)
    {
        assertDropped(DropReason.IPV6_OWN_SOURCE, TestFrame6.ipv6().source(source).bytes());
    }

    @ParameterizedTest
    @ValueSource(strings = {"ff:ff:ff:ff:ff:ff", "33:33:00:00:00:01"})
    void shouldDropUnicastToOthersInGroupFrames(final String mac)
    {
        assertDropped(DropReason.IPV6_LINK_BROADCAST, TestFrame6.ipv6().to(mac).bytes());
    }

    @Test
    void shouldPassWhatIsForThisHost()
    {
        assertPunted(TestFrame6.ipv6().destination("2001:db8:1::1").hopLimit(1).bytes());
        assertPunted(TestFrame6.ipv6().destination("2001:db8:0::1").source("fe80::2").hopLimit(255).bytes());
        assertPunted(TestFrame6.ipv6().destination("2001:db8:0::1").to("33:33:00:00:00:01").bytes());
    }

    /** Neighbour discovery, MLD, router solicitations, all of RFC 4861 section 4 and RFC 3810. */
    @Test
    void shouldPassNeighbourDiscoveryToTheKernel()
    {
        assertPunted(TestFrame6.ipv6().to("33:33:ff:00:00:01").source("::").destination("ff02::1:ff00:1")
            .hopLimit(255).nextHeader(58).payload(24).bytes());
        assertPunted(TestFrame6.ipv6().to("33:33:00:00:00:16").source("::").destination("ff02::16")
            .hopLimit(1).nextHeader(0).payload(36).bytes());
        assertPunted(TestFrame6.ipv6().source("fe80::2").destination("fe80::0:1").hopLimit(255).nextHeader(58)
            .payload(24).bytes());
        assertPunted(TestFrame6.ipv6().to("33:33:00:00:00:02").source("fe80::2").destination("ff02::2")
            .hopLimit(255).nextHeader(58).payload(8).bytes());
    }

    /** RFC 4291 section 2.7: nor is multicast of a wider scope forwarded; there is no multicast routing. */
    @Test
    void shouldNotForwardMulticast()
    {
        router.routeIpv6("ff00::", 8, RouterFixture.HOST6 + 1);
        assertPunted(TestFrame6.ipv6().destination("ff0e::1").bytes());
    }

    @Test
    void shouldNotForwardPadding()
    {
        final byte[] sent = router.forward(TestFrame6.ipv6().payload(3).padding(20).bytes()).get(0);
        assertEquals(TestFrame6.PAYLOAD + 3, sent.length);
        final byte[] exception =
            router.forward(TestFrame6.ipv6().source("::2").payload(3).padding(20).bytes()).get(0);
        assertEquals(TestFrame6.PAYLOAD + 3, exception.length);
    }

    @Test
    void shouldLeaveIpv6ToTheKernelByDefault()
    {
        try (RouterFixture other = new RouterFixture())
        {
            final byte[] frame = TestFrame6.ipv6().bytes();
            assertEquals(List.of(), other.forward(frame));
            assertArrayEquals(frame, other.punted().get(0));
            assertEquals(0, other.count(ForwarderCounter.IPV6));
        }
    }

    @Test
    void shouldLeaveIpv6ToTheKernelOnAPortThatDoesNotForward()
    {
        router.interfaces.set(
            0, router.interfaces.get(0).with(new InterfacePolicy(true, ReversePath.OFF, false)));
        assertPunted(TestFrame6.ipv6().payload(8).bytes());
        assertEquals(1, router.forward(TestFrame.ipv4().bytes()).size());
    }

    /** Nor does a reverse-path check of the host apply to IPv6. */
    @Test
    void shouldForwardIpv6FromAPortThatDoesNotForwardIpv4()
    {
        router.interfaces.set(
            0, router.interfaces.get(0).with(new InterfacePolicy(false, ReversePath.STRICT, true)));
        assertPunted(TestFrame.ipv4().bytes());
        assertEquals(1, router.forward(TestFrame6.ipv6().source("3fff::1").payload(8).bytes()).size());
    }

    @Test
    void shouldDropFramesToOtherMacs()
    {
        assertDropped(DropReason.ETHERNET_OTHER_HOST, TestFrame6.ipv6().to("02:00:00:00:01:77").bytes());
    }
}
