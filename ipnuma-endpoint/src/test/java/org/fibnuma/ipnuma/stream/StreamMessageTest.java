package org.fibnuma.ipnuma.stream;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Short messages between two programs that run their endpoints: each passes as one record. */
@Timeout(120)
class StreamMessageTest
{
    private static final int RING = 4096;
    private static final int MESSAGE = 64;
    private static final int MESSAGES = 1000;
    private static final long PUBLICATION_NS = TimeUnit.MILLISECONDS.toNanos(200);

    @TempDir
    private Path directory;
    private StreamLab lab;
    private StreamAgent a;
    private StreamAgent b;
    private StreamChannel near;
    private StreamChannel far;

    @BeforeEach
    void connect() throws Exception
    {
        lab = StreamLab.withoutThreads(directory, "");
        a = lab.agent(1, 8, RING);
        b = lab.agent(2, 8, RING);
        final StreamAcceptor acceptor = b.listen(7000, 1);
        near = a.connect(acceptor.address());
        run(this::isConnected);
        far = acceptor.accept();
    }

    @AfterEach
    void close()
    {
        lab.close();
    }

    private boolean isConnected()
    {
        try
        {
            return near.finishConnect();
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

    private void exchange(final byte[] expected, final ByteBuffer... sources) throws IOException
    {
        run(near::isWritable);
        assertEquals(expected.length, near.write(sources, sources.length));
        for (final ByteBuffer source : sources)
        {
            assertEquals(0, source.remaining());
        }
        run(() -> far.available() == expected.length);
        final ByteBuffer received = ByteBuffer.allocate(expected.length);
        assertEquals(expected.length, far.read(received));
        assertArrayEquals(expected, received.array());
    }

    private static ByteBuffer direct(final byte[] bytes)
    {
        return ByteBuffer.allocateDirect(bytes.length).put(bytes).flip();
    }

    /** Runs until everything that was counted before must have been published, which is so in every 20 ms. */
    private void publish()
    {
        final long endNs = System.nanoTime() + PUBLICATION_NS;
        run(() -> System.nanoTime() - endNs > 0);
    }

    /** The messages divide the ring, so that none has two parts. */
    @Test
    void shouldPassEachMessageAsOneRecord() throws IOException
    {
        final Random random = new Random(3);
        final byte[] message = new byte[MESSAGE];
        exchange(message, direct(message));
        publish();
        final long records = lab.count(1, "direct-sent");
        final long datagrams = lab.count(1, "data-sent");
        for (int i = 0; i < MESSAGES; i++)
        {
            random.nextBytes(message);
            switch (i % 3)
            {
                case 0 -> exchange(message, direct(message));
                case 1 -> exchange(message, ByteBuffer.wrap(message));
                default -> exchange(message, ByteBuffer.wrap(message, 0, 10), ByteBuffer.allocate(0),
                    direct(message).position(10));
            }
        }
        publish();
        // The probes of an idle link are records too, a few of them.
        final long more = lab.count(1, "direct-sent") - records - MESSAGES;
        assertTrue(more >= 0 && more < MESSAGES / 10, "more records than messages: " + more);
        assertEquals(datagrams, lab.count(1, "data-sent"));
    }

    @Test
    void shouldCarryMessagesOfAllLengthsAroundTheEndOfTheRing() throws IOException
    {
        final Random random = new Random(5);
        for (int i = 0; i < MESSAGES; i++)
        {
            final byte[] message = new byte[1 + random.nextInt(1500)];
            random.nextBytes(message);
            exchange(message, direct(message));
        }
    }
}
