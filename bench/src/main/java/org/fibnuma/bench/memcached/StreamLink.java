package org.fibnuma.bench.memcached;

import org.fibnuma.ipnuma.channel.ChannelListener;
import org.fibnuma.ipnuma.config.EndpointConfig;
import org.fibnuma.ipnuma.endpoint.Endpoint;
import org.fibnuma.ipnuma.stream.IpnumaSocketAddress;
import org.fibnuma.ipnuma.stream.StreamAgent;
import org.fibnuma.ipnuma.stream.StreamChannel;
import org.fibnuma.ipnuma.stream.StreamEvents;
import org.fibnuma.ipnuma.stream.StreamSettings;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;

/** A stream of remote memory, polled by the calling thread with its endpoint; the thread yields its core in between. */
final class StreamLink implements CommandLink
{
    private final Endpoint endpoint;
    private final StreamAgent agent;
    private final StreamChannel channel;

    /** Opens the endpoint of a configuration, which the calling thread runs too, and connects to a server. */
    StreamLink(final EndpointConfig config, final int pcId, final IpnumaSocketAddress server) throws IOException
    {
        endpoint = Endpoint.open(config, ChannelListener.NONE);
        endpoint.start();
        agent = StreamAgent.open(
            StreamSettings.of(config.name(), pcId).withEndpoint(endpoint.companion()), StreamEvents.NONE);
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
        endpoint.close();
    }
}
