package org.fibnuma.fibnic.datapath;

import org.fibnuma.fibnic.adjacency.RouterInterface;
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

class EthernetInputTest
{
    private final RouterFixture router = new RouterFixture();

    @AfterEach
    void after()
    {
        router.close();
    }

    @Test
    void shouldDropFramesShorterThanAHeader()
    {
        final byte[] whole = TestFrame.ipv4().bytes();
        for (int length = 0; length < TestFrame.ETHERNET; length++)
        {
            router.receive(0, Arrays.copyOf(whole, length));
        }
        router.run();
        assertEquals(TestFrame.ETHERNET, router.report().get(DropReason.ETHERNET_TOO_SHORT));
        router.assertAllDropped(DropReason.ETHERNET_TOO_SHORT);
    }

    @ParameterizedTest
    @ValueSource(strings = {
        "02:00:00:00:01:01", "02:00:00:00:00:00", "00:00:00:00:01:00", "02:00:00:00:01:10", "fe:ff:ff:ff:ff:ff"})
    void shouldDropFramesToOtherHosts(final String mac)
    {
        assertEquals(List.of(), router.forward(TestFrame.ipv4().to(mac).bytes()));
        router.assertAllDropped(DropReason.ETHERNET_OTHER_HOST);
    }

    @ParameterizedTest
    @ValueSource(ints = {0x0806, 0x86DD, 0x8100, 0x88A8, 0x8808, 0x0000, 0x05DC, 0x0801, 0x0008})
    void shouldPuntEverythingButIpv4(final int etherType)
    {
        final byte[] frame = TestFrame.ipv4().etherType(etherType).payload(30).bytes();
        assertEquals(List.of(), router.forward(frame));
        final List<byte[]> punted = router.punted();
        assertEquals(1, punted.size());
        assertArrayEquals(frame, punted.get(0));
        assertEquals(1, router.count(ForwarderCounter.PUNTED));
        router.assertBalanced();
    }

    @ParameterizedTest
    @ValueSource(strings = {"ff:ff:ff:ff:ff:ff", "33:33:00:00:00:01", "01:80:c2:00:00:00"})
    void shouldPuntToGroups(final String mac)
    {
        router.forward(TestFrame.ipv4().to(mac).etherType(0x0806).bytes());
        assertEquals(1, router.punted().size());
        router.assertBalanced();
    }

    @Test
    void shouldFollowAChangedAddress()
    {
        final byte[] toNew = TestFrame.ipv4().to("0a:bb:cc:dd:ee:ff").bytes();
        assertEquals(0, router.forward(toNew).size());
        router.interfaces.set(0, new RouterInterface(0x0ABB_CCDD_EEFFL, 1500, List.of()));
        assertEquals(1, router.forward(toNew).size());
        assertEquals(0, router.forward(TestFrame.ipv4().bytes()).size());
        assertEquals(2, router.report().get(DropReason.ETHERNET_OTHER_HOST));
        router.assertBalanced();
    }
}
