package org.fibnuma.ipnuma.endpoint;

import org.agrona.concurrent.NanoClock;
import org.fibnuma.core.memory.FrameMemory;
import org.fibnuma.core.memory.MemoryRegion;
import org.fibnuma.core.memory.SharedFiles;
import org.fibnuma.ipnuma.channel.ChannelListener;
import org.fibnuma.ipnuma.channel.PeerChannel;
import org.fibnuma.ipnuma.table.Region;
import org.fibnuma.ipnuma.table.RemoteAddress;
import org.fibnuma.ipnuma.wire.WireFormat;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Random;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * The error of a truncated file interrupts an endpoint at any place: in its clock, which it reads in the middle of a
 * duty cycle, and in every event of the application, also in those of the recovery itself. Each fault has its truncated
 * file, which is of no other use.
 */
@Timeout(120)
class EndpointFaultTest
{
    private static final long TURN_NS = 5_000;
    private static final int TURNS = 60_000;
    private static final int FAULTS_LEAST = 200;
    private static final int SIZE = 100;

    @TempDir
    private Path directory;

    private final MemoryRegion frames = TestEndpoint.frames();
    private final MemoryRegion data = MemoryRegion.ofBytes(Long.BYTES);
    private final Random random = new Random(21);
    private Path file;
    private long time;
    private boolean isFaulty;
    private int faults;

    /** Throws before an event or after it. */
    private final class Faulty implements ChannelListener
    {
        private int downs;

        @Override
        public void onUp(final int pcId)
        {
            mayFault(4);
        }

        @Override
        public void onDown(final int pcId, final long pendingWrites)
        {
            mayFault(4);
            downs++;
            mayFault(4);
        }

        @Override
        public void onPeerRestarted(final int pcId, final long lostWrites)
        {
            onDown(pcId, lostWrites);
        }

        @Override
        public void onWritten(final int pcId, final long tag, final int status)
        {
            mayFault(50);
        }

        @Override
        public void onUnanswered(final int pcId, final long tag)
        {
            mayFault(50);
        }
    }

    private void mayFault(final int probability)
    {
        if (isFaulty && random.nextInt(probability) == 0)
        {
            faults++;
            truncate();
            throw new InternalError("a fault occurred in an unsafe memory access operation");
        }
    }

    private void truncate()
    {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE))
        {
            channel.truncate(random.nextInt(SIZE));
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"mem:", "shm:"})
    void shouldReportWhatItLosesAndComeUpAgainWhereverItIsInterrupted(final String link) throws IOException
    {
        file = Files.write(directory.resolve("file"), new byte[SIZE]);
        final String name = "test-fault-" + ProcessHandle.current().pid();
        final NanoClock clock = () ->
        {
            mayFault(200);
            return time;
        };
        final Faulty events = new Faulty();
        final SharedFiles.Watch watch = SharedFiles.watch(file, SIZE, () -> {});
        try (TestEndpoint far = new TestEndpoint(link + name, TestEndpoint.pool(frames, 1), 2, 0, clock,
                ChannelListener.NONE, TestEndpoint.peer(1, WireFormat.FIBNUMA));
            TestEndpoint near = new TestEndpoint(link + name + "@far",
                TestEndpoint.pool(frames, 0), 1, 0, clock, events, TestEndpoint.peer(2, WireFormat.FIBNUMA)))
        {
            isFaulty = true;
            long value = 0;
            long sent = 0;
            int reported = 0;
            for (int turn = 0; turn < TURNS; turn++)
            {
                time += TURN_NS;
                isFaulty = turn < TURNS / 2;
                if (stored(far) == value && isFaulty)
                {
                    value++;
                }
                if ((sent != value || reported != events.downs) && write(near, value, turn % 2))
                {
                    sent = value;
                    reported = events.downs;
                }
                work(near);
                work(far);
            }
            assertEquals(value, stored(far), "the last value arrived, after all that were lost had been sent again");
            assertTrue(near.agent().channel(2).isUp() && far.agent().channel(1).isUp());
            assertTrue(faults >= FAULTS_LEAST && value > 100, faults + " faults, " + value + " values");
            assertEquals(0, near.agent().slots().used());
            assertEquals(0, far.agent().slots().used());
        }
        finally
        {
            watch.close();
            frames.close();
            data.close();
        }
    }

    private static long stored(final TestEndpoint endpoint)
    {
        return FrameMemory.getLong(endpoint.memory());
    }

    private boolean write(final TestEndpoint endpoint, final long value, final long tag)
    {
        FrameMemory.putLong(data.address(), value);
        final PeerChannel channel = endpoint.agent().channel(2);
        final boolean isTaken = channel.write(
            RemoteAddress.of(TestEndpoint.REGION_ID, 0), Region.NO_KEY, data.address(), Long.BYTES, true, tag);
        channel.flush();
        return isTaken;
    }

    private static void work(final TestEndpoint endpoint)
    {
        try
        {
            endpoint.agent().doWork();
        }
        catch (final InternalError fault)
        {
            endpoint.agent().onFault(fault);
        }
    }
}
