package org.fibnuma.fibnic.datapath;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.lifecycle.AfterProperty;
import net.jqwik.api.lifecycle.BeforeProperty;
import org.fibnuma.core.wire.IpAddress;
import org.fibnuma.fibnic.adjacency.Adjacency;
import org.fibnuma.fibnic.fate.ForwarderCounter;

import java.util.Arrays;
import java.util.List;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

class Ipv4FragmenterPropertyTest
{
    private RouterFixture router;

    @BeforeProperty
    void before()
    {
        router = new RouterFixture(2, context -> context.egressFifoDepth(512));
    }

    @AfterProperty
    void after()
    {
        router.close();
    }

    @Property(tries = 2000)
    void shouldBeReassembledToWhatWasSent(
        @ForAll @IntRange(max = 3700) final int payload,
        @ForAll @IntRange(min = 68, max = 3000) final int mtu,
        @ForAll @IntRange(max = 10) final int optionWords,
        @ForAll final boolean copied,
        @ForAll @IntRange(max = 7000) final int offset,
        @ForAll final boolean more)
    {
        router.adjacencies.set(2, Adjacency.forward(
            1, IpAddress.parse("10.0.1.2"), mtu, RouterFixture.hostMac(1), RouterFixture.routerMac(1)));
        final long before = router.count(ForwarderCounter.FORWARDED);
        final byte[] in = TestFrame.ipv4().payload(payload).options((copied ? "94040000" : "01010101")
            .repeat(optionWords)).flagsAndOffset(offset | (more ? 0x2000 : 0)).bytes();
        final List<byte[]> sent = router.forward(in);
        final Reassembler reassembled = new Reassembler(sent, mtu);
        assertEquals(!more, reassembled.hasEnd());
        assertArrayEquals(
            Arrays.copyOfRange(in, in.length - payload, in.length),
            payload == 0 ? new byte[0] : reassembled.dataFrom(offset * 8));
        assertEquals(before + 1, router.count(ForwarderCounter.FORWARDED));
        router.assertBalanced();
    }
}
