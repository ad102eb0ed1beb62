package org.fibnuma.bench.memcached;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;

/** The thesis's workload: commands one at a time with values of one length; the best and the median of several runs. */
final class Workload
{
    private static final byte[] END = "END\r\n".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] STORED = "STORED\r\n".getBytes(StandardCharsets.US_ASCII);
    private static final int LARGEST_ANSWER = 4096;

    private final int commands;
    private final int runs;
    private final ByteBuffer answer = ByteBuffer.allocateDirect(LARGEST_ANSWER);

    Workload(final int commands, final int runs)
    {
        this.commands = commands;
        this.runs = runs;
    }

    /** Measures SET and then GET; returns nanoseconds of a command by the name of the figure. */
    Map<String, Object> measure(final SocketLink link, final int length) throws IOException
    {
        final String value = "v".repeat(length);
        final Map<String, Object> figures = new LinkedHashMap<>();
        add(figures, "set", times(link, "set key 0 0 " + length + "\r\n" + value + "\r\n", "STORED\r\n", STORED));
        add(figures, "get", times(link, "get key\r\n", "VALUE key 0 " + length + "\r\n" + value + "\r\nEND\r\n", END));
        return figures;
    }

    private static void add(final Map<String, Object> figures, final String command, final long[] sorted)
    {
        figures.put(command + "BestNs", sorted[0]);
        figures.put(command + "MedianNs", sorted[sorted.length / 2]);
    }

    private long[] times(final SocketLink link, final String command, final String expected, final byte[] ending)
        throws IOException
    {
        final ByteBuffer request = ByteBuffer.allocateDirect(command.length());
        request.put(command.getBytes(StandardCharsets.US_ASCII)).flip();
        final ByteBuffer wanted = ByteBuffer.wrap(expected.getBytes(StandardCharsets.US_ASCII));
        final long[] times = new long[runs];
        for (int i = -1; i < runs; i++)
        {
            final long startNs = System.nanoTime();
            for (int j = 0; j < commands; j++)
            {
                link.exchange(request.rewind(), answer, ending);
                if (!answer.equals(wanted))
                {
                    throw new IOException("another answer than expected to: " + command);
                }
            }
            // The run before the first one warms up.
            if (i >= 0)
            {
                times[i] = (System.nanoTime() - startNs) / commands;
            }
        }
        Arrays.sort(times);
        return times;
    }
}
