package org.fibnuma.fibnic.datapath;

import org.fibnuma.core.wire.IpAddress;
import org.fibnuma.fibnic.adjacency.Adjacency;
import org.fibnuma.fibnic.fate.DropReason;
import org.fibnuma.fibnic.fate.ForwarderCounter;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

/** RFC 791 section 3.2, "Fragmentation". */
class Ipv4FragmenterTest
{
    private final RouterFixture router = new RouterFixture(2, context -> context.egressFifoDepth(4));

    @AfterEach
    void after()
    {
        router.close();
    }

    private void mtu(final int mtu)
    {
        router.adjacencies.set(2, Adjacency.forward(
            1, IpAddress.parse("10.0.1.2"), mtu, RouterFixture.hostMac(1), RouterFixture.routerMac(1)));
    }

    @Test
    void shouldCutAtMultiplesOfEight()
    {
        final byte[] in = TestFrame.ipv4().payload(1481).bytes();
        final List<byte[]> sent = router.forward(in);
        assertEquals(2, sent.size());
        assertEquals(TestFrame.ETHERNET + 20 + 1480, sent.get(0).length);
        assertEquals(TestFrame.ETHERNET + 20 + 1, sent.get(1).length);
        assertEquals(0x2000, TestFrame.u16(sent.get(0), TestFrame.ETHERNET + 6));
        assertEquals(185, TestFrame.u16(sent.get(1), TestFrame.ETHERNET + 6));
        for (final byte[] fragment : sent)
        {
            assertArrayEquals(
                TestFrame.hex("020000000201 020000000101 0800"), Arrays.copyOf(fragment, 14));
            assertEquals(63, TestFrame.u8(fragment, TestFrame.ETHERNET + 8));
            assertEquals(0x1234, TestFrame.u16(fragment, TestFrame.ETHERNET + 4));
        }
        assertEquals(1, router.count(ForwarderCounter.FORWARDED));
        assertEquals(2, router.count(ForwarderCounter.FRAGMENTS));
        router.assertBalanced();
    }

    @Test
    void shouldKeepFragmentsInOrderAmongTheOtherFrames()
    {
        for (int i = 0; i < 12; i++)
        {
            router.receive(0, TestFrame.ipv4().identification(i).payload(i % 4 == 1 ? 2000 : 100).bytes());
        }
        router.run();
        final List<Integer> order = new ArrayList<>();
        router.sent(1).forEach(frame -> order.add(TestFrame.u16(frame, TestFrame.ETHERNET + 4)));
        assertEquals(List.of(0, 1, 1, 2, 3, 4, 5, 5, 6, 7, 8, 9, 9, 10, 11), order);
        router.assertBalanced();
    }

    @Test
    void shouldCopyOnlyTheOptionsThatAskForIt()
    {
        mtu(200);
        // No-operation, full record route (not copied), router alert (copied), full timestamp (not copied), end.
        final String options = "01" + "070708c0000201" + "94040000" + "44080900" + "00000000" + "00000000";
        final List<byte[]> sent = router.forward(TestFrame.ipv4().options(options).payload(500).bytes());
        assertEquals(24 + 20, (sent.get(0)[TestFrame.ETHERNET] & 0xF) * 4);
        assertArrayEquals(
            TestFrame.hex(options.replace("44080900", "44080910")),
            Arrays.copyOfRange(sent.get(0), TestFrame.ETHERNET + 20, 58));
        for (final byte[] later : sent.subList(1, sent.size()))
        {
            assertEquals(0x46, TestFrame.u8(later, TestFrame.ETHERNET));
            assertEquals(0x94040000, TestFrame.s32(later, TestFrame.ETHERNET + 20));
        }
        new Reassembler(sent, 200).dataFrom(0);
        router.assertBalanced();
    }

    @Test
    void shouldNotCutWhereAnOptionIsMalformed()
    {
        mtu(200);
        assertEquals(List.of(), router.forward(
            TestFrame.ipv4().options("94040000" + "9401" + "9404" + "ff28ffff").payload(500).bytes()));
        router.assertAllDropped(DropReason.IPV4_BAD_OPTION);
    }

    @Test
    void shouldDropWhenThereAreNoChunksForAllFragments()
    {
        mtu(68);
        final List<Long> taken = new ArrayList<>();
        router.receive(0, TestFrame.ipv4().payload(480).bytes());
        // One is given for the frame received; ten fragments need nine more.
        while (router.routerPool.available() > 9)
        {
            taken.add(router.routerPool.allocate());
        }
        router.run();
        assertEquals(0, router.sent(1).size());
        taken.forEach(router.routerPool::release);
        router.assertAllDropped(DropReason.FRAGMENT_NO_BUFFER);
        assertEquals(10, router.forward(TestFrame.ipv4().payload(480).bytes()).size());
        router.assertBalanced();
    }

    @Test
    void shouldDropWhatFindsNoRoomForItsFirstFragment()
    {
        mtu(68);
        for (int i = 0; i < 60; i++)
        {
            router.receive(0, TestFrame.ipv4().payload(480).bytes());
        }
        router.run();
        final long forwarded = router.count(ForwarderCounter.FORWARDED);
        // The link takes 256 and the FIFO 4: 26 whole datagrams.
        assertEquals(26, forwarded);
        assertEquals(60 - forwarded, router.report().get(DropReason.EGRESS_FULL));
        assertEquals(0, router.count(ForwarderCounter.FRAGMENTS_LOST));
        router.sent(1);
        router.assertBalanced();
    }

    @Test
    void shouldCountTheLostFragmentsOfAPacketThatHasLeftInPart()
    {
        mtu(68);
        for (int i = 0; i < 60; i++)
        {
            router.receive(0, TestFrame.ipv4().payload(7 * 48).bytes());
        }
        router.run();
        // 260 fragments: 37 datagrams of seven fragments, and the first fragment of the next one.
        assertEquals(38, router.count(ForwarderCounter.FORWARDED));
        assertEquals(260, router.count(ForwarderCounter.FRAGMENTS));
        assertEquals(6, router.count(ForwarderCounter.FRAGMENTS_LOST));
        assertEquals(22, router.report().get(DropReason.EGRESS_FULL));
        assertEquals(260, router.sent(1).size());
        router.assertBalanced();
    }
}
