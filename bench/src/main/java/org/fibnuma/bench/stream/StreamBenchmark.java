package org.fibnuma.bench.stream;

import org.fibnuma.bench.lab.StreamEndpointFile;
import org.fibnuma.bench.lab.TemporaryDirectory;
import org.fibnuma.ipnuma.channel.ChannelListener;
import org.fibnuma.ipnuma.endpoint.Endpoint;
import org.fibnuma.ipnuma.stream.IpnumaSocketAddress;
import org.fibnuma.ipnuma.stream.StreamAcceptor;
import org.fibnuma.ipnuma.stream.StreamAgent;
import org.fibnuma.ipnuma.stream.StreamChannel;
import org.fibnuma.ipnuma.stream.StreamEvents;
import org.fibnuma.ipnuma.stream.StreamSettings;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;

/**
 * Nanoseconds for one message of a stream, from the writer to the reader through two endpoints and their shared memory.
 * One thread runs all of it. {@code fibnuma bench jmh StreamBenchmark} runs it.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class StreamBenchmark
{
    private static final int PORT = 7;
    private static final int CONNECTIONS = 16;
    private static final int RING = 64 * 1024;

    /** Bytes of a message. */
    @Param({"64", "1024", "16384"})
    public int size;

    private Endpoint nearEndpoint;
    private Endpoint farEndpoint;
    private StreamAgent nearAgent;
    private StreamAgent farAgent;
    private StreamChannel writer;
    private StreamChannel reader;
    private ByteBuffer message;
    private ByteBuffer received;

    /** Starts the endpoints and connects the stream. */
    @Setup
    public void connect() throws IOException
    {
        message = ByteBuffer.allocateDirect(size);
        received = ByteBuffer.allocateDirect(size);
        final String link = "shm:jmh-stream-" + ProcessHandle.current().pid();
        try (TemporaryDirectory directory = TemporaryDirectory.create("jmh"))
        {
            nearEndpoint = endpoint(directory, link, 1, 2);
            farEndpoint = endpoint(directory, link + "@far", 2, 1);
        }
        nearAgent = agent(nearEndpoint, 1);
        farAgent = agent(farEndpoint, 2);
        final StreamAcceptor acceptor = farAgent.listen(PORT, 1);
        writer = nearAgent.connect(new IpnumaSocketAddress(2, PORT));
        while (reader == null || !writer.finishConnect())
        {
            poll();
            reader = reader == null ? acceptor.accept() : reader;
        }
    }

    private static Endpoint endpoint(
        final TemporaryDirectory directory, final String device, final int id, final int peer) throws IOException
    {
        final String name = "jmh-stream-" + ProcessHandle.current().pid() + "-" + id;
        final Endpoint endpoint = Endpoint.open(StreamEndpointFile.read(
            StreamEndpointFile.write(directory.path(), name, device, id, peer, "")), ChannelListener.NONE);
        endpoint.start();
        return endpoint;
    }

    private static StreamAgent agent(final Endpoint endpoint, final int id)
    {
        return StreamAgent.open(StreamSettings.of(endpoint.config().name(), id).withRings(CONNECTIONS, RING)
            .withEndpoint(endpoint.companion()), StreamEvents.NONE);
    }

    /** Ends the endpoints. */
    @TearDown
    public void close()
    {
        nearAgent.onClose();
        farAgent.onClose();
        nearEndpoint.close();
        farEndpoint.close();
    }

    /** Writes a message and polls both sides until it is read; returns its first byte. */
    @Benchmark
    public byte pass() throws IOException
    {
        message.clear();
        received.clear();
        while (received.hasRemaining())
        {
            if (message.hasRemaining())
            {
                writer.write(message);
            }
            poll();
            reader.read(received);
        }
        return received.get(0);
    }

    private void poll()
    {
        nearAgent.doWork();
        farAgent.doWork();
    }
}
