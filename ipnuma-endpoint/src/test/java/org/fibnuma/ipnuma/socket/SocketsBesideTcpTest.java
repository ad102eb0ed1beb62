package org.fibnuma.ipnuma.socket;

import org.agrona.CloseHelper;
import org.fibnuma.ipnuma.stream.StreamLab;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** What a program sees at sockets over streams, beside the JDK's own sockets over loopback TCP. */
@Timeout(120)
class SocketsBesideTcpTest
{
    enum Transport
    {
        TCP, STREAMS
    }

    /** More than a ring, less than the buffers of TCP. */
    private static final int LONG_WRITE = 64 * 1024;
    private static final int ROUNDS = 200;
    private static final byte[] ANSWER = "413 Too Large.\r\n".getBytes(StandardCharsets.US_ASCII);

    @TempDir
    private Path directory;
    private StreamLab lab;
    private SocketDriver near;
    private SocketDriver far;

    @AfterEach
    void close()
    {
        Thread.interrupted();
        CloseHelper.closeAll(near, far, lab);
    }

    private ServerSocket listen(final Transport transport) throws Exception
    {
        if (transport == Transport.TCP)
        {
            return new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        }
        lab = new StreamLab(directory, "");
        near = SocketDriver.open(lab.settings(1));
        far = SocketDriver.open(lab.settings(2));
        return new IpnumaServerSocketFactory(far).createServerSocket(0);
    }

    private Socket connect(final ServerSocket server) throws IOException
    {
        final SocketAddress address = server.getLocalSocketAddress();
        final Socket socket = near == null ? new Socket() : new IpnumaSocket(near);
        socket.connect(address);
        return socket;
    }

    @ParameterizedTest
    @EnumSource(Transport.class)
    void shouldReadTheAnswerOfAServerThatHasNotReadEverything(final Transport transport) throws Exception
    {
        try (ServerSocket server = listen(transport))
        {
            for (int i = 0; i < ROUNDS; i++)
            {
                try (Socket client = connect(server))
                {
                    final Socket accepted = server.accept();
                    client.getOutputStream().write(new byte[8192]);
                    while (accepted.getInputStream().available() < 8192)
                    {
                        Thread.sleep(1);
                    }
                    assertEquals(10, accepted.getInputStream().readNBytes(10).length);
                    accepted.getOutputStream().write(ANSWER);
                    accepted.close();
                    assertArrayEquals(ANSWER, client.getInputStream().readAllBytes());
                    assertThrows(SocketException.class, () -> writeUntilItFails(client));
                }
            }
        }
    }

    private static void writeUntilItFails(final Socket socket) throws IOException
    {
        for (int i = 0; i < 1000; i++)
        {
            socket.getOutputStream().write(1);
        }
    }

    @ParameterizedTest
    @EnumSource(Transport.class)
    void shouldGoOnWhenAPlatformThreadIsInterrupted(final Transport transport) throws Exception
    {
        try (ServerSocket server = listen(transport);
            Socket client = connect(server);
            Socket accepted = server.accept())
        {
            final CompletableFuture<byte[]> read = new CompletableFuture<>();
            final Thread reader = start(read, () -> accepted.getInputStream().readNBytes(LONG_WRITE));
            reader.interrupt();
            final CompletableFuture<Boolean> written = new CompletableFuture<>();
            start(written, () ->
            {
                Thread.currentThread().interrupt();
                client.getOutputStream().write(new byte[LONG_WRITE - 1]);
                client.getOutputStream().write(1);
                return Thread.interrupted();
            });
            assertTrue(written.get(), "the interrupt of the writer was cleared");
            assertEquals(1, read.get()[LONG_WRITE - 1]);
            final CompletableFuture<Boolean> acceptedInterrupted = new CompletableFuture<>();
            final Thread acceptor = start(acceptedInterrupted, () ->
            {
                server.accept().close();
                return Thread.interrupted();
            });
            acceptor.interrupt();
            connect(server).close();
            assertTrue(acceptedInterrupted.get(), "the interrupt of the acceptor was cleared");
            Thread.currentThread().interrupt();
            server.setSoTimeout(20);
            assertThrows(SocketTimeoutException.class, server::accept);
            assertTrue(Thread.interrupted());
            accepted.getOutputStream().write(2);
            assertEquals(2, client.getInputStream().read());
        }
    }

    private static <T> Thread start(final CompletableFuture<T> result, final Callable<T> action)
    {
        final Thread thread = new Thread(() -> complete(result, action));
        thread.start();
        return thread;
    }

    private static <T> void complete(final CompletableFuture<T> result, final Callable<T> action)
    {
        try
        {
            result.complete(action.call());
        }
        catch (final Exception ex)
        {
            result.completeExceptionally(ex);
        }
    }

    @ParameterizedTest
    @EnumSource(Transport.class)
    void shouldCloseTheSocketOfAnInterruptedVirtualThread(final Transport transport) throws Exception
    {
        final Executor virtual = virtualThreads();
        Assumptions.assumeTrue(virtual != null, "virtual threads need Java 21 or later");
        try (ServerSocket server = listen(transport);
            Socket client = connect(server);
            Socket accepted = server.accept())
        {
            assertEquals("Closed by interrupt, interrupted true", outcome(virtual, () ->
                client.getInputStream().read()));
            assertTrue(client.isClosed());
            assertEquals(-1, accepted.getInputStream().read());
            assertEquals("Closed by interrupt, interrupted true", outcome(virtual, server::accept));
            assertTrue(server.isClosed());
        }
    }

    /** Interrupts an action on a virtual thread and returns how it ends. */
    private static String outcome(final Executor virtual, final Callable<?> action)
    {
        final CompletableFuture<String> outcome = new CompletableFuture<>();
        virtual.execute(() -> complete(outcome, () ->
        {
            Thread.currentThread().interrupt();
            final String message = assertThrows(SocketException.class, action::call).getMessage();
            return message + ", interrupted " + Thread.currentThread().isInterrupted();
        }));
        return outcome.join();
    }

    /** Returns an executor with a virtual thread for each task, null before Java 21. */
    private static Executor virtualThreads() throws ReflectiveOperationException
    {
        return Runtime.version().feature() < 21 ? null :
            (Executor)Executors.class.getMethod("newVirtualThreadPerTaskExecutor").invoke(null);
    }

    @ParameterizedTest
    @EnumSource(Transport.class)
    void shouldLetAWriterFinishWhosePeerReadsNoMore(final Transport transport) throws Exception
    {
        try (ServerSocket server = listen(transport);
            Socket client = connect(server);
            Socket accepted = server.accept())
        {
            final InputStream shut = accepted.getInputStream();
            accepted.shutdownInput();
            client.getOutputStream().write(new byte[100_000]);
            accepted.getOutputStream().write(ANSWER);
            assertArrayEquals(ANSWER, client.getInputStream().readNBytes(ANSWER.length));
            assertEquals(-1, shut.read());
        }
    }
}
