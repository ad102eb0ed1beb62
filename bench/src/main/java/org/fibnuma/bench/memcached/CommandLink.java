package org.fibnuma.bench.memcached;

import java.io.IOException;
import java.nio.ByteBuffer;

/** A way to a memcached server for one command at a time. Used by one thread. */
interface CommandLink extends AutoCloseable
{
    /**
     * Sends a command and waits for its answer.
     *
     * @param command from position to limit.
     * @param answer  cleared, and flipped when it has the answer.
     * @param ending  last bytes of the answer.
     * @throws IOException if the connection ends.
     */
    void exchange(ByteBuffer command, ByteBuffer answer, byte[] ending) throws IOException;

    @Override
    void close() throws IOException;

    /** Returns whether the bytes before the position end so. */
    static boolean endsWith(final ByteBuffer answer, final byte[] ending)
    {
        final int start = answer.position() - ending.length;
        boolean same = start >= 0;
        for (int i = 0; i < ending.length && same; i++)
        {
            same = answer.get(start + i) == ending[i];
        }
        return same;
    }
}
