package org.fibnuma.bench.lab;

import org.agrona.concurrent.IdleStrategy;
import org.fibnuma.core.agent.IdleStrategies;
import org.fibnuma.ipnuma.channel.ChannelListener;
import org.fibnuma.ipnuma.config.EndpointConfig;
import org.fibnuma.ipnuma.endpoint.Endpoint;
import org.fibnuma.ipnuma.stream.IpnumaSocketAddress;
import org.fibnuma.ipnuma.stream.StreamAcceptor;
import org.fibnuma.ipnuma.stream.StreamAgent;
import org.fibnuma.ipnuma.stream.StreamChannel;
import org.fibnuma.ipnuma.stream.StreamEvents;
import org.fibnuma.ipnuma.stream.StreamSettings;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ByteChannel;
import java.util.concurrent.TimeUnit;

/**
 * A stream of remote memory as a blocking channel. The calling thread runs the agent of the stream and its endpoint
 * whenever it waits, with the idle strategy of the endpoint's configuration. For one thread.
 */
public final class PolledStream implements ByteChannel
{
    private static final int CONNECTIONS = 16;
    private static final long CLOSE_PATIENCE_NS = TimeUnit.SECONDS.toNanos(1);

    private final Endpoint endpoint;
    private final StreamAgent agent;
    private final IdleStrategy idle;
    private StreamChannel channel;
    private boolean open = true;

    private PolledStream(final EndpointConfig config, final int pcId, final int ringCapacity)
    {
        endpoint = Endpoint.open(config, ChannelListener.NONE);
        endpoint.start();
        agent = StreamAgent.open(
            StreamSettings.of(config.name(), pcId).withRings(CONNECTIONS, ringCapacity)
                .withEndpoint(endpoint.companion()), StreamEvents.NONE);
        idle = IdleStrategies.of(config.thread().idle());
    }

    /**
     * Opens the endpoint of a configuration and connects to a server.
     *
     * @param config       of the endpoint.
     * @param pcId         PC ID of the endpoint at its peers.
     * @param ringCapacity bytes of the rings of this end.
     * @param server       address of a program that listens.
     * @return the connected stream.
     * @throws IOException if the connection cannot be established.
     */
    public static PolledStream connect(final EndpointConfig config, final int pcId, final int ringCapacity,
        final IpnumaSocketAddress server) throws IOException
    {
        final PolledStream stream = new PolledStream(config, pcId, ringCapacity);
        stream.channel = stream.agent.connect(server);
        while (!stream.channel.finishConnect())
        {
            stream.poll();
        }
        return stream;
    }

    /**
     * Opens the endpoint of a configuration and accepts one connection.
     *
     * @param config       of the endpoint.
     * @param pcId         PC ID of the endpoint at its peers.
     * @param ringCapacity bytes of the rings of this end.
     * @param port         to listen on.
     * @param listening    called when clients can connect.
     * @return the accepted stream.
     * @throws IOException if the port is in use or the endpoint is lost.
     */
    public static PolledStream accept(final EndpointConfig config, final int pcId, final int ringCapacity,
        final int port, final Runnable listening) throws IOException
    {
        final PolledStream stream = new PolledStream(config, pcId, ringCapacity);
        final StreamAcceptor acceptor = stream.agent.listen(port, 1);
        listening.run();
        while (stream.channel == null)
        {
            stream.poll();
            stream.channel = acceptor.accept();
        }
        return stream;
    }

    private void poll()
    {
        idle.idle(agent.doWork());
    }

    /** Reads at least one byte, waiting for it; returns -1 after the last one. */
    @Override
    public int read(final ByteBuffer destination) throws IOException
    {
        int count = channel.read(destination);
        while (count == 0)
        {
            poll();
            count = channel.read(destination);
        }
        return count;
    }

    /** Writes at least one byte, waiting for room. */
    @Override
    public int write(final ByteBuffer source) throws IOException
    {
        int count = channel.write(source);
        while (count == 0)
        {
            poll();
            count = channel.write(source);
        }
        return count;
    }

    @Override
    public boolean isOpen()
    {
        return open;
    }

    /** Closes the connection, waits up to a second until the peer has taken that, and closes the endpoint. */
    @Override
    public void close()
    {
        open = false;
        channel.close();
        final long endNs = System.nanoTime() + CLOSE_PATIENCE_NS;
        while (agent.connectionCount() > 0 && System.nanoTime() - endNs < 0)
        {
            poll();
        }
        agent.onClose();
        endpoint.close();
    }
}
