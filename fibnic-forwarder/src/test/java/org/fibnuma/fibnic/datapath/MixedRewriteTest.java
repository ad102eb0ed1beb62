package org.fibnuma.fibnic.datapath;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;

import static org.junit.jupiter.api.Assertions.assertEquals;

/** Frames of both families to several ports in one batch: each leaves by the port of its destination, in its order. */
class MixedRewriteTest
{
    private static final int PORTS = 3;
    private static final int BATCHES = 300;
    private static final int MOST_FRAMES = 100;
    private static final int TTL_OFFSET = TestFrame.ETHERNET + 8;
    private static final int CHECKSUM_OFFSET = TestFrame.ETHERNET + 10;
    private static final int HOP_LIMIT_OFFSET = TestFrame.ETHERNET + 7;

    private final RouterFixture router = new RouterFixture(PORTS, context -> context.forwardsIpv6(true));

    @AfterEach
    void after()
    {
        router.close();
    }

    /**
     * Different parts of a batch go to another port than its first frame, so that equal next links come one after the
     * other as well as in turn.
     */
    @ParameterizedTest
    @ValueSource(ints = {0, 5, 50, 100})
    void shouldSendEachFrameByThePortOfItsDestination(final int percentElsewhere)
    {
        final Random random = new Random(percentElsewhere);
        for (int n = 0; n < BATCHES; n++)
        {
            final List<List<String>> expected = new ArrayList<>();
            for (int port = 0; port < PORTS; port++)
            {
                expected.add(new ArrayList<>());
            }
            final int usual = random.nextInt(PORTS);
            final int count = 1 + random.nextInt(MOST_FRAMES);
            for (int i = 0; i < count; i++)
            {
                final int port = random.nextInt(100) < percentElsewhere ? random.nextInt(PORTS) : usual;
                final boolean isTooLong = random.nextInt(40) == 0;
                final int payload = isTooLong ? RouterFixture.MTU : random.nextInt(50);
                final byte[] frame = random.nextBoolean() ?
                    TestFrame.ipv4().destination("10.0." + port + ".2").flagsAndOffset(0x4000).identification(i)
                        .payload(payload).bytes() :
                    TestFrame6.ipv6().destination("2001:db8:" + port + "::2").flowLabel(i).payload(payload).bytes();
                router.receive(0, frame);
                if (!isTooLong)
                {
                    expected.get(port).add(rewritten(frame, port));
                }
            }
            router.run();
            for (int port = 0; port < PORTS; port++)
            {
                final List<String> sent = router.sent(port).stream().filter(frame -> !isIcmp(frame))
                    .map(HexFormat.of()::formatHex).toList();
                assertEquals(expected.get(port), sent, "batch " + n + ", port " + port);
            }
        }
        router.assertBalanced();
    }

    /** The errors for frames that are too long. */
    private static boolean isIcmp(final byte[] frame)
    {
        return TestFrame.u16(frame, 12) == 0x0800 ? frame[TestFrame.ETHERNET + 9] == 1 :
            frame[TestFrame.ETHERNET + 6] == 58;
    }

    private static String rewritten(final byte[] frame, final int port)
    {
        final byte[] out = frame.clone();
        System.arraycopy(TestFrame.hex("0200000002%02x 0200000001%02x".formatted(port, port)), 0, out, 0, 12);
        if (TestFrame.u16(out, 12) == 0x0800)
        {
            out[TTL_OFFSET]--;
            out[CHECKSUM_OFFSET] = 0;
            out[CHECKSUM_OFFSET + 1] = 0;
            final int checksum = TestFrame.checksumOf(out, TestFrame.ETHERNET, 20);
            out[CHECKSUM_OFFSET] = (byte)(checksum >> 8);
            out[CHECKSUM_OFFSET + 1] = (byte)checksum;
        }
        else
        {
            out[HOP_LIMIT_OFFSET]--;
        }
        return HexFormat.of().formatHex(out);
    }
}
