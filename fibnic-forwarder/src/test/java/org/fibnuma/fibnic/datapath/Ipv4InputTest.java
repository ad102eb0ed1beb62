package org.fibnuma.fibnic.datapath;

import org.fibnuma.fibnic.fate.DropReason;
import org.fibnuma.fibnic.fate.ForwarderCounter;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.Arrays;
import java.util.List;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

/** RFC 1812 sections 5.2.2, 5.3.4 and 5.3.7. */
class Ipv4InputTest
{
    private static final String BROADCAST_MAC = "ff:ff:ff:ff:ff:ff";

    private final RouterFixture router = new RouterFixture();

    @AfterEach
    void after()
    {
        router.close();
    }

    private void shouldDrop(final byte[] frame, final DropReason reason)
    {
        assertEquals(List.of(), router.forward(frame));
        assertEquals(List.of(), router.sent(0), "nobody is told about a bad header");
        router.assertAllDropped(reason);
    }

    private void shouldPunt(final byte[] frame)
    {
        assertEquals(List.of(), router.forward(frame));
        final List<byte[]> punted = router.punted();
        assertEquals(1, punted.size());
        assertArrayEquals(frame, punted.get(0));
        assertEquals(1, router.count(ForwarderCounter.PUNTED));
        router.assertBalanced();
    }

    @Test
    void shouldDropWhenLinkLengthIsBelowTwenty()
    {
        final byte[] whole = TestFrame.ipv4().bytes();
        for (int length = TestFrame.ETHERNET; length < TestFrame.ETHERNET + 20; length++)
        {
            router.receive(0, Arrays.copyOf(whole, length));
        }
        router.run();
        assertEquals(20, router.report().get(DropReason.IPV4_TOO_SHORT));
        router.assertAllDropped(DropReason.IPV4_TOO_SHORT);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3, 5, 6, 7, 8, 12, 15})
    void shouldDropOtherVersions(final int version)
    {
        shouldDrop(TestFrame.ipv4().version(version).bytes(), DropReason.IPV4_BAD_VERSION);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3, 4})
    void shouldDropWhenHeaderLengthIsBelowFiveWords(final int ihl)
    {
        shouldDrop(TestFrame.ipv4().ihl(ihl).bytes(), DropReason.IPV4_BAD_HEADER_LENGTH);
    }

    @ParameterizedTest
    @ValueSource(ints = {6, 7, 15})
    void shouldDropWhenHeaderLengthExceedsFrame(final int ihl)
    {
        shouldDrop(TestFrame.ipv4().ihl(ihl).payload(3).bytes(), DropReason.IPV4_HEADER_TRUNCATED);
    }

    @Test
    void shouldDropWhenAnyBitOfTheHeaderIsFlipped()
    {
        for (int bit = 8; bit < 20 * 8; bit++)
        {
            final byte[] frame = TestFrame.ipv4().payload(8).bytes();
            frame[TestFrame.ETHERNET + bit / 8] ^= (byte)(1 << bit % 8);
            assertEquals(List.of(), router.forward(frame));
        }
        router.assertAllDropped(DropReason.IPV4_BAD_CHECKSUM);
    }

    @Test
    void shouldDropABadChecksumOverOptions()
    {
        final byte[] frame = TestFrame.ipv4().options("01010101").payload(8).bytes();
        frame[TestFrame.ETHERNET + 20] = 2;
        shouldDrop(frame, DropReason.IPV4_BAD_CHECKSUM);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 19})
    void shouldDropWhenTotalLengthIsBelowHeaderLength(final int totalLength)
    {
        shouldDrop(TestFrame.ipv4().totalLength(totalLength).payload(8).bytes(), DropReason.IPV4_BAD_TOTAL_LENGTH);
    }

    @Test
    void shouldDropWhenTotalLengthEndsInsideOptions()
    {
        shouldDrop(
            TestFrame.ipv4().options("0101010101010101").totalLength(27).bytes(), DropReason.IPV4_BAD_TOTAL_LENGTH);
    }

    @ParameterizedTest
    @ValueSource(ints = {29, 1500, 65_535})
    void shouldDropWhenTotalLengthExceedsLinkLength(final int totalLength)
    {
        shouldDrop(TestFrame.ipv4().totalLength(totalLength).payload(8).bytes(), DropReason.IPV4_TRUNCATED);
    }

    @Test
    void shouldForwardAHeaderAloneAndOneWithAllOptions()
    {
        assertEquals(34, router.forward(TestFrame.ipv4().bytes()).get(0).length);
        final String options = "01".repeat(40);
        assertEquals(74, router.forward(TestFrame.ipv4().options(options).bytes()).get(0).length);
        router.assertBalanced();
    }

    @Test
    void shouldNotForwardPadding()
    {
        final byte[] sent = router.forward(TestFrame.ipv4().payload(6).padding(20).bytes()).get(0);
        assertEquals(TestFrame.ETHERNET + 26, sent.length);
        assertEquals(26, TestFrame.u16(sent, TestFrame.ETHERNET + 2));
        router.assertBalanced();
    }

    @ParameterizedTest
    @ValueSource(strings = {
        "0.0.0.0", "0.1.2.3", "127.0.0.1", "127.255.255.255", "224.0.0.1", "239.255.255.255", "240.0.0.1",
        "255.255.255.254", "255.255.255.255"})
    void shouldDropMartianSources(final String source)
    {
        shouldDrop(TestFrame.ipv4().source(source).bytes(), DropReason.IPV4_MARTIAN_SOURCE);
    }

    /** RFC 1812 section 5.3.7, whatever port it comes in by and whatever its destination. */
    @ParameterizedTest
    @ValueSource(strings = {"10.0.1.2", "10.0.1.1", "192.0.2.1"})
    void shouldDropOurOwnAddressesAsSources(final String destination)
    {
        for (final String source : List.of("10.0.0.1", "10.0.1.1"))
        {
            assertEquals(
                List.of(), router.forward(TestFrame.ipv4().source(source).destination(destination).bytes()));
        }
        assertEquals(List.of(), router.sent(0), "silently");
        assertEquals(List.of(), router.punted());
        router.assertAllDropped(DropReason.IPV4_OWN_SOURCE);
    }

    /** RFC 1812 section 4.2.2.11. */
    @ParameterizedTest
    @ValueSource(strings = {"10.0.0.255", "10.0.1.255"})
    void shouldDropBroadcastsOfConnectedNetworksAsSources(final String source)
    {
        shouldDrop(TestFrame.ipv4().source(source).bytes(), DropReason.IPV4_BROADCAST_SOURCE);
    }

    @Test
    void shouldForwardFromAnAddressThatTheFilterTakesForOurs()
    {
        int alike = TestFrame.ip("20.0.0.1");
        while (!router.interfaces.hostAddresses().mayContain(alike))
        {
            alike++;
        }
        assertEquals(1, router.forward(TestFrame.ipv4().source(alike).bytes()).size());
        assertEquals(1, router.count(ForwarderCounter.FORWARDED));
    }

    @ParameterizedTest
    @ValueSource(strings = {"1.0.0.0", "126.255.255.255", "128.0.0.0", "223.255.255.255"})
    void shouldForwardFromTheNeighboursOfMartians(final String source)
    {
        assertEquals(1, router.forward(TestFrame.ipv4().source(source).bytes()).size());
    }

    @ParameterizedTest
    @ValueSource(strings = {"0.0.0.0", "0.255.255.255", "127.0.0.1", "127.9.9.9", "240.0.0.0", "255.255.255.254"})
    void shouldDropMartianDestinations(final String destination)
    {
        router.route("0.0.0.0", 0, 2);
        shouldDrop(TestFrame.ipv4().destination(destination).bytes(), DropReason.IPV4_MARTIAN_DESTINATION);
    }

    /** ip_route_input_slow, Linux 6.18; each was seen to be forwarded, and the others to be dropped, by a kernel. */
    @ParameterizedTest
    @CsvSource({
        "0.1.2.3,true", "240.0.0.1,true", "255.255.255.254,true", "0.0.0.0,false", "127.0.0.1,false",
        "224.0.0.1,false", "255.255.255.255,false"})
    void shouldTakeTheAddressesOfTheKernelsRuleForUnicast(final String address, final boolean isUnicast)
    {
        try (RouterFixture kernels = new RouterFixture(2, context -> context.kernelMartians(true)))
        {
            kernels.route("0.0.0.0", 0, 2);
            assertEquals(isUnicast ? 1 : 0, kernels.forward(TestFrame.ipv4().source(address).bytes()).size());
            if (!address.startsWith("224") && !address.equals("255.255.255.255"))
            {
                assertEquals(
                    isUnicast ? 1 : 0, kernels.forward(TestFrame.ipv4().destination(address).bytes()).size());
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"224.0.0.5", "239.1.2.3", "255.255.255.255"})
    void shouldPuntPacketsToMany(final String destination)
    {
        router.route("0.0.0.0", 0, 2);
        shouldPunt(TestFrame.ipv4().destination(destination).to("01:00:5e:00:00:05").bytes());
    }

    @Test
    void shouldPuntDhcpFromTheUnspecifiedAddress()
    {
        shouldPunt(TestFrame.ipv4().source("0.0.0.0").destination("255.255.255.255").to(BROADCAST_MAC).bytes());
    }

    @ParameterizedTest
    @ValueSource(strings = {"10.0.1.2", "10.0.1.77", "10.0.0.1", "192.0.2.1"})
    void shouldNotForwardToOneHostWhatCameInAFrameToMany(final String destination)
    {
        shouldDrop(
            TestFrame.ipv4().destination(destination).to(BROADCAST_MAC).bytes(), DropReason.IPV4_LINK_BROADCAST);
    }

    @Test
    void shouldPuntADirectedBroadcastInABroadcastFrame()
    {
        shouldPunt(TestFrame.ipv4().destination("10.0.0.255").to(BROADCAST_MAC).bytes());
    }
}
