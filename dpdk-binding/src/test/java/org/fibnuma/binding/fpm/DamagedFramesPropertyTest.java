package org.fibnuma.binding.fpm;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.lifecycle.AfterContainer;
import net.jqwik.api.lifecycle.BeforeContainer;
import org.agrona.concurrent.SystemNanoClock;
import org.fibnuma.binding.rtnetlink.HandedRouteDecoder;
import org.fibnuma.core.kernel.KernelRouteView;
import org.fibnuma.core.kernel.RouteFeedListener;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.Arrays;
import java.util.Random;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * Whatever arrives, a connection delivers routes that are well formed, skips messages or ends with a reason, and
 * nothing is thrown. The buffers of Agrona check every access.
 */
class DamagedFramesPropertyTest
{
    private static final long PATIENCE_NS = 60_000_000_000L;

    private static ServerSocketChannel server;

    @BeforeContainer
    static void listen() throws IOException
    {
        server = ServerSocketChannel.open().bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
    }

    @AfterContainer
    static void close() throws IOException
    {
        server.close();
    }

    @Property(tries = 2000)
    void shouldSurviveChangedBytes(@ForAll final long seed) throws IOException
    {
        final Random random = new Random(seed);
        final byte[] bytes = SampleFrames.all();
        for (int i = random.nextInt(8); i >= 0; i--)
        {
            bytes[random.nextInt(bytes.length)] = (byte)random.nextInt();
        }
        read(bytes);
    }

    @Property(tries = 2000)
    void shouldSurviveWrongLengths(@ForAll final long seed) throws IOException
    {
        final Random random = new Random(seed);
        final byte[] bytes = SampleFrames.all();
        SampleFrames.changeALength(bytes, random);
        read(bytes);
    }

    @Property(tries = 300)
    void shouldSurviveTruncation(@ForAll final long seed) throws IOException
    {
        final byte[] bytes = SampleFrames.all();
        read(Arrays.copyOf(bytes, new Random(seed).nextInt(bytes.length)));
    }

    @Property(tries = 300)
    void shouldSurviveNoise(@ForAll final byte[] noise) throws IOException
    {
        read(noise);
    }

    private static void read(final byte[] bytes) throws IOException
    {
        try (SocketChannel sender = SocketChannel.open(server.getLocalAddress());
            SocketChannel receiver = server.accept())
        {
            receiver.configureBlocking(false);
            final FpmConnection connection =
                new FpmConnection(receiver, "test", new HandedRouteDecoder(), SystemNanoClock.INSTANCE);
            sender.write(ByteBuffer.wrap(bytes));
            sender.shutdownOutput();
            final WellFormed listener = new WellFormed();
            final long deadline = System.nanoTime() + PATIENCE_NS;
            while (connection.end() == null)
            {
                assertTrue(System.nanoTime() < deadline, "neither an end nor a reason");
                connection.poll(listener);
            }
            assertNotNull(connection.end());
            assertEquals(-1, connection.end().indexOf('\n'), "the reason is one line");
        }
    }

    /** Requires of each route what the RIB requires. */
    private static final class WellFormed implements RouteFeedListener
    {
        @Override
        public void onConnect(final String peer)
        {
        }

        @Override
        public void onRefuse(final String peer)
        {
        }

        @Override
        public void onDisconnect(final String reason)
        {
        }

        @Override
        public void onSkip(final String reason)
        {
            assertEquals(-1, reason.indexOf('\n'), "the reason is one line");
        }

        @Override
        public void onRoute(final KernelRouteView route, final int nextHopId, final boolean present)
        {
            assertTrue(route.prefixLength() >= 0 && route.prefixLength() <= (route.isIpv6() ? 128 : 32));
            assertTrue(route.isIpv6() || route.copy().network().isIpv4(), "an IPv4 route has an IPv4 address");
            assertNotNull(route.kind());
        }

        @Override
        public void onNextHop(final int nextHopId, final KernelRouteView nextHop)
        {
            assertTrue(nextHopId != 0);
            assertNotNull(nextHop.kind());
        }
    }
}
