package org.fibnuma.fibnic.datapath;

import org.agrona.concurrent.SystemNanoClock;
import org.fibnuma.core.frame.FrameBatch;
import org.fibnuma.core.frame.FramePool;
import org.fibnuma.core.memory.FrameMemory;
import org.fibnuma.fibnic.capture.Capture;
import org.fibnuma.fibnic.capture.CaptureSettings;
import org.fibnuma.fibnic.capture.CapturePoint;
import org.fibnuma.fibnic.fate.DropReason;
import org.fibnuma.fibnic.fate.ForwarderCounter;
import org.fibnuma.fibnic.record.RecordStream;
import org.fibnuma.fibnic.trace.Trace;
import org.fibnuma.fibnic.trace.TraceEvent;
import org.fibnuma.fibnic.trace.TraceReceiver;
import org.fibnuma.fibnic.trace.TraceSettings;
import org.fibnuma.fibnic.trace.TracedFrame;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * A worker that gets a batch in every duty cycle forwards all of its frames, in their order, while another thread
 * starts and ends captures and traces and reads them slowly or not at all. What a capture or a trace has not kept, it
 * counts. The last eight bytes of a frame are its number.
 */
@Tag("stress")
@Timeout(600)
class CaptureStressTest
{
    private static final int ROUNDS = 12;
    private static final int FRAMES_OF_ROUND = 60_000;
    private static final int BATCH = 64;
    /** Of 16 frames the last is dropped. */
    private static final int PATTERN = 16;
    private static final int LENGTH = 94;
    private static final long PORTS = 3;
    private static final long PAUSE_NS = TimeUnit.MICROSECONDS.toNanos(200);
    // Kinds of messages, by their documented layout: length, kind, time, port, length of the frame, reason, frame.
    private static final int RECEIVED = 1;
    private static final int SENT = 2;
    private static final int DROPPED = 3;
    private static final int LOST = 4;
    private static final int END = 5;

    private static final byte[] ORDINARY = TestFrame.ipv4().payload(60).bytes();
    private static final byte[] OPTIONS = TestFrame.ipv4().options("01010101").payload(56).bytes();
    private static final byte[] IPV6 = TestFrame6.ipv6().payload(40).bytes();
    private static final byte[] DAMAGED = TestFrame.ipv4().checksum(1).payload(60).bytes();

    private final CapturePoint point = new CapturePoint();
    private final FrameBatch host = new FrameBatch();
    private final ByteBuffer room = ByteBuffer.allocateDirect(1 << 18);
    private volatile long offered;
    private volatile boolean isStopped;
    private long arrived;
    /** Of all captures and of all traces. */
    private long captured;
    private long notCaptured;
    private long traced;
    private long notTraced;

    @Test
    void shouldForwardEveryFrameInItsOrder() throws Exception
    {
        try (RouterFixture router = new RouterFixture(2, context -> context.capturePoint(point).forwardsIpv6(true)))
        {
            final CompletableFuture<Void> control = CompletableFuture.runAsync(() -> observe(router));
            try
            {
                while (!control.isDone())
                {
                    saturate(router);
                }
            }
            finally
            {
                isStopped = true;
            }
            control.get();
            // The counters are published by a cycle without frames.
            router.run();
            assertTrue(offered >= (long)ROUNDS * FRAMES_OF_ROUND);
            assertEquals(offered / PATTERN * (PATTERN - 1), arrived);
            assertEquals(arrived, router.count(ForwarderCounter.FORWARDED));
            assertEquals(offered / PATTERN, router.report().dropped());
            assertEquals(offered / PATTERN, router.report().get(DropReason.IPV4_BAD_CHECKSUM));
            router.assertBalanced();
        }
        assertTrue(captured > 0 && notCaptured > 0, captured + " captured, " + notCaptured + " not");
        assertTrue(traced > 0 && notTraced > 0, traced + " traced, " + notTraced + " not");
    }

    /** One duty cycle with a batch; all that is to be forwarded arrives in its order. */
    private void saturate(final RouterFixture router)
    {
        long number = offered;
        for (int i = 0; i < BATCH; i++)
        {
            final byte[] frame = frame(number);
            final long chunk = router.hostPool.allocate();
            FrameMemory.putBytes(chunk + FramePool.HEADROOM, frame);
            FrameMemory.putLong(chunk + FramePool.HEADROOM + LENGTH - Long.BYTES, number);
            assertTrue(router.hosts.get(0).txQueue(0).offer(chunk, chunk + FramePool.HEADROOM, LENGTH));
            number++;
        }
        router.hosts.get(0).txQueue(0).flush();
        router.agent.doWork();
        host.clear();
        router.hosts.get(1).rxQueue(0).receive(host);
        assertEquals(BATCH / PATTERN * (PATTERN - 1), host.size(), "of the batch that begins with frame " + offered);
        long expected = offered;
        for (int i = 0; i < host.size(); i++)
        {
            assertEquals(expected, FrameMemory.getLong(host.address(i) + LENGTH - Long.BYTES));
            router.hostPool.release(host.handle(i));
            arrived++;
            expected += isDamaged(expected + 1) ? 2 : 1;
        }
        router.hosts.get(0).txQueue(0).flush();
        router.hosts.get(1).txQueue(0).flush();
        offered = number;
    }

    private static byte[] frame(final long number)
    {
        if (isDamaged(number))
        {
            return DAMAGED;
        }
        return number % PATTERN == PATTERN / 2 ? OPTIONS : number % 2 == 0 ? ORDINARY : IPV6;
    }

    private static boolean isDamaged(final long number)
    {
        return number % PATTERN == PATTERN - 1;
    }

    /** In turn a capture, a trace, and both; every other one is read only after its end. */
    private void observe(final RouterFixture router)
    {
        try
        {
            for (int round = 0; round < ROUNDS; round++)
            {
                final boolean isRead = round % 2 == 0;
                final CaptureNumbers numbers = round % 3 == 1 ? null : new CaptureNumbers();
                final TraceNumbers ways = round % 3 == 0 ? null : new TraceNumbers();
                observe(router, numbers, ways, isRead);
            }
        }
        catch (final IOException | InterruptedException ex)
        {
            throw new AssertionError(ex);
        }
    }

    private void observe(
        final RouterFixture router, final CaptureNumbers numbers, final TraceNumbers ways, final boolean isRead)
        throws IOException, InterruptedException
    {
        final Capture capture = numbers == null ? null : new Capture(
            new CaptureSettings(PORTS, PORTS, PORTS, CaptureSettings.MAX_SNAP_LENGTH, null), 1,
            SystemNanoClock.INSTANCE, 0);
        final Trace trace = ways == null ? null : new Trace(
            new TraceSettings(PORTS, TraceSettings.MAX_COUNT, null), 1, SystemNanoClock.INSTANCE, 0);
        if (capture != null)
        {
            point.captureTo(capture.ring(0));
        }
        if (trace != null)
        {
            point.traceTo(trace.frames(0));
        }
        final long end = offered + FRAMES_OF_ROUND;
        while (offered < end && !isStopped)
        {
            if (isRead)
            {
                drain(capture, numbers);
                drain(trace, ways);
            }
            LockSupport.parkNanos(PAUSE_NS);
        }
        point.captureTo(null);
        point.traceTo(null);
        awaitUnused(router);
        if (capture != null)
        {
            finish(capture, numbers);
            numbers.assertComplete();
            capture.free();
        }
        if (trace != null)
        {
            finish(trace, ways);
            ways.assertComplete();
            trace.free();
        }
    }

    /** Waits until the worker has begun another duty cycle. */
    private void awaitUnused(final RouterFixture router) throws InterruptedException
    {
        final CountDownLatch unused = new CountDownLatch(1);
        router.epochs.retire(unused::countDown);
        do
        {
            router.epochs.reclaim();
        }
        while (!unused.await(1, TimeUnit.MILLISECONDS) && !isStopped);
    }

    private boolean drain(final RecordStream stream, final Reader reader) throws IOException
    {
        final boolean more = stream != null && stream.drain(room.clear());
        if (stream != null)
        {
            reader.read(room.flip().order(ByteOrder.nativeOrder()));
        }
        return more;
    }

    private void finish(final RecordStream stream, final Reader reader) throws IOException
    {
        stream.finish();
        while (drain(stream, reader))
        {
            continue;
        }
    }

    /** Reads the messages of a stream. */
    private interface Reader
    {
        void read(ByteBuffer messages) throws IOException;

        void assertComplete();
    }

    /** The frames of one capture. */
    private final class CaptureNumbers implements Reader
    {
        /** By kind. */
        private final long[] counts = new long[END];
        private final long[] last = {-1, -1, -1, -1, -1};
        private final long[] lostByPort = new long[2];
        private boolean hasEnded;

        @Override
        public void read(final ByteBuffer messages)
        {
            while (messages.hasRemaining())
            {
                final int length = messages.getInt();
                final int kind = messages.getInt();
                final int end = messages.position() + length;
                if (kind == LOST)
                {
                    final int port = messages.getInt();
                    lostByPort[port] = messages.getLong();
                }
                else if (kind == END)
                {
                    hasEnded = true;
                }
                else
                {
                    frame(kind, messages, end);
                }
                messages.position(end);
            }
        }

        private void frame(final int kind, final ByteBuffer messages, final int end)
        {
            messages.getLong();
            final int port = messages.getInt();
            assertEquals(kind == SENT ? 1 : 0, port);
            assertEquals(LENGTH, messages.getInt());
            final int reason = messages.getInt();
            final byte[] frame = new byte[LENGTH];
            messages.get(frame);
            assertEquals(end, messages.position());
            final long number = number(frame);
            assertTrue(number > last[kind], () -> "frame " + number + " of kind " + kind + " behind " + last[kind]);
            last[kind] = number;
            counts[kind]++;
            if (kind == RECEIVED)
            {
                final byte[] expected = CaptureStressTest.frame(number).clone();
                ByteBuffer.wrap(expected).order(ByteOrder.nativeOrder()).putLong(LENGTH - Long.BYTES, number);
                assertEquals(HexFormat.of().formatHex(expected), HexFormat.of().formatHex(frame));
            }
            else
            {
                assertEquals(kind == DROPPED, isDamaged(number));
                assertEquals(kind == DROPPED ? DropReason.IPV4_BAD_CHECKSUM.id() : 0, reason);
            }
        }

        /** Whatever the worker has received, dropped and sent meanwhile, in whole batches, was kept or counted. */
        @Override
        public void assertComplete()
        {
            assertTrue(hasEnded);
            final long atIngress = counts[RECEIVED] + counts[DROPPED] + lostByPort[0];
            final long atEgress = counts[SENT] + lostByPort[1];
            assertTrue(atIngress >= FRAMES_OF_ROUND, atIngress + " frames received and dropped");
            assertEquals(0, atIngress % (PATTERN + 1));
            assertEquals(atIngress / (PATTERN + 1) * (PATTERN - 1), atEgress);
            captured += counts[RECEIVED] + counts[DROPPED] + counts[SENT];
            notCaptured += lostByPort[0] + lostByPort[1];
        }
    }

    /** The frames of one trace. */
    private final class TraceNumbers implements Reader
    {
        private final TraceReceiver receiver = new TraceReceiver(
            Map.of(0, "p0", 1, "p1"), List.of("p0", "p1"),
            Arrays.stream(DropReason.values()).map(DropReason::label).toList(), this::onFrame);
        private long count;
        private long last = -1;

        @Override
        public void read(final ByteBuffer messages) throws IOException
        {
            receiver.receive(messages);
            assertEquals(0, messages.remaining());
        }

        private void onFrame(final TracedFrame frame)
        {
            final long number = number(frame.head());
            assertTrue(number > last, () -> "frame " + number + " behind " + last);
            last = number;
            count++;
            assertFalse(frame.isTruncated());
            assertEquals(isDamaged(number) ? TraceEvent.DROPPED : TraceEvent.SENT, frame.fate().event());
        }

        @Override
        public void assertComplete()
        {
            assertEquals(TraceSettings.MAX_COUNT, count + receiver.lostOfAll());
            traced += count;
            notTraced += receiver.lostOfAll();
        }
    }

    private static long number(final byte[] frame)
    {
        return ByteBuffer.wrap(frame).order(ByteOrder.nativeOrder()).getLong(LENGTH - Long.BYTES);
    }
}
