package org.fibnuma.ipnuma.memcached.socket;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import org.agrona.CloseHelper;
import org.fibnuma.core.UserException;
import org.fibnuma.core.agent.IdleStrategies;
import org.fibnuma.ipnuma.memcached.store.ItemStore;
import org.fibnuma.ipnuma.memcached.store.ServerClock;
import org.fibnuma.ipnuma.memcached.store.StoreSettings;
import org.fibnuma.ipnuma.socket.IpnumaSocketFactory;
import org.fibnuma.ipnuma.socket.SocketDriver;
import org.fibnuma.ipnuma.stream.IpnumaSocketAddress;
import org.fibnuma.ipnuma.stream.StreamLab;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Clients of the memcached server over streams, whose rings are smaller than most answers here. */
@Timeout(120)
class StreamServerTest
{
    private static final int PORT = 11211;
    private static final int OTHER_PORT = 11212;
    private static final int CONNECTIONS = 5;
    private static final int RING_CAPACITY = 8192;

    @TempDir
    private Path directory;
    private StreamLab lab;
    private SocketDriver clients;
    private MemcachedServer server;
    private int port = PORT;

    @BeforeEach
    void open() throws Exception
    {
        lab = new StreamLab(directory, "");
        server = newServer();
        clients = SocketDriver.open(lab.settings(1).withRings(64, RING_CAPACITY));
    }

    private MemcachedServer newServer()
    {
        return MemcachedServer.open(new MemcachedSettings(null, null, new IpnumaSocketAddress(2, PORT), lab.endpoint(2),
            null, IdleStrategies.BACKOFF, CONNECTIONS, new StoreSettings(32 << 20, 1 << 20)));
    }

    @AfterEach
    void close()
    {
        CloseHelper.closeAll(clients, server, lab);
    }

    private Socket connect() throws IOException
    {
        return new IpnumaSocketFactory(clients).createSocket("ipnuma:2", port);
    }

    private static void send(final Socket socket, final String text) throws IOException
    {
        socket.getOutputStream().write(text.getBytes(StandardCharsets.US_ASCII));
    }

    /** Expects bytes, in whatever parts they come. */
    private static void expect(final Socket socket, final String text) throws IOException
    {
        assertEquals(text, new String(socket.getInputStream().readNBytes(text.length()), StandardCharsets.US_ASCII));
    }

    private static void expectEnd(final Socket socket) throws IOException
    {
        assertEquals(-1, socket.getInputStream().read());
    }

    @Test
    void shouldAnswerCommandsInWhateverPartsTheyCome() throws IOException
    {
        assertEquals(List.of("ipnuma:2/" + PORT), server.addresses());
        try (Socket socket = connect())
        {
            for (final String part : List.of("se", "t a 5 0 3\r", "\nx", "yz\r\nget a b\r\nmg a v\r\nge"))
            {
                send(socket, part);
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(5));
            }
            expect(socket, "STORED\r\nVALUE a 5 3\r\nxyz\r\nEND\r\nVA 3\r\nxyz\r\n");
            send(socket, "t a\r\n");
            expect(socket, "VALUE a 5 3\r\nxyz\r\nEND\r\n");
        }
    }

    @Test
    void shouldAnswerEachCommandOfALongBatchInOrder() throws IOException
    {
        final int count = 20_000;
        final StringBuilder commands = new StringBuilder("set n 0 0 1\r\n0\r\n");
        final StringBuilder answers = new StringBuilder("STORED\r\n");
        for (int i = 1; i <= count; i++)
        {
            commands.append("incr n 1\r\n");
            answers.append(i).append("\r\n");
        }
        try (Socket socket = connect())
        {
            final Thread sender = new Thread(() ->
            {
                try
                {
                    send(socket, commands.toString());
                }
                catch (final IOException ex)
                {
                    throw new AssertionError(ex);
                }
            });
            sender.start();
            expect(socket, answers.toString());
        }
    }

    @Test
    void shouldStopForAClientThatDoesNotReadAndServeOthers() throws IOException
    {
        final int length = 500_000;
        final int gets = 40;
        final String value = "s".repeat(length);
        try (Socket slow = connect();
            Socket other = connect())
        {
            send(slow, "set slow 0 0 " + length + "\r\n" + value + "\r\n");
            expect(slow, "STORED\r\n");
            // One command with many values, and then a value for each of many commands.
            send(slow, "get" + " slow".repeat(gets) + "\r\n");
            send(slow, "get slow\r\n".repeat(gets));
            for (int i = 0; i < 100; i++)
            {
                send(other, "get nothing\r\n");
                expect(other, "END\r\n");
            }
            final String item = "VALUE slow 0 " + length + "\r\n" + value + "\r\n";
            for (int i = 0; i < gets; i++)
            {
                expect(slow, item);
            }
            expect(slow, "END\r\n");
            for (int i = 0; i < gets; i++)
            {
                expect(slow, item + "END\r\n");
            }
        }
    }

    @Test
    void shouldAnswerNobodyWithWhatIsForAClientThatIsGone() throws IOException
    {
        final int length = 3000;
        try (Socket other = connect())
        {
            send(other, "set secret 0 0 " + length + "\r\n" + "s".repeat(length) + "\r\n");
            expect(other, "STORED\r\n");
            for (int i = 0; i < 200; i++)
            {
                final Socket gone = connect();
                send(gone, "get secret\r\n");
                gone.close();
                send(other, "get nothing\r\n");
                expect(other, "END\r\n");
            }
        }
    }

    @Test
    void shouldEndAfterTheLastAnswer() throws IOException
    {
        final int length = 100_000;
        final String value = "v".repeat(length);
        try (Socket socket = connect())
        {
            send(socket, "set long 0 0 " + length + "\r\n" + value + "\r\nget long\r\nquit\r\n");
            expect(socket, "STORED\r\nVALUE long 0 " + length + "\r\n" + value + "\r\nEND\r\n");
            expectEnd(socket);
        }
    }

    @Test
    void shouldRefuseConnectionsBeyondTheLimitAndAdmitOthersWhenSomeHaveEnded() throws IOException
    {
        final List<Socket> sockets = new ArrayList<>();
        for (int i = 0; i < CONNECTIONS; i++)
        {
            sockets.add(connect());
            send(sockets.get(i), "mn\r\n");
            expect(sockets.get(i), "MN\r\n");
        }
        try (Socket refused = connect())
        {
            expect(refused, "ERROR Too many open connections\r\n");
            expectEnd(refused);
        }
        // One of them in the middle of a value.
        send(sockets.get(0), "set half 0 0 1000\r\nbegin");
        CloseHelper.closeAll(sockets);
        String answer = "";
        while (!answer.equals("MN\r\n"))
        {
            try (Socket socket = connect())
            {
                send(socket, "mn\r\n");
                answer = new String(socket.getInputStream().readNBytes(4), StandardCharsets.US_ASCII);
            }
            catch (final IOException ex)
            {
                // Refused while the command was on its way.
                answer = "";
            }
        }
        try (Socket socket = connect())
        {
            send(socket, "get half\r\n");
            expect(socket, "END\r\n");
        }
    }

    /** Asks over new connections until one is answered. */
    private void awaitAnswer(final String command, final String answer) throws IOException
    {
        String found = "";
        while (!found.equals(answer))
        {
            try (Socket socket = connect())
            {
                socket.setSoTimeout(1000);
                send(socket, command);
                found = new String(socket.getInputStream().readNBytes(answer.length()), StandardCharsets.US_ASCII);
            }
            catch (final IOException ex)
            {
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(10));
            }
        }
    }

    @Test
    void shouldServeItsItemsAgainAfterEachRestartOfTheEndpoint() throws Exception
    {
        awaitAnswer("set kept 0 0 4\r\nitem\r\n", "STORED\r\n");
        for (int restart = 0; restart < 2; restart++)
        {
            final List<String> lines = new ArrayList<>();
            try (Socket open = connect())
            {
                send(open, "mn\r\n");
                expect(open, "MN\r\n");
                lines.addAll(logged(() ->
                {
                    lab.stopFarEndpoint();
                    assertThrows(IOException.class, () -> open.getInputStream().read());
                    lab.startFarEndpoint();
                    awaitAnswer("get kept\r\n", "VALUE kept 0 4\r\nitem\r\nEND\r\n");
                }));
            }
            assertEquals(2, lines.size(), lines::toString);
            assertTrue(lines.get(0).matches("streams are not served until the endpoint is back: " +
                "the endpoint is lost: .*/clients: endpoint \\(pid \\d+\\) has ended; connect again when it runs"),
                lines::toString);
            assertEquals("streams are served again on ipnuma:2/" + PORT, lines.get(1));
            assertNull(server.failure());
        }
    }

    /** As the JVM does after an access to a truncated file, at that access or at any later point of the thread. */
    @Test
    void shouldServeAgainAfterAFaultOnItsThread() throws Exception
    {
        final AtomicBoolean isFaulty = new AtomicBoolean();
        try (StreamServer faulty = newStreamServer(() ->
        {
            if (isFaulty.getAndSet(false))
            {
                throw new InternalError("a fault occurred in an unsafe memory access operation");
            }
        }))
        {
            port = OTHER_PORT;
            awaitAnswer("mn\r\n", "MN\r\n");
            try (Socket open = connect())
            {
                send(open, "mn\r\n");
                expect(open, "MN\r\n");
                isFaulty.set(true);
                assertTrue(endOf(open), "the connection ends with the agent");
            }
            awaitAnswer("mn\r\n", "MN\r\n");
            assertNull(faulty.failure());
        }
    }

    @Test
    void shouldSayWhyItCannotGoOn() throws Exception
    {
        try (StreamServer faulty = newStreamServer(() ->
        {
            throw new IllegalStateException("no more");
        }))
        {
            while (faulty.failure() == null)
            {
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
            }
            assertEquals("streams are not served any more: java.lang.IllegalStateException: no more", faulty.failure());
        }
    }

    private StreamServer newStreamServer(final Runnable crawl) throws IOException
    {
        final ItemStore store = new ItemStore(StoreSettings.defaults(), ServerClock.system());
        return StreamServer.open(lab.settings(2), OTHER_PORT, CONNECTIONS, IdleStrategies.BACKOFF,
            new StoreAccess(store, new CommandSet(store, null)), new ConnectionLimit(CONNECTIONS), crawl);
    }

    private static boolean endOf(final Socket socket)
    {
        try
        {
            return socket.getInputStream().read() < 0;
        }
        catch (final IOException ex)
        {
            return true;
        }
    }

    /** What may fail with any exception. */
    @FunctionalInterface
    private interface Action
    {
        void run() throws Exception;
    }

    private static List<String> logged(final Action action) throws Exception
    {
        final Logger logger = (Logger)LoggerFactory.getLogger(StreamServer.class);
        final ListAppender<ILoggingEvent> log = new ListAppender<>();
        log.start();
        logger.addAppender(log);
        try
        {
            action.run();
        }
        finally
        {
            logger.detachAppender(log);
        }
        return log.list.stream().map(ILoggingEvent::getFormattedMessage).toList();
    }

    @Test
    void shouldTellClientsThatItEndsAndFreeThePort() throws IOException
    {
        try (Socket socket = connect())
        {
            send(socket, "mn\r\n");
            expect(socket, "MN\r\n");
            final UserException taken = assertThrows(UserException.class, this::newServer);
            assertTrue(taken.getMessage().startsWith("--ipnuma ipnuma:2/" + PORT + ": "), taken::getMessage);
            server.close();
            expectEnd(socket);
        }
        server = newServer();
        try (Socket socket = connect())
        {
            send(socket, "mn\r\n");
            expect(socket, "MN\r\n");
        }
    }
}
