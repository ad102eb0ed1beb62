package org.fibnuma.fibnic.datapath;

import org.fibnuma.core.port.DelegatingPort;
import org.fibnuma.core.port.Port;
import org.fibnuma.fibnic.fate.PortTraffic;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.Arrays;
import java.util.List;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

/** Port 0 delivers partial checksums, port 1 does not. The complete checksums are scapy's. */
class ChecksumCompletionTest
{
    /** A datagram from 10.0.0.2 to 10.0.1.2; the sum of the pseudo-header is 0x1525. */
    private static final String UDP_PARTIAL = "9c40 0009 0010 1525 6461 7461 6772 616d";
    private static final String UDP_COMPLETE = "9c40 0009 0010 acde 6461 7461 6772 616d";
    private static final String TCP_PARTIAL = "9c40 1451 01020304 05060708 8018 01f6 1535 0000" +
        "0101 080a 00000001 00000002 68656c6c6f2c206f646421";
    private static final String TCP_COMPLETE = "9c40 1451 01020304 05060708 8018 01f6 b536 0000" +
        "0101 080a 00000001 00000002 68656c6c6f2c206f646421";
    private static final int TCP = 6;
    private static final int PAYLOAD = TestFrame.ETHERNET + 20;
    private static final int CHECKSUM = PAYLOAD + 6;

    private final RouterFixture router = new RouterFixture(2, context -> context.forwardsIpv6(true).ports(
        List.of(new PartialChecksumPort(context.ports.get(0)), context.ports.get(1))));

    @AfterEach
    void after()
    {
        router.close();
    }

    @Test
    void shouldForwardCompleteChecksums()
    {
        assertPayload(UDP_COMPLETE, router.forward(udp().bytes()));
        assertPayload(TCP_COMPLETE, router.forward(udp().protocol(TCP).payload(TestFrame.hex(TCP_PARTIAL)).bytes()));
        assertEquals(2, completed(0));
        router.assertBalanced();
    }

    @Test
    void shouldNotCountWhatIsComplete()
    {
        final byte[] complete = TestFrame.ipv4().payload(TestFrame.hex(UDP_COMPLETE)).bytes();
        assertPayload(UDP_COMPLETE, router.forward(complete));
        assertEquals(0, completed(0));
    }

    @Test
    void shouldLeaveFramesOfOtherPorts()
    {
        final byte[] frame = TestFrame.ipv4().to("02:00:00:00:01:01").source("10.0.1.2").destination("10.0.0.2")
            .payload(TestFrame.hex(UDP_PARTIAL)).bytes();
        router.receive(1, frame);
        router.run();
        assertPayload(UDP_PARTIAL, router.sent(0));
        assertEquals(0, completed(1));
    }

    /** Its kernel would find the checksum wrong. */
    @Test
    void shouldPuntCompleteChecksums()
    {
        router.receive(0, TestFrame.ipv4().destination("10.0.0.1")
            .payload(TestFrame.hex(UDP_PARTIAL.replace("1525", "1424"))).bytes());
        router.run();
        final List<byte[]> punted = router.punted();
        assertEquals(1, punted.size());
        assertEquals(0xADDF, TestFrame.u16(punted.get(0), CHECKSUM));
        assertEquals(1, completed(0));
    }

    @Test
    void shouldCompleteBehindAVlanTag()
    {
        final byte[] untagged = udp().bytes();
        final byte[] tagged = new byte[untagged.length + 4];
        System.arraycopy(untagged, 0, tagged, 0, 12);
        System.arraycopy(TestFrame.hex("8100 0064"), 0, tagged, 12, 4);
        System.arraycopy(untagged, 12, tagged, 16, untagged.length - 12);
        router.receive(0, tagged);
        router.run();
        final List<byte[]> punted = router.punted();
        assertEquals(1, punted.size());
        assertEquals(0xACDE, TestFrame.u16(punted.get(0), CHECKSUM + 4));
    }

    /** Bounds are checked here: a read behind the end of a frame would fail. */
    @Test
    void shouldTakeFramesCutAnywhere()
    {
        final byte[] whole = udp().options("94040000").bytes();
        for (int length = 1; length < whole.length; length++)
        {
            final byte[] cut = new byte[length];
            System.arraycopy(whole, 0, cut, 0, length);
            router.receive(0, cut);
            router.run();
        }
        assertEquals(0, completed(0));
        router.assertBalanced();
    }

    /** RFC 8200 section 8.1; the sums computed by the slow reference of the tests. */
    @ParameterizedTest
    @CsvSource({"17,6,8", "17,6,21", "6,16,20", "6,16,57"})
    void shouldForwardCompleteChecksumsInIpv6(final int protocol, final int offset, final int length)
    {
        final byte[] segment = new byte[length];
        for (int i = 0; i < length; i++)
        {
            segment[i] = (byte)(i * 37 + 5);
        }
        if (protocol == 17)
        {
            segment[4] = 0;
            segment[5] = (byte)length;
        }
        final byte[] frame = TestFrame6.ipv6().nextHeader(protocol).payload(segment).bytes();
        final int field = TestFrame6.PAYLOAD + offset;
        final byte[] pseudoHeader = TestFrame6.ipv6().nextHeader(protocol).payload(new byte[length]).bytes();
        final int partial = ~TestFrame6.checksumOf(pseudoHeader) & 0xFFFF;
        frame[field] = (byte)(partial >> 8);
        frame[field + 1] = (byte)partial;
        final List<byte[]> sent = router.forward(frame);
        assertEquals(1, sent.size());
        assertEquals(0, TestFrame6.checksumOf(sent.get(0)));
        assertEquals(1, completed(0));

        router.forward(withHopLimit(sent.get(0)));
        assertEquals(1, completed(0), "it is complete");
    }

    private static byte[] withHopLimit(final byte[] sent)
    {
        final byte[] frame = sent.clone();
        System.arraycopy(TestFrame.mac("02:00:00:00:01:00"), 0, frame, 0, 6);
        return frame;
    }

    /** Bounds are checked here: a read behind the end of a frame would fail. */
    @ParameterizedTest
    @ValueSource(ints = {6, 17, 58, 0})
    void shouldTakeIpv6FramesCutAnywhere(final int protocol)
    {
        final byte[] whole = TestFrame6.ipv6().nextHeader(protocol).payload(24).bytes();
        for (int length = 1; length < whole.length; length++)
        {
            router.receive(0, Arrays.copyOf(whole, length));
            final byte[] consistent = Arrays.copyOf(whole, length);
            if (length > TestFrame6.PAYLOAD)
            {
                consistent[TestFrame.ETHERNET + 5] = (byte)(length - TestFrame6.PAYLOAD);
            }
            router.receive(0, consistent);
            router.run();
        }
        assertEquals(0, completed(0));
        router.assertBalanced();
    }

    private static TestFrame udp()
    {
        return TestFrame.ipv4().payload(TestFrame.hex(UDP_PARTIAL));
    }

    private long completed(final int port)
    {
        return router.report().get(port, PortTraffic.CHECKSUMS_COMPLETED);
    }

    private static void assertPayload(final String expected, final List<byte[]> frames)
    {
        assertEquals(1, frames.size());
        final byte[] payload = new byte[frames.get(0).length - PAYLOAD];
        System.arraycopy(frames.get(0), PAYLOAD, payload, 0, payload.length);
        assertArrayEquals(TestFrame.hex(expected), payload);
    }

    /** A link in memory whose far end leaves checksums to a device. */
    private static final class PartialChecksumPort extends DelegatingPort
    {
        private PartialChecksumPort(final Port port)
        {
            super(port);
        }

        @Override
        public boolean deliversPartialChecksums()
        {
            return true;
        }
    }
}
