package org.fibnuma.bench.memcached;

import com.fasterxml.jackson.databind.ObjectMapper;
import org.fibnuma.bench.lab.PolledStream;
import org.fibnuma.bench.lab.StreamEndpointFile;
import org.fibnuma.core.service.config.SocketAddressText;
import org.fibnuma.ipnuma.demo.PingPongPlace;
import org.fibnuma.ipnuma.stream.IpnumaSocketAddress;
import org.fibnuma.ipnuma.stream.StreamSettings;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

/** The client of a server, in a process of its own: prints the figures for each size as a line of JSON. */
final class ClientProgram
{
    /** First argument: datagrams. */
    static final String UDP = "udp";

    /** First argument: a connection of TCP. */
    static final String TCP = "tcp";

    /** First argument: a stream of remote memory. */
    static final String STREAM = "stream";

    /** Port of streams that the server listens on. */
    static final int STREAM_PORT = 11211;

    private static final byte[] LINE_END = {'\r', '\n'};
    private static final byte[] VERSION = "version\r\n".getBytes(StandardCharsets.US_ASCII);
    private static final int LARGEST_VERSION = 256;
    private static final long LISTENING_PATIENCE_NS = TimeUnit.SECONDS.toNanos(60);
    private static final long RETRY_NS = TimeUnit.MILLISECONDS.toNanos(10);

    private ClientProgram()
    {
    }

    /**
     * Measures a server.
     *
     * @param arguments {@link #UDP} or {@link #TCP} and the server's address, or {@link #STREAM} and the file of the
     *                  client's endpoint; sizes of values with commas between them; commands of a run; runs.
     * @throws IOException if the server does not answer as it should.
     */
    public static void main(final String[] arguments) throws IOException
    {
        final int[] sizes = Stream.of(arguments[2].split(",")).mapToInt(Integer::parseInt).toArray();
        final Workload workload = new Workload(Integer.parseInt(arguments[3]), Integer.parseInt(arguments[4]));
        final ObjectMapper json = new ObjectMapper();
        try (SocketLink link = open(arguments[0], arguments[1]))
        {
            // The JVMs of both ends are new: this warms them up.
            workload.measure(link, sizes[0]);
            for (final int size : sizes)
            {
                final Map<String, Object> figures = new LinkedHashMap<>();
                figures.put("bytes", size);
                figures.putAll(workload.measure(link, size));
                System.out.println(json.writeValueAsString(figures));
            }
        }
    }

    private static SocketLink open(final String kind, final String target) throws IOException
    {
        if (kind.equals(STREAM))
        {
            return SocketLink.stream(PolledStream.connect(
                StreamEndpointFile.read(Path.of(target)), PingPongPlace.CLIENT_ID,
                StreamSettings.DEFAULT_RING_CAPACITY, new IpnumaSocketAddress(PingPongPlace.SERVER_ID, STREAM_PORT)));
        }
        final InetSocketAddress server = SocketAddressText.parse(target);
        final SocketLink connection = connect(server);
        if (kind.equals(TCP))
        {
            return connection;
        }
        // A server that answers has its socket of UDP too.
        try (connection)
        {
            connection.exchange(ByteBuffer.wrap(VERSION), ByteBuffer.allocate(LARGEST_VERSION), LINE_END);
        }
        return SocketLink.udp(server);
    }

    /** Connects to a server that does not say when it listens. */
    private static SocketLink connect(final InetSocketAddress server) throws IOException
    {
        final long endNs = System.nanoTime() + LISTENING_PATIENCE_NS;
        while (true)
        {
            try
            {
                return SocketLink.tcp(server);
            }
            catch (final IOException ex)
            {
                if (System.nanoTime() - endNs > 0)
                {
                    throw ex;
                }
                LockSupport.parkNanos(RETRY_NS);
            }
        }
    }
}
