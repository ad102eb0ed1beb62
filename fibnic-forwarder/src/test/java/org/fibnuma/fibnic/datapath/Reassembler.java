package org.fibnuma.fibnic.datapath;

import java.util.Arrays;
import java.util.List;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Puts fragments together by a map of the bytes that have come, RFC 791 section 3.2, and checks each of them. */
final class Reassembler
{
    private static final int MORE = 0x2000;
    private static final int OFFSET_MASK = 0x1FFF;

    private final byte[] data = new byte[65_536];
    private final boolean[] filled = new boolean[65_536];
    private int end = -1;
    private int highest;

    Reassembler(final List<byte[]> fragments, final int mtu)
    {
        int previousOffset = -1;
        for (final byte[] fragment : fragments)
        {
            final int headerLength = (fragment[TestFrame.ETHERNET] & 0xF) * 4;
            final int totalLength = TestFrame.u16(fragment, TestFrame.ETHERNET + 2);
            assertTrue(totalLength <= mtu, "fragment of " + totalLength + " on a link of " + mtu);
            assertEquals(fragment.length - TestFrame.ETHERNET, totalLength);
            assertEquals(0, TestFrame.checksumOf(fragment, TestFrame.ETHERNET, headerLength));
            final int word = TestFrame.u16(fragment, TestFrame.ETHERNET + 6);
            final int offset = (word & OFFSET_MASK) * 8;
            assertTrue(offset > previousOffset, "out of order");
            previousOffset = offset;
            add(fragment, TestFrame.ETHERNET + headerLength, totalLength - headerLength, offset);
            if ((word & MORE) == 0)
            {
                assertEquals(-1, end, "two last fragments");
                end = offset + totalLength - headerLength;
            }
        }
    }

    private void add(final byte[] fragment, final int from, final int length, final int offset)
    {
        for (int i = 0; i < length; i++)
        {
            assertTrue(!filled[offset + i], "fragments overlap");
            filled[offset + i] = true;
            data[offset + i] = fragment[from + i];
        }
        highest = Math.max(highest, offset + length);
    }

    /** The data from an offset on, which must be there without a hole. */
    byte[] dataFrom(final int offset)
    {
        for (int i = offset; i < highest; i++)
        {
            assertTrue(filled[i], "hole at " + i);
        }
        return Arrays.copyOfRange(data, offset, highest);
    }

    boolean hasEnd()
    {
        return end >= 0;
    }
}
