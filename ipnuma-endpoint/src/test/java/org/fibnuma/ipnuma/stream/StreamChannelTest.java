package org.fibnuma.ipnuma.stream;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.net.BindException;
import java.net.ConnectException;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.function.BooleanSupplier;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Two programs at two endpoints, all on the test's thread but the endpoints. */
@Timeout(120)
class StreamChannelTest
{
    private static final int RING = 4096;

    @TempDir
    private Path directory;
    private StreamLab lab;
    private StreamAgent a;
    private StreamAgent b;

    @BeforeEach
    void open() throws Exception
    {
        lab = new StreamLab(directory, "");
        a = lab.agent(1, 8, RING);
        b = lab.agent(2, 8, RING);
    }

    @AfterEach
    void close()
    {
        lab.close();
    }

    @Test
    void shouldCarryBytesBothWaysAndEndInOrder() throws IOException
    {
        final StreamAcceptor acceptor = b.listen(7000, 4);
        final StreamChannel near = a.connect(new IpnumaSocketAddress(2, 7000));
        run(() -> connected(near));
        final StreamChannel far = acceptor.accept();
        assertEquals("ipnuma:2/7000", near.remoteAddress().toString());
        assertEquals(near.localAddress(), far.remoteAddress());
        assertEquals(near.remoteAddress(), far.localAddress());

        assertEquals(5, write(near, "hello"));
        assertEquals("hello", read(far, 5));
        assertEquals(3, write(far, "you"));
        far.finish();
        assertEquals("you", read(near, 3));
        assertEquals(-1, readEnd(near));
        assertEquals(4, write(near, "more"));
        assertEquals("more", read(far, 4));
        assertThrows(ClosedChannelException.class, () -> write(far, "x"));
        near.close();
        assertEquals(-1, readEnd(far));
        far.close();
        run(() -> a.connectionCount() == 0 && b.connectionCount() == 0);
    }

    @Test
    void shouldRefuseAtOnceWhereNobodyListens()
    {
        assertEquals("no program listens on ipnuma:2/7001", refusal(new IpnumaSocketAddress(2, 7001)));
        assertEquals("the endpoint has no peer 3", refusal(new IpnumaSocketAddress(3, 7001)));
        run(() -> a.connectionCount() == 0);
    }

    @Test
    void shouldRefuseAfterTheListenerHasClosedAndLetThePortBeUsedAgain() throws IOException
    {
        final StreamAcceptor acceptor = b.listen(7000, 4);
        assertThrows(BindException.class, () -> b.listen(7000, 4));
        final StreamAgent other = lab.agent(2, 8, RING);
        assertTrue(assertThrows(BindException.class, () -> other.listen(7000, 4)).getMessage()
            .contains("in use by process " + ProcessHandle.current().pid()));
        acceptor.close();
        assertEquals("no program listens on ipnuma:2/7000", refusal(new IpnumaSocketAddress(2, 7000)));
        other.listen(7000, 4).close();
    }

    @Test
    void shouldLetWhatTheBacklogHasNoRoomForWait() throws IOException
    {
        final StreamAcceptor acceptor = b.listen(0, 1);
        final StreamChannel first = a.connect(acceptor.address());
        run(() -> connected(first));
        final StreamChannel late = a.connect(acceptor.address(), 1_000_000);
        final StreamChannel second = a.connect(acceptor.address());
        run(() -> fails(late::finishConnect));
        late.close();
        assertFalse(second.finishConnect());
        run(() -> b.value(StreamCounter.BACKLOG_FULL) >= 3);
        acceptor.accept();
        run(() -> connected(second));
        final StreamChannel third = a.connect(acceptor.address());
        run(() -> b.value(StreamCounter.BACKLOG_FULL) >= 5);
        acceptor.close();
        run(() -> fails(third::finishConnect));
        assertEquals("no program listens on " + acceptor.address(),
            assertThrows(ConnectException.class, third::finishConnect).getMessage());
        third.close();
        first.close();
        second.close();
        run(() -> a.attemptCount() == 0 && a.connectionCount() == 0);
    }

    @Test
    void shouldSayThatTheBacklogWasFullWhenTheTimeIsOver() throws IOException
    {
        final StreamAcceptor acceptor = b.listen(0, 1);
        final StreamChannel first = a.connect(acceptor.address());
        run(() -> connected(first));
        final StreamChannel late = a.connect(acceptor.address(), 300_000_000);
        run(() -> fails(late::finishConnect));
        assertEquals("the backlog of " + acceptor.address() + " is full",
            assertThrows(SocketTimeoutException.class, late::finishConnect).getMessage());
    }

    @Test
    void shouldForgetAConnectThatIsClosedWhileItWaitsForTheBacklog() throws IOException
    {
        final StreamAcceptor acceptor = b.listen(0, 1);
        final StreamChannel first = a.connect(acceptor.address());
        run(() -> connected(first));
        final StreamChannel[] waiting = new StreamChannel[4];
        for (int i = 0; i < waiting.length; i++)
        {
            waiting[i] = a.connect(acceptor.address());
        }
        run(() -> b.value(StreamCounter.BACKLOG_FULL) > 10);
        for (final StreamChannel channel : waiting)
        {
            channel.close();
        }
        first.close();
        run(() ->
        {
            // A hello that was under way takes the place that the accepted one leaves, and waits to be accepted too.
            final StreamChannel accepted = acceptor.accept();
            if (accepted != null)
            {
                accepted.close();
            }
            return a.attemptCount() == 0 && a.connectionCount() == 0 && b.connectionCount() == 0;
        });
    }

    @Test
    void shouldStopAWriterWhoseReaderDoesNotRead() throws IOException
    {
        final StreamChannel[] pair = pair();
        int taken = 0;
        for (int i = 0; i < 100; i++)
        {
            taken += pair[0].write(ByteBuffer.allocate(1000));
            a.doWork();
            b.doWork();
        }
        assertEquals(RING, taken);
        assertFalse(pair[0].isWritable());
        run(() -> pair[1].available() == RING);
        assertEquals(RING / 2, pair[1].read(ByteBuffer.allocate(RING / 2)));
        run(() -> pair[0].isWritable());
        assertEquals(RING / 2, pair[0].write(ByteBuffer.allocate(RING)));
    }

    @Test
    void shouldDiscardWhatAReaderWantsNoMore() throws IOException
    {
        final StreamChannel[] pair = pair();
        write(pair[0], "before");
        run(() -> pair[1].available() == 6);
        pair[1].discardInput();
        assertEquals(0, pair[1].read(ByteBuffer.allocate(6)));
        final ByteBuffer source = ByteBuffer.allocate(10 * RING);
        run(() ->
        {
            assertFalse(fails(() -> pair[0].write(source)));
            return !source.hasRemaining();
        });
        write(pair[1], "answer");
        assertEquals("answer", read(pair[0], 6));
        pair[0].finish();
        assertEquals(-1, readEnd(pair[1]));
    }

    @Test
    void shouldWriteSeveralBuffersInOrderAsFarAsThereIsRoom() throws IOException
    {
        final StreamChannel[] pair = pair();
        final ByteBuffer[] sources = {
            ByteBuffer.wrap("one".getBytes(StandardCharsets.US_ASCII)), ByteBuffer.allocate(0),
            ByteBuffer.wrap("two".getBytes(StandardCharsets.US_ASCII)), ByteBuffer.wrap(new byte[] {'!'})};
        assertEquals(6, pair[0].write(sources, 3));
        assertEquals(1, sources[3].remaining());
        assertEquals("onetwo", read(pair[1], 6));
        final ByteBuffer[] large = {ByteBuffer.allocate(RING - 100), ByteBuffer.allocate(200), sources[3]};
        run(() -> pair[0].isWritable());
        assertTrue(pair[0].write(large, 3) <= RING);
        assertEquals(0, large[0].remaining());
        assertTrue(large[1].hasRemaining());
        assertEquals(1, sources[3].remaining());
    }

    @Test
    void shouldTellTheOtherEndOfAResetAndOfAClose() throws IOException
    {
        final StreamChannel[] reset = pair();
        reset[0].reset();
        run(() -> fails(() -> reset[1].read(ByteBuffer.allocate(1))));
        assertEquals("connection reset by " + reset[1].remoteAddress(),
            assertThrows(IOException.class, () -> reset[1].read(ByteBuffer.allocate(1))).getMessage());
        reset[1].close();

        final StreamChannel[] unread = pair();
        write(unread[1], "unread");
        run(() -> unread[0].available() == 6);
        write(unread[0], "answer");
        unread[0].close();
        assertEquals("answer", read(unread[1], 6));
        assertEquals(-1, readEnd(unread[1]));
        assertTrue(fails(() -> write(unread[1], "x")));
        unread[1].close();

        final StreamChannel[] closed = pair();
        closed[0].close();
        assertEquals(-1, readEnd(closed[1]));
        assertTrue(assertThrows(IOException.class, () -> write(closed[1], "x")).getMessage()
            .endsWith("has closed the connection"));
        closed[1].close();
        run(() -> a.connectionCount() == 0 && b.connectionCount() == 0);
    }

    @Test
    void shouldFailAtOnceWhenAllSlotsAreInUseAndConnectAgainWhenOneIsFree() throws IOException
    {
        final StreamAcceptor acceptor = b.listen(7000, 20);
        final StreamChannel[] channels = new StreamChannel[8];
        for (int i = 0; i < channels.length; i++)
        {
            channels[i] = a.connect(acceptor.address());
        }
        assertEquals("all 8 connections of this program are in use",
            assertThrows(IOException.class, () -> a.connect(acceptor.address())).getMessage());
        run(() -> connected(channels[7]) && connected(channels[0]));
        final StreamAgent other = lab.agent(1, 8, RING);
        final StreamChannel ninth = other.connect(acceptor.address());
        StreamLab.run(() -> fails(ninth::finishConnect), a, b, other);
        assertTrue(assertThrows(ConnectException.class, ninth::finishConnect).getMessage()
            .endsWith("has reached its limit of connections"));
        channels[0].close();
        acceptor.accept().close();
        run(() -> a.connectionCount() == 7 && b.connectionCount() == 7);
        final StreamChannel again = a.connect(acceptor.address());
        run(() -> connected(again));
    }

    @Test
    void shouldNoticeThatTheOtherProgramHasEnded() throws IOException
    {
        final StreamChannel[] pair = pair();
        b.onClose();
        run(() -> fails(() -> pair[0].read(ByteBuffer.allocate(1))));
        assertEquals("no program listens on ipnuma:2/7000", refusal(new IpnumaSocketAddress(2, 7000)));
        assertNull(a.lost());
    }

    @Test
    void shouldNoticeThatTheOtherEndpointHasEnded() throws Exception
    {
        final StreamChannel[] pair = pair();
        lab.stopFarEndpoint();
        run(() -> fails(() -> pair[0].read(ByteBuffer.allocate(1))) &&
            fails(() -> pair[1].read(ByteBuffer.allocate(1))));
        assertTrue(assertThrows(IOException.class, () -> pair[0].read(ByteBuffer.allocate(1))).getMessage()
            .startsWith("peer 2 is"));
        assertTrue(assertThrows(IOException.class, () -> pair[1].write(ByteBuffer.allocate(1))).getMessage()
            .startsWith("the endpoint is lost"));
        assertTrue(assertThrows(IOException.class, () -> b.listen(7001, 1)).getMessage()
            .startsWith("the endpoint is lost"));
    }

    private StreamChannel[] pair() throws IOException
    {
        final StreamAcceptor acceptor = b.listen(7000, 4);
        final StreamChannel near = a.connect(acceptor.address());
        run(() -> connected(near));
        final StreamChannel far = acceptor.accept();
        acceptor.close();
        return new StreamChannel[] {near, far};
    }

    private String refusal(final IpnumaSocketAddress address)
    {
        try
        {
            final StreamChannel channel = a.connect(address);
            run(() -> fails(channel::finishConnect));
            channel.close();
            return assertThrows(ConnectException.class, channel::finishConnect).getMessage();
        }
        catch (final IOException ex)
        {
            throw new AssertionError(ex);
        }
    }

    private void run(final BooleanSupplier condition)
    {
        StreamLab.run(condition, a, b);
    }

    private String read(final StreamChannel channel, final int length) throws IOException
    {
        run(() -> channel.available() >= length);
        final ByteBuffer bytes = ByteBuffer.allocate(length);
        assertEquals(length, channel.read(bytes));
        return new String(bytes.array(), StandardCharsets.US_ASCII);
    }

    private int readEnd(final StreamChannel channel) throws IOException
    {
        final int[] result = new int[1];
        run(() ->
        {
            try
            {
                result[0] = channel.read(ByteBuffer.allocate(1));
                return result[0] != 0;
            }
            catch (final IOException ex)
            {
                throw new AssertionError(ex);
            }
        });
        return result[0];
    }

    private static int write(final StreamChannel channel, final String text) throws IOException
    {
        return channel.write(ByteBuffer.wrap(text.getBytes(StandardCharsets.US_ASCII)));
    }

    private static boolean connected(final StreamChannel channel)
    {
        try
        {
            return channel.finishConnect();
        }
        catch (final IOException ex)
        {
            throw new AssertionError(ex);
        }
    }

    /** An operation of a channel. */
    @FunctionalInterface
    private interface Operation
    {
        Object call() throws IOException;
    }

    private static boolean fails(final Operation operation)
    {
        try
        {
            operation.call();
            return false;
        }
        catch (final IOException ex)
        {
            return true;
        }
    }
}
