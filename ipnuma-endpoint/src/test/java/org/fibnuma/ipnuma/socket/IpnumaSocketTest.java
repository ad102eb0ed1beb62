package org.fibnuma.ipnuma.socket;

import org.agrona.CloseHelper;
import org.fibnuma.ipnuma.stream.IpnumaSocketAddress;
import org.fibnuma.ipnuma.stream.StreamLab;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.net.ConnectException;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import javax.net.ServerSocketFactory;
import javax.net.SocketFactory;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Programs that know {@code java.net} and factories only, at the ends of a link. */
@Timeout(60)
class IpnumaSocketTest
{
    private static final int RING_CAPACITY = 8192;

    @TempDir
    private Path directory;
    private StreamLab lab;
    private SocketDriver near;
    private SocketDriver far;

    @BeforeEach
    void open() throws Exception
    {
        lab = new StreamLab(directory, "");
        near = SocketDriver.open(lab.settings(1).withRings(64, RING_CAPACITY));
        far = SocketDriver.open(lab.settings(2));
    }

    @AfterEach
    void close()
    {
        CloseHelper.closeAll(near, far, lab);
    }

    /** Serves one connection: answers each line with the line, and ends with the client. */
    private static CompletableFuture<Void> serveLines(final ServerSocket server)
    {
        return CompletableFuture.runAsync(() ->
        {
            try (Socket socket = server.accept();
                BufferedReader in = new BufferedReader(
                    new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
                PrintWriter out = new PrintWriter(socket.getOutputStream(), true, StandardCharsets.UTF_8))
            {
                for (String line = in.readLine(); line != null; line = in.readLine())
                {
                    out.println("echo " + line);
                }
            }
            catch (final IOException ex)
            {
                throw new CompletionException(ex);
            }
        });
    }

    @Test
    void shouldRunAnUnchangedLineServerAndClient() throws Exception
    {
        final ServerSocketFactory servers = new IpnumaServerSocketFactory(far);
        final SocketFactory sockets = new IpnumaSocketFactory(near);
        try (ServerSocket server = servers.createServerSocket(0))
        {
            final CompletableFuture<Void> served = serveLines(server);
            try (Socket socket = sockets.createSocket("ipnuma:2", server.getLocalPort());
                PrintWriter out = new PrintWriter(socket.getOutputStream(), true, StandardCharsets.UTF_8);
                BufferedReader in = new BufferedReader(
                    new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8)))
            {
                assertEquals(server.getLocalSocketAddress(), socket.getRemoteSocketAddress());
                assertEquals("ipnuma:2", socket.getInetAddress().getHostName());
                assertEquals(RING_CAPACITY, socket.getReceiveBufferSize());
                for (int i = 0; i < 500; i++)
                {
                    out.println("line " + i);
                    assertEquals("echo line " + i, in.readLine());
                }
                socket.shutdownOutput();
                assertNull(in.readLine());
            }
            served.join();
        }
    }

    @Test
    void shouldCarryMoreThanARingWhileTheOtherSideReads() throws Exception
    {
        final byte[] sent = new byte[3_000_000];
        for (int i = 0; i < sent.length; i++)
        {
            sent[i] = (byte)(i * 31 >>> 7);
        }
        try (ServerSocket server = new IpnumaServerSocketFactory(far).createServerSocket(7000))
        {
            final CompletableFuture<byte[]> received = CompletableFuture.supplyAsync(() ->
            {
                try (Socket socket = server.accept())
                {
                    return socket.getInputStream().readAllBytes();
                }
                catch (final IOException ex)
                {
                    throw new CompletionException(ex);
                }
            });
            try (Socket socket = new IpnumaSocketFactory(near).createSocket("2", 7000))
            {
                socket.getOutputStream().write(sent);
            }
            assertArrayEquals(sent, received.join());
        }
    }

    @Test
    void shouldTimeOutAndGoOn() throws Exception
    {
        try (ServerSocket server = new IpnumaServerSocketFactory(far).createServerSocket(7000))
        {
            server.setSoTimeout(20);
            assertThrows(SocketTimeoutException.class, server::accept);
            server.setSoTimeout(0);
            try (Socket socket = new IpnumaSocketFactory(near).createSocket("2", 7000);
                Socket accepted = server.accept())
            {
                socket.setSoTimeout(20);
                assertThrows(SocketTimeoutException.class, () -> socket.getInputStream().read());
                accepted.getOutputStream().write('x');
                socket.setSoTimeout(0);
                assertEquals('x', socket.getInputStream().read());
                accepted.shutdownOutput();
                assertEquals(-1, socket.getInputStream().read());
                socket.shutdownInput();
                assertEquals(0, socket.getInputStream().available());
            }
        }
    }

    @Test
    void shouldEndABlockedReadAndAcceptByACloseOnAnotherThread() throws Exception
    {
        final ServerSocket server = new IpnumaServerSocketFactory(far).createServerSocket(7000);
        final Socket socket = new IpnumaSocketFactory(near).createSocket("2", 7000);
        server.accept();
        final Thread[] threads = new Thread[2];
        final Throwable[] failures = new Throwable[2];
        threads[0] = new Thread(() ->
            failures[0] = assertThrows(IOException.class, () -> socket.getInputStream().read()));
        threads[1] = new Thread(() -> failures[1] = assertThrows(IOException.class, server::accept));
        for (final Thread thread : threads)
        {
            thread.start();
            while (thread.getState() != Thread.State.TIMED_WAITING)
            {
                Thread.sleep(1);
            }
        }
        socket.close();
        server.close();
        for (int i = 0; i < threads.length; i++)
        {
            threads[i].join();
            assertInstanceOf(SocketException.class, failures[i]);
            assertEquals("Socket closed", failures[i].getMessage());
        }
        assertTrue(socket.isClosed() && server.isClosed());
    }

    @Test
    void shouldRefuseAndNameWhatIsWrong() throws Exception
    {
        final SocketFactory sockets = new IpnumaSocketFactory(near);
        assertEquals("no program listens on ipnuma:2/7009",
            assertThrows(ConnectException.class, () -> sockets.createSocket("2", 7009)).getMessage());
        assertThrows(UnknownHostException.class, () -> sockets.createSocket("example.org", 80));
        try (Socket socket = sockets.createSocket())
        {
            assertEquals("Socket is not connected",
                assertThrows(SocketException.class, socket::getInputStream).getMessage());
            assertThrows(ConnectException.class, () -> socket.connect(new IpnumaSocketAddress(2, 7009), 5000));
        }
    }
}
