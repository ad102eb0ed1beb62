package org.fibnuma.ipnuma.endpoint;

import org.agrona.CloseHelper;
import org.agrona.concurrent.UnsafeBuffer;
import org.fibnuma.ipnuma.client.AnswerListener;
import org.fibnuma.ipnuma.client.ClientMessage;
import org.fibnuma.ipnuma.client.EndpointClient;
import org.fibnuma.ipnuma.client.EndpointLostException;
import org.fibnuma.ipnuma.memory.RegionMapping;
import org.fibnuma.ipnuma.memory.RegionState;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Two endpoints as processes of their own, of which one is killed and started anew while A writes to B. */
@Timeout(180)
class EndpointRestartTest
{
    private static final String FAULTS = "fault:delay-us=3000,dup=30,reorder=20,loss=2,seed=11/";
    private static final long OLD = 1L << 32;
    private static final long NEW = 2L << 32;
    private static final int A = 1;
    private static final int B = 2;
    /** Longs of B's region that the sequence numbers go round in. */
    private static final int SLOTS = 4096;
    private static final int ENOUGH = 3000;
    private static final int BURST = 64;
    /** Of the frames that the relay keeps, those that are nobody's any more at least. */
    private static final int REPLAYED = 100;

    private final String prefix = "test-restart-" + ProcessHandle.current().pid();
    private final Deque<AutoCloseable> open = new ArrayDeque<>();
    private final UnsafeBuffer value = new UnsafeBuffer(new byte[Long.BYTES]);
    private RecordingRelay relay;
    private EndpointProcess a;
    private EndpointProcess b;
    private long sequence;

    @TempDir
    private Path directory;

    @AfterEach
    void closeAll()
    {
        CloseHelper.closeAll(open);
    }

    @Test
    void shouldLetNoWriteOfBeforeLandInAReceiverThatWasKilledAndTellTheSender() throws Exception
    {
        startOn(FAULTS + "shm:" + prefix, FAULTS + "shm:" + prefix + "@far");
        killReceiver();
    }

    @Test
    void shouldLetNoWriteLandThatANetworkKeptOverTheReceiversRestart() throws Exception
    {
        startOnRelay();
        killReceiver();
    }

    @Test
    void shouldLetNoWriteOfBeforeLandFromASenderThatWasKilledAndTellTheReceiver() throws Exception
    {
        startOn(FAULTS + "shm:" + prefix, FAULTS + "shm:" + prefix + "@far");
        killSender();
    }

    /** Without faults, the writes pass without datagrams. */
    @Test
    void shouldLetNoDirectWriteOfBeforeLandInAReceiverThatWasKilledAndTellTheSender() throws Exception
    {
        startOn("shm:" + prefix, "shm:" + prefix + "@far");
        killReceiver();
        await(() -> b.counter("peer 1 direct-received") >= SLOTS);
    }

    @Test
    void shouldLetNoDirectWriteOfBeforeLandFromASenderThatWasKilledAndTellTheReceiver() throws Exception
    {
        startOn("shm:" + prefix, "shm:" + prefix + "@far");
        killSender();
        await(() -> b.counter("peer 1 direct-received") >= SLOTS);
    }

    @Test
    void shouldLetNoWriteLandThatANetworkKeptOverTheSendersRestart() throws Exception
    {
        startOnRelay();
        killSender();
    }

    @Test
    void shouldAnswerEachWriteOnceThoughItsReceiverIsKilledAndTellNoneAsStoredThatIsNot() throws Exception
    {
        startOn(FAULTS + "shm:" + prefix, FAULTS + "shm:" + prefix + "@far");
        final int[] told = new int[ENOUGH + 1];
        final int[] count = new int[2];
        try (RegionMapping box = b.box())
        {
            final AnswerListener listener = new AnswerListener()
            {
                @Override
                public void onWritten(final long correlation, final int status)
                {
                    told[(int)correlation]++;
                    count[0]++;
                    final boolean isStored = box.getLongAcquire(Long.BYTES * correlation) == correlation;
                    count[1] += status == 0 && !isStored ? 1 : 0;
                }
            };
            try (EndpointClient client = EndpointClient.connect(a.name(), listener))
            {
                // The file of the region is the same before and after.
                writeAnswered(client, 1, ENOUGH / 3);
                b.kill();
                writeAnswered(client, ENOUGH / 3, ENOUGH / 3 + BURST);
                b.start();
                b.awaitReady();
                writeAnswered(client, ENOUGH / 3 + BURST, ENOUGH + 1);
                await(() -> client.poll() >= 0 && count[0] >= ENOUGH);
                for (int i = 1; i <= ENOUGH; i++)
                {
                    assertEquals(1, told[i], "write " + i);
                }
                assertEquals(0, count[1], "told as stored, and not there");
                assertEquals(ENOUGH, box.getLongAcquire(Long.BYTES * ENOUGH));
            }
        }
    }

    private void writeAnswered(final EndpointClient client, final int from, final int to)
    {
        for (int i = from; i < to; i++)
        {
            final int number = i;
            value.putLong(0, number);
            await(() -> client.poll() >= 0 && client.tryWrite(ClientMessage.target(B, EndpointProcess.BOX,
                Long.BYTES * number), value, 0, Long.BYTES, ClientMessage.ORDERED, number));
        }
    }

    private void startOn(final String aDevice, final String bDevice) throws Exception
    {
        a = keep(new EndpointProcess(directory, prefix + "a", aDevice, A, B));
        b = keep(new EndpointProcess(directory, prefix + "b", bDevice, B, A));
        a.start();
        b.start();
        a.awaitReady();
        b.awaitReady();
    }

    private void startOnRelay() throws Exception
    {
        relay = keep(new RecordingRelay("shm:" + prefix + "a@far", "shm:" + prefix + "b@far"));
        startOn("shm:" + prefix + "a", "shm:" + prefix + "b");
    }

    private void killReceiver() throws Exception
    {
        final Events events = new Events();
        try (EndpointClient client = EndpointClient.connect(a.name(), events); RegionMapping before = b.box())
        {
            await(() -> write(client, OLD) && before.getLongAcquire(8 * (ENOUGH - 1)) != 0);
            b.kill();
            // As many as the window and the ring take: they wait for a receiver that is dead.
            final long full = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(100);
            await(() -> write(client, OLD) && System.nanoTime() - full > 0);
            wipe(before, 0);
            stopKeeping();
            b.start();
            b.awaitReady();
            await(() -> client.poll() >= 0 && events.restarts > 0);
            assertEquals(B, events.peer);
            assertTrue(events.lost > 0, "writes were pending");
            try (RegionMapping after = b.box())
            {
                assertEquals(RegionState.RECOVERED, after.state());
                sequence = 0;
                await(() -> write(client, NEW) && after.getLongAcquire(0) != 0);
                replayAndFinish(client, after);
                assertEquals(1, events.restarts);
            }
        }
    }

    private void killSender() throws Exception
    {
        final Events events = new Events();
        try (EndpointClient receiver = EndpointClient.connect(b.name(), events); RegionMapping box = b.box())
        {
            final EndpointClient lost = EndpointClient.connect(a.name(), AnswerListener.NONE);
            await(() -> write(lost, OLD) && box.getLongAcquire(8 * (ENOUGH - 1)) != 0);
            a.kill();
            stopKeeping();
            a.start();
            a.awaitReady();
            await(() -> isLost(lost));
            try (EndpointClient client = EndpointClient.connect(a.name(), AnswerListener.NONE))
            {
                value.putLong(0, NEW);
                assertTrue(client.tryWrite(ClientMessage.target(B, EndpointProcess.BOX, 0), value, 0, Long.BYTES,
                    ClientMessage.ORDERED | ClientMessage.THEN_FLUSH));
                await(() -> box.getLongAcquire(0) == NEW);
                wipe(box, 1);
                await(() -> receiver.poll() >= 0 && events.restarts > 0);
                assertEquals(A, events.peer);
                sequence = 0;
                replayAndFinish(client, box);
                receiver.poll();
                assertEquals(1, events.restarts);
            }
        }
    }

    /** New writes go to every second long only, so that an old one that landed at any time is found in the others. */
    private void replayAndFinish(final EndpointClient client, final RegionMapping box) throws InterruptedException
    {
        if (relay != null)
        {
            final long strays = b.counter("peer 1 stray");
            relay.replayKept();
            await(() -> write(client, NEW) && b.counter("peer 1 stray") >= strays + REPLAYED);
        }
        final long end = sequence + SLOTS;
        await(() -> write(client, NEW) && sequence > end);
        final long last = sequence - 1;
        await(() -> client.poll() >= 0 && box.getLongAcquire(slot(last, NEW)) == NEW + last);
        TimeUnit.MILLISECONDS.sleep(20);
        for (long i = last - SLOTS / 2 + 1; i <= last; i++)
        {
            assertEquals(NEW + i, box.getLongAcquire(slot(i, NEW)));
            assertEquals(0, box.getLongAcquire(slot(i, NEW) + Long.BYTES), "an old write has landed");
        }
    }

    private static long slot(final long number, final long epoch)
    {
        return Long.BYTES * ((epoch == NEW ? 2 * number : number) % SLOTS);
    }

    /** As many writes as the ring takes now, and at most a burst; always true. */
    private boolean write(final EndpointClient client, final long epoch)
    {
        boolean taken = true;
        for (int i = 0; i < BURST && taken; i++)
        {
            value.putLong(0, epoch + sequence);
            taken = client.tryWrite(ClientMessage.target(B, EndpointProcess.BOX, (int)slot(sequence, epoch)), value, 0,
                Long.BYTES, ClientMessage.ORDERED | ClientMessage.THEN_FLUSH);
            sequence += taken ? 1 : 0;
        }
        client.poll();
        return true;
    }

    private static boolean isLost(final EndpointClient client)
    {
        try
        {
            client.poll();
            return false;
        }
        catch (final EndpointLostException ignore)
        {
            return true;
        }
    }

    private static void wipe(final RegionMapping box, final int from)
    {
        for (int i = from; i < SLOTS; i++)
        {
            box.putLongRelease(8L * i, 0);
        }
    }

    private void stopKeeping()
    {
        if (relay != null)
        {
            relay.stopKeeping();
        }
    }

    private <T extends AutoCloseable> T keep(final T resource)
    {
        open.push(resource);
        return resource;
    }

    static void await(final BooleanSupplier condition)
    {
        final long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (!condition.getAsBoolean())
        {
            assertTrue(System.nanoTime() - end < 0, "waited for 60 s in vain");
            LockSupport.parkNanos(500_000);
        }
    }

    /** What the application is told of a restart. */
    private static final class Events implements AnswerListener
    {
        private int restarts;
        private int peer;
        private long lost;

        @Override
        public void onPeer(final int type, final int peerId, final int status, final long value)
        {
            if (type == ClientMessage.PEER_DOWN || type == ClientMessage.PEER_RESTARTED)
            {
                // On a slow machine the peer is down for a while before it is known to have been started anew.
                lost += value;
            }
            if (type == ClientMessage.PEER_RESTARTED)
            {
                restarts++;
                peer = peerId;
            }
        }
    }
}
