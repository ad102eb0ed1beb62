package org.fibnuma.fibnic.datapath;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import net.jqwik.api.lifecycle.AfterProperty;
import net.jqwik.api.lifecycle.BeforeProperty;
import org.fibnuma.fibnic.fate.DropReason;
import org.fibnuma.fibnic.fate.ForwarderCounter;

import java.util.Arrays;

import static org.junit.jupiter.api.Assertions.assertEquals;

/** Headers damaged at random, judged by the clauses of RFC 1812 section 5.2.2 written down once more, slowly. */
class Ipv4InputPropertyTest
{
    private RouterFixture router;

    @BeforeProperty
    void before()
    {
        router = new RouterFixture();
    }

    @AfterProperty
    void after()
    {
        router.close();
    }

    @Property(tries = 3000)
    void shouldJudgeDamagedHeadersAsTheStandardDoes(
        @ForAll @Size(max = 3) final byte[] damage,
        @ForAll @Size(value = 3) final int[] places,
        @ForAll @IntRange(max = 10) final int optionWords,
        @ForAll @IntRange(max = 12) final int payload,
        @ForAll @IntRange(max = 30) final int cut,
        @ForAll final boolean rightChecksum)
    {
        final byte[] whole = TestFrame.ipv4().options("01".repeat(4 * optionWords)).payload(payload).bytes();
        for (int i = 0; i < damage.length; i++)
        {
            whole[TestFrame.ETHERNET + Math.floorMod(places[i], 6)] = damage[i];
        }
        final byte[] frame = Arrays.copyOf(whole, Math.max(TestFrame.ETHERNET, whole.length - cut));
        final int headerLength = (frame.length > TestFrame.ETHERNET ? frame[TestFrame.ETHERNET] & 0xF : 0) * 4;
        if (rightChecksum && headerLength >= 20 && TestFrame.ETHERNET + headerLength <= frame.length)
        {
            frame[TestFrame.ETHERNET + 10] = 0;
            frame[TestFrame.ETHERNET + 11] = 0;
            final int checksum = TestFrame.checksumOf(frame, TestFrame.ETHERNET, headerLength);
            frame[TestFrame.ETHERNET + 10] = (byte)(checksum >> 8);
            frame[TestFrame.ETHERNET + 11] = (byte)checksum;
        }
        final DropReason expected = judge(frame);
        final long forwardedBefore = router.count(ForwarderCounter.FORWARDED);
        final long droppedBefore = expected == null ? 0 : router.report().get(expected);
        router.forward(frame);
        if (expected == null)
        {
            assertEquals(forwardedBefore + 1, router.count(ForwarderCounter.FORWARDED));
        }
        else
        {
            assertEquals(droppedBefore + 1, router.report().get(expected), expected.label());
        }
        router.assertBalanced();
    }

    private static DropReason judge(final byte[] frame)
    {
        final int link = frame.length - TestFrame.ETHERNET;
        if (link < 20)
        {
            return DropReason.IPV4_TOO_SHORT;
        }
        final int first = TestFrame.u8(frame, TestFrame.ETHERNET);
        final int headerLength = (first & 0xF) * 4;
        final int totalLength = TestFrame.u16(frame, TestFrame.ETHERNET + 2);
        if (first / 16 != 4)
        {
            return DropReason.IPV4_BAD_VERSION;
        }
        if (headerLength < 20)
        {
            return DropReason.IPV4_BAD_HEADER_LENGTH;
        }
        if (headerLength > link)
        {
            return DropReason.IPV4_HEADER_TRUNCATED;
        }
        if (TestFrame.checksumOf(frame, TestFrame.ETHERNET, headerLength) != 0)
        {
            return DropReason.IPV4_BAD_CHECKSUM;
        }
        if (totalLength < headerLength)
        {
            return DropReason.IPV4_BAD_TOTAL_LENGTH;
        }
        return totalLength > link ? DropReason.IPV4_TRUNCATED : null;
    }
}
