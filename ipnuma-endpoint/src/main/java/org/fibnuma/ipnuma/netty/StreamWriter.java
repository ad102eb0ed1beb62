package org.fibnuma.ipnuma.netty;

import org.fibnuma.ipnuma.stream.StreamChannel;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.WritableByteChannel;

/** A stream as the JDK writes regions of files to it. It belongs to its channel, which closes it. */
final class StreamWriter implements WritableByteChannel
{
    private final SharedAgent agent;
    private final StreamChannel stream;

    StreamWriter(final SharedAgent agent, final StreamChannel stream)
    {
        this.agent = agent;
        this.stream = stream;
    }

    @Override
    public int write(final ByteBuffer source) throws IOException
    {
        agent.lock();
        try
        {
            return stream.write(source);
        }
        finally
        {
            agent.unlock();
        }
    }

    @Override
    public boolean isOpen()
    {
        return true;
    }

    @Override
    public void close()
    {
        throw new UnsupportedOperationException("the channel closes its stream");
    }
}
