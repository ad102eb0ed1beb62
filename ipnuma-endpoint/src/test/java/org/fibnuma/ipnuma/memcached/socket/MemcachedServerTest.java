package org.fibnuma.ipnuma.memcached.socket;

import org.fibnuma.core.UserException;
import org.fibnuma.core.agent.IdleStrategies;
import org.fibnuma.ipnuma.memcached.store.StoreSettings;
import org.fibnuma.ipnuma.stream.IpnumaSocketAddress;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Bytes sent to a server over TCP and UDP, and the bytes that it answers. */
@Timeout(120)
class MemcachedServerTest
{
    private static final int CONNECTIONS = 20;
    private static MemcachedServer server;

    @BeforeAll
    static void open()
    {
        server = newServer();
    }

    private static MemcachedServer newServer()
    {
        final InetSocketAddress any = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        return MemcachedServer.open(new MemcachedSettings(
            any, any, null, null, null, IdleStrategies.BACKOFF, CONNECTIONS, new StoreSettings(32 << 20, 1 << 20)));
    }

    @Test
    void shouldTellWhyItCannotListenOnStreams()
    {
        final MemcachedSettings settings = new MemcachedSettings(
            null, null, IpnumaSocketAddress.parse("ipnuma:2/11211"), "memcached-none", null,
            IdleStrategies.BACKOFF, CONNECTIONS, new StoreSettings(32 << 20, 1 << 20));
        final UserException refusal = assertThrows(UserException.class, () -> MemcachedServer.open(settings));
        assertTrue(refusal.getMessage().contains("memcached-none"), refusal::toString);
    }

    @AfterAll
    static void close()
    {
        server.close();
    }

    private static Socket connect() throws IOException
    {
        return connect(server);
    }

    private static Socket connect(final MemcachedServer to) throws IOException
    {
        return new Socket(InetAddress.getLoopbackAddress(), to.firstAddress().getPort());
    }

    /** Sends commands, and returns what comes until the end. */
    private static String exchange(final String request) throws IOException
    {
        try (Socket socket = connect())
        {
            socket.getOutputStream().write((request + "quit\r\n").getBytes(StandardCharsets.ISO_8859_1));
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
        }
    }

    @Test
    void shouldStoreAndAnswer() throws IOException
    {
        assertEquals("STORED\r\nVALUE a 7 5\r\nhello\r\nEND\r\nDELETED\r\nNOT_FOUND\r\n",
            exchange("set a 7 0 5\r\nhello\r\nget a none\r\ndelete a\r\ndelete a\r\n"));
    }

    @Test
    void shouldWrapUpwardsAndPadDownwards() throws IOException
    {
        assertEquals("STORED\r\n0\r\nSTORED\r\n9\r\nVALUE n 0 2\r\n9 \r\nEND\r\n0\r\n",
            exchange("set n 0 0 20\r\n18446744073709551615\r\nincr n 1\r\nset n 0 0 2\r\n10\r\ndecr n 1\r\nget n\r\n" +
                "decr n 100\r\n"));
    }

    @Test
    void shouldMarkStaleItemsForOneClient() throws IOException
    {
        assertEquals("HD\r\nHD\r\nVA 1 X W\r\n1\r\nVA 1 Z X\r\n1\r\nEN\r\nHD W\r\nHD Z\r\n",
            exchange("ms m 1\r\n1\r\nmd m I T30\r\nmg m v\r\nmg m v\r\nmg none\r\nmg w N30\r\nmg w\r\n"));
    }

    @Test
    void shouldGiveANewLifetimeToANumberThatGrows() throws IOException
    {
        assertEquals("STORED\r\nVA 2 t100\r\n10\r\nHD t100\r\n",
            exchange("set g 0 0 1\r\n9\r\nma g T100 t v\r\nmg g t\r\n").replaceAll("t(99|100)", "t100"));
    }

    @Test
    void shouldRefuseWhatIsTooLong() throws IOException
    {
        final String key = "k".repeat(251);
        assertEquals("CLIENT_ERROR bad command line format\r\nCLIENT_ERROR bad command line format\r\n",
            exchange("get " + key + "\r\ndelete " + key + "\r\n"));
        assertEquals("SERVER_ERROR object too large for cache\r\nEND\r\n",
            exchange("set big 0 0 1048576\r\n" + "x".repeat(1048576) + "\r\nget big\r\n"));
        assertEquals("CLIENT_ERROR line too long\r\n", exchange("set " + "x".repeat(100_000)));
        assertEquals("END\r\n", exchange("get" + " absent".repeat(20_000) + "\r\n"));
    }

    @Test
    void shouldNotStoreABlockWithoutItsEnd() throws IOException
    {
        assertEquals("CLIENT_ERROR bad data chunk\r\nERROR\r\nEND\r\n", exchange("set c 0 0 3\r\nabcde\r\nget c\r\n"));
    }

    @Test
    void shouldGiveWebBrowsersNoAnswer() throws IOException
    {
        assertEquals("", exchange("POST / HTTP/1.1\r\nset stolen 0 0 1\r\n1\r\n"));
    }

    /** 1,000 times 500 KB are asked for by a client that does not read: the server must not hold them all. */
    @Test
    void shouldStopForAClientThatDoesNotRead() throws IOException
    {
        final int length = 500_000;
        assertEquals("STORED\r\n", exchange("set slow 0 0 " + length + "\r\n" + "s".repeat(length) + "\r\n"));
        try (Socket slow = connect())
        {
            slow.getOutputStream().write(("get" + " slow".repeat(400) + "\r\n").getBytes(StandardCharsets.US_ASCII));
            assertEquals("END\r\n", exchange("get nothing\r\n"));
            // Everything arrives when the client reads.
            final byte[] header = ("VALUE slow 0 " + length + "\r\n").getBytes(StandardCharsets.US_ASCII);
            final long expected = 400L * (header.length + length + 2) + 5;
            long received = 0;
            final byte[] buffer = new byte[1 << 16];
            while (received < expected)
            {
                final int count = slow.getInputStream().read(buffer);
                assertTrue(count > 0, "ended after " + received);
                received += count;
            }
            assertEquals(expected, received);
        }
    }

    /** Has a server of its own, since places become free some time after the connections have ended. */
    @Test
    void shouldRefuseConnectionsBeyondTheLimit() throws IOException
    {
        final Socket[] sockets = new Socket[CONNECTIONS + 5];
        try (MemcachedServer limited = newServer())
        {
            for (int i = 0; i < sockets.length; i++)
            {
                sockets[i] = connect(limited);
                if (i < CONNECTIONS)
                {
                    sockets[i].getOutputStream().write("mn\r\n".getBytes(StandardCharsets.US_ASCII));
                }
                assertEquals(i < CONNECTIONS ? 'M' : 'E', sockets[i].getInputStream().read(), "connection " + i);
            }
            for (final Socket socket : sockets)
            {
                socket.close();
            }
            awaitAnswer(limited);
        }
    }

    private static void awaitAnswer(final MemcachedServer limited)
    {
        boolean isAnswered = false;
        while (!isAnswered)
        {
            try (Socket socket = connect(limited))
            {
                socket.getOutputStream().write("mn\r\n".getBytes(StandardCharsets.US_ASCII));
                isAnswered = socket.getInputStream().read() == 'M';
            }
            catch (final IOException ex)
            {
                // Refused while the command was on its way.
                isAnswered = false;
            }
        }
    }

    @Test
    void shouldCutAnswersOverUdp() throws IOException
    {
        exchange("set u 0 0 3000\r\n" + "u".repeat(3000) + "\r\n");
        try (DatagramSocket socket = new DatagramSocket(0, InetAddress.getLoopbackAddress()))
        {
            socket.setSoTimeout(10_000);
            send(socket, "1234" + "0000" + "0001" + "0000", "get u\r\n");
            final ByteArrayOutputStream answer = new ByteArrayOutputStream();
            for (int i = 0; i < 3; i++)
            {
                final DatagramPacket packet = new DatagramPacket(new byte[2000], 2000);
                socket.receive(packet);
                final byte[] header = { 0x12, 0x34, 0, (byte)i, 0, 3, 0, 0 };
                for (int j = 0; j < header.length; j++)
                {
                    assertEquals(header[j], packet.getData()[j]);
                }
                assertTrue(packet.getLength() <= 1400);
                answer.write(packet.getData(), 8, packet.getLength() - 8);
            }
            assertEquals("VALUE u 0 3000\r\n" + "u".repeat(3000) + "\r\nEND\r\n", answer.toString());
        }
    }

    @Test
    void shouldNotAnswerInvalidDatagrams() throws IOException
    {
        try (DatagramSocket socket = new DatagramSocket(0, InetAddress.getLoopbackAddress()))
        {
            send(socket, "0001" + "0000" + "0002" + "0000", "version\r\n");
            send(socket, "0001" + "0000", "");
            send(socket, "0001" + "0000" + "0001" + "0000", "");
            send(socket, "0001" + "0000" + "0001" + "0000", "get incomplete");
            send(socket, "0001" + "0000" + "0001" + "0000", "set x 0 0 10\r\nabc");
            socket.setSoTimeout(300);
            assertThrows(SocketTimeoutException.class, () -> socket.receive(new DatagramPacket(new byte[100], 100)));
            socket.setSoTimeout(10_000);
            send(socket, "0002" + "0000" + "0001" + "0000", "mn\r\n");
            final DatagramPacket packet = new DatagramPacket(new byte[100], 100);
            socket.receive(packet);
            assertEquals("MN\r\n", new String(packet.getData(), 8, packet.getLength() - 8, StandardCharsets.US_ASCII));
        }
    }

    private static void send(final DatagramSocket socket, final String header, final String text) throws IOException
    {
        final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        bytes.write(HexFormat.of().parseHex(header));
        bytes.write(text.getBytes(StandardCharsets.US_ASCII));
        final int port = server.udpAddress().getPort();
        socket.send(new DatagramPacket(bytes.toByteArray(), bytes.size(), InetAddress.getLoopbackAddress(), port));
    }
}
