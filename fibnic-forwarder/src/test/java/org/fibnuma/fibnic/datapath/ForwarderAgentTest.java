package org.fibnuma.fibnic.datapath;

import org.fibnuma.fibnic.fate.ForwarderCounter;
import org.fibnuma.fibnic.fate.PortTraffic;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import java.util.List;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

class ForwarderAgentTest
{
    private final RouterFixture router = new RouterFixture();

    @AfterEach
    void after()
    {
        router.close();
    }

    @Test
    void shouldForwardFromOnePortToAnother()
    {
        final byte[] in = TestFrame.hex(
            "020000000100 020000000200 0800" +
            "45000020 12340000 40115396 0a000002 0a000102" +
            "0102030405060708090a0b0c");
        final byte[] out = TestFrame.hex(
            "020000000201 020000000101 0800" +
            "45000020 12340000 3f115496 0a000002 0a000102" +
            "0102030405060708090a0b0c");
        final List<byte[]> sent = router.forward(in);
        assertEquals(1, sent.size());
        assertArrayEquals(out, sent.get(0));
        assertEquals(1, router.count(ForwarderCounter.FORWARDED));
        assertEquals(in.length, router.report().get(0, PortTraffic.RX_BYTES));
        assertEquals(1, router.report().get(0, PortTraffic.RX_FRAMES));
        assertEquals(out.length, router.report().get(1, PortTraffic.TX_BYTES));
        assertEquals(1, router.report().get(1, PortTraffic.TX_FRAMES));
        router.assertBalanced();
    }

    @Test
    void shouldKeepOrderAndLoseNothingOverManyBatches()
    {
        int expected = 0;
        for (int round = 0; round < 20; round++)
        {
            for (int i = 0; i < 150; i++)
            {
                router.receive(0, TestFrame.ipv4().identification(round * 150 + i).payload(26).bytes());
            }
            router.run();
            for (final byte[] frame : router.sent(1))
            {
                assertEquals(expected++, TestFrame.u16(frame, TestFrame.ETHERNET + 4));
            }
        }
        assertEquals(3000, expected);
        router.assertBalanced();
    }
}
