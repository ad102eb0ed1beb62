package org.fibnuma.pfc.headroom;

import org.fibnuma.pfc.quanta.LinkSpeed;
import org.fibnuma.pfc.quanta.PauseQuanta;

/**
 * How long a peer may go on after it received a pause, in quanta of its link (IEEE 802.3 Annex 31B.3.7 with the
 * sublayers below it, as SONiC's buffer model lists them).
 */
final class PeerResponse
{
    private static final int[][] QUANTA_BY_GIGABITS =
    {
        {1, 2}, {10, 67}, {25, 80}, {40, 118}, {50, 147}, {100, 394}, {200, 453}, {400, 905}
    };

    private PeerResponse()
    {
    }

    /** Of the standard's speed or, between two of them, of the next one: the longer time. */
    static int quantaAtMost(final long bitsPerSecond)
    {
        for (final int[] row : QUANTA_BY_GIGABITS)
        {
            if (bitsPerSecond <= row[0] * LinkSpeed.GIGABIT)
            {
                return row[1];
            }
        }
        throw unknown(bitsPerSecond);
    }

    /** Of exactly this speed. */
    static int quanta(final long bitsPerSecond)
    {
        for (final int[] row : QUANTA_BY_GIGABITS)
        {
            if (bitsPerSecond == row[0] * LinkSpeed.GIGABIT)
            {
                return row[1];
            }
        }
        throw unknown(bitsPerSecond);
    }

    static long bytes(final int quanta)
    {
        return (long)quanta * PauseQuanta.BYTES;
    }

    private static IllegalArgumentException unknown(final long bitsPerSecond)
    {
        return new IllegalArgumentException("no response time is known for " + LinkSpeed.format(bitsPerSecond) +
            "; give one of 1G, 10G, 25G, 40G, 50G, 100G, 200G, 400G");
    }
}
