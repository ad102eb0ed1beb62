package org.fibnuma.bench.memcached;

import org.fibnuma.ipnuma.stream.IpnumaSocketAddress;
import org.fibnuma.ipnuma.stream.StreamAgent;
import org.fibnuma.ipnuma.stream.StreamChannel;
import org.fibnuma.ipnuma.stream.StreamEvents;
import org.fibnuma.ipnuma.stream.StreamSettings;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;

/** A stream of remote memory, polled by the calling thread, which yields its core in between. */
final class StreamLink implements CommandLink
{
    private final StreamAgent agent;
    private final StreamChannel channel;

    StreamLink(final StreamSettings settings, final IpnumaSocketAddress server) throws IOException
    {
        agent = StreamAgent.open(settings, StreamEvents.NONE);
        channel = agent.connect(server);
        while (!channel.finishConnect())
        {
            poll();
        }
    }

    private void poll()
    {
        if (agent.doWork() == 0)
        {
            Thread.yield();
        }
    }

    @Override
    public void exchange(final ByteBuffer command, final ByteBuffer answer, final byte[] ending) throws IOException
    {
        answer.clear();
        while (command.hasRemaining())
        {
            channel.write(command);
            poll();
        }
        while (!CommandLink.endsWith(answer, ending))
        {
            if (channel.read(answer) < 0)
            {
                throw new EOFException("the server has closed the connection");
            }
            poll();
        }
        answer.flip();
    }

    @Override
    public void close()
    {
        channel.close();
        agent.onClose();
    }
}
