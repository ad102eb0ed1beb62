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
    /** Number of kinds of commands: SET, GET and ADD. */
    static final int KINDS = 3;

    private static final byte[] END = bytes("END\r\n");
    private static final byte[] LINE_END = bytes("\r\n");
    private static final byte[] FLUSH = bytes("flush_all\r\n");
    private static final byte[] FLUSHED = bytes("OK\r\n");
    private static final String STORED = "STORED\r\n";
    private static final String ADD = "add ";
    /** Digits of the number that makes each key of ADD new, enough for any number of commands. */
    private static final String FIRST_NUMBER = "0000000000";
    private static final int LARGEST_ANSWER = 4096;

    private final int commands;
    private final int runs;
    private final ByteBuffer answer = ByteBuffer.allocateDirect(LARGEST_ANSWER);

    Workload(final int commands, final int runs)
    {
        this.commands = commands;
        this.runs = runs;
    }

    private static byte[] bytes(final String text)
    {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    /**
     * Measures SET, then GET, both of one key, and then ADD, each of a key that the server does not have.
     *
     * @return nanoseconds of a command by the name of the figure.
     */
    Map<String, Object> measure(final SocketLink link, final int length) throws IOException
    {
        final String value = "v".repeat(length);
        final String data = " 0 0 " + length + "\r\n" + value + "\r\n";
        final Map<String, Object> figures = new LinkedHashMap<>();
        put(figures, "set", times(link, "set key" + data, STORED, LINE_END));
        put(figures, "get", times(link, "get key\r\n", "VALUE key 0 " + length + "\r\n" + value + "\r\nEND\r\n", END));
        put(figures, "add", times(link, ADD + FIRST_NUMBER + data, STORED, LINE_END));
        return figures;
    }

    private static void put(final Map<String, Object> figures, final String command, final long[] sorted)
    {
        figures.put(command + "BestNs", sorted[0]);
        figures.put(command + "MedianNs", sorted[sorted.length / 2]);
    }

    private long[] times(final SocketLink link, final String command, final String expected, final byte[] ending)
        throws IOException
    {
        final ByteBuffer request = ByteBuffer.allocateDirect(command.length());
        final ByteBuffer wanted = ByteBuffer.wrap(bytes(expected));
        final boolean isAdd = command.startsWith(ADD);
        final long[] times = new long[runs];
        for (int i = -1; i < runs; i++)
        {
            request.clear().put(bytes(command)).flip();
            if (isAdd)
            {
                forgetKeys(link);
            }
            final long startNs = System.nanoTime();
            for (int j = 0; j < commands; j++)
            {
                link.exchange(request.rewind(), answer, ending);
                if (!answer.equals(wanted))
                {
                    throw new IOException("another answer than expected to: " + command);
                }
                if (isAdd)
                {
                    countUp(request);
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

    private void forgetKeys(final SocketLink link) throws IOException
    {
        link.exchange(ByteBuffer.wrap(FLUSH), answer, FLUSHED);
        if (!answer.equals(ByteBuffer.wrap(FLUSHED)))
        {
            throw new IOException("the server does not forget its keys");
        }
    }

    /** Adds 1 to the number in the key of a request. */
    private static void countUp(final ByteBuffer request)
    {
        int index = ADD.length() + FIRST_NUMBER.length() - 1;
        while (request.get(index) == '9')
        {
            request.put(index--, (byte)'0');
        }
        request.put(index, (byte)(request.get(index) + 1));
    }
}
