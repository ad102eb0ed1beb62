package org.fibnuma.ipnuma.session;

import org.fibnuma.ipnuma.table.AccessStatus;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.List;
import java.util.SplittableRandom;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** What an application is told of writes that it has given a tag. */
class AwaitedWritesTest
{
    private static final long SECOND = 1_000_000_000L;
    private static final int WRITES = 3000;
    private static final long WRONG_KEY = TestPeer.KEY + 1;

    private final int[] told = new int[WRITES + 1];
    private long last;

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4})
    void shouldTellEachWriteOnceInOrderAndNotBeforeThePeerHasItsBytes(final long seed)
    {
        try (TestNetwork network = connected(seed))
        {
            network.faults(0.1);
            network.a.written = (tag, status) ->
            {
                told(tag);
                assertEquals(AccessStatus.OK, status);
                assertEquals(1000 + tag, network.b.getLong(8 * tag.intValue()));
            };
            final SplittableRandom random = new SplittableRandom(seed);
            for (int tag = 1; tag <= WRITES; tag++)
            {
                // Traffic of the other side carries acknowledgements too.
                network.b.writeLong(8, tag, true);
                network.b.session.flush();
                while (!network.a.writeLong(8L * tag, 1000 + tag, random.nextInt(4) > 0, TestPeer.KEY, tag))
                {
                    network.step();
                }
                flushSometimes(network, random);
            }
            finish(network);
            assertEquals(0, network.a.lostWrites);
        }
    }

    /** Errors are lost, late or not sent at all here: nothing that was refused may pass for stored. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4})
    void shouldNeverTellARefusedWriteAsStored(final long seed)
    {
        try (TestNetwork network = connected(seed))
        {
            network.faults(0.1);
            final boolean[] isRefused = new boolean[WRITES + 1];
            final int[] stored = new int[1];
            network.a.written = (tag, status) ->
            {
                told(tag);
                if (isRefused[tag.intValue()])
                {
                    assertNotEquals(AccessStatus.OK, status);
                }
                else
                {
                    assertTrue(status == AccessStatus.OK || status == AccessStatus.UNCERTAIN, "status " + status);
                    stored[0] += status == AccessStatus.OK ? 1 : 0;
                }
            };
            final SplittableRandom random = new SplittableRandom(seed);
            for (int tag = 1; tag <= WRITES; tag++)
            {
                isRefused[tag] = random.nextInt(100) == 0;
                // The same place again and again, or one of its own.
                final long offset = random.nextBoolean() ? 8 : 8L * tag;
                final long key = isRefused[tag] && tag % 2 == 0 ? WRONG_KEY : TestPeer.KEY;
                final long place = isRefused[tag] && tag % 2 == 1 ? 70_000 : offset;
                while (!network.a.writeLong(place, tag, random.nextInt(4) > 0, key, tag))
                {
                    network.step();
                }
                flushSometimes(network, random);
            }
            finish(network);
            assertTrue(stored[0] > WRITES / 8, stored[0] + " told as stored");
        }
    }

    @Test
    void shouldTellWhichWriteOfADatagramIsRefusedAndWhy()
    {
        try (TestNetwork network = connected(1))
        {
            final TestPeer a = network.a;
            a.writeLong(8, 1, true, TestPeer.KEY, 1);
            a.writeLong(70_000, 2, true, TestPeer.KEY, 2);
            a.writeLong(16, 3, true, TestPeer.KEY, 3);
            a.writeLong(24, 4, true, TestPeer.KEY, 0);
            a.session.flush();
            network.runUntil(() -> a.events.size() == 5, SECOND);
            assertEquals(List.of("up", "written 1 0", "written 2 " + AccessStatus.OUT_OF_RANGE, "written 3 0",
                "error " + AccessStatus.OUT_OF_RANGE + " 0x500011170"), a.events);
            network.run(SECOND / 1000);
            a.events.clear();
            // The key is that of the whole datagram.
            for (int tag = 4; tag <= 6; tag++)
            {
                a.writeLong(8 * tag, tag, true, WRONG_KEY, tag);
            }
            a.writeLong(64, 7, true, TestPeer.KEY, 7);
            a.session.flush();
            network.runUntil(() -> a.events.size() == 5, SECOND);
            final String wrongKey = " " + AccessStatus.WRONG_KEY;
            assertTrue(a.events.containsAll(List.of("written 4" + wrongKey, "written 5" + wrongKey,
                "written 6" + wrongKey, "written 7 0")), a.events.toString());
        }
    }

    @Test
    void shouldTellAllThatWaitOnceWhereThePeerIsStartedAnew()
    {
        try (TestNetwork network = connected(1))
        {
            final TestPeer a = network.a;
            a.written = (tag, status) -> told(tag);
            network.isPollingB = false;
            for (int tag = 1; tag <= 100; tag++)
            {
                assertTrue(a.writeLong(8L * tag, tag, true, TestPeer.KEY, tag));
                if (tag % 10 == 0)
                {
                    a.session.flush();
                }
            }
            network.run(SECOND / 1000);
            network.toB.drop();
            network.b.start(new SessionSettings().epoch(30).random(new SplittableRandom(99)));
            network.isPollingB = true;
            network.runUntil(() -> a.events.contains("restarted 100") && network.areBothUp(), 10 * SECOND);
            assertEquals(100, a.events.stream().filter(event -> event.startsWith("unanswered")).distinct().count());
            assertEquals(100, a.events.stream().filter(event -> event.startsWith("unanswered")).count());
            assertEquals(0, last);
            assertTrue(a.writeLong(8, 101, true, TestPeer.KEY, 1));
            a.session.flush();
            network.runUntil(() -> last == 1, SECOND);
            assertEquals(101, network.b.getLong(8));
        }
    }

    @Test
    void shouldTakeNoMoreWritesWithTagsThanItKeepsInMind()
    {
        try (TestNetwork network = new TestNetwork(1))
        {
            for (int tag = 1; tag <= AwaitedWrites.CAPACITY; tag++)
            {
                assertTrue(network.a.writeLong(8L * tag, tag, true, TestPeer.KEY, tag));
            }
            assertFalse(network.a.writeLong(8, 1, true, TestPeer.KEY, 1));
            assertTrue(network.a.writeLong(8, 1, true));
            network.a.session.flush();
            network.runUntil(network::isQuiet, SECOND);
            assertTrue(network.a.writeLong(8, 1, true, TestPeer.KEY, 1));
        }
    }

    private void told(final long tag)
    {
        assertEquals(last + 1, tag);
        last = tag;
        told[(int)tag]++;
    }

    private static TestNetwork connected(final long seed)
    {
        final TestNetwork network = new TestNetwork(seed);
        network.a.session.connect();
        network.runUntil(network::areBothUp, SECOND);
        return network;
    }

    private static void flushSometimes(final TestNetwork network, final SplittableRandom random)
    {
        if (random.nextInt(3) == 0)
        {
            network.a.session.flush();
        }
        if (random.nextInt(10) == 0)
        {
            network.step();
        }
    }

    private void finish(final TestNetwork network)
    {
        network.a.session.flush();
        network.runUntil(() -> last == WRITES, 100 * SECOND);
        for (int tag = 1; tag <= WRITES; tag++)
        {
            assertEquals(1, told[tag]);
        }
    }
}
