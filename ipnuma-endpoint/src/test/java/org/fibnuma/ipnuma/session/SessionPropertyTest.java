package org.fibnuma.ipnuma.session;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;

import java.util.List;
import java.util.SplittableRandom;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Two sessions over a network that loses, repeats, reorders and spoils, in virtual time, against a slow model. */
class SessionPropertyTest
{
    private static final long SECOND = 1_000_000_000L;

    @Property(tries = 25)
    void shouldLandEverythingOnceAndInOrder(
        @ForAll final long seed,
        @ForAll @IntRange(max = 10) final int percent,
        @ForAll @IntRange(min = 1, max = 256) final int window,
        @ForAll final int firstSequence)
    {
        final SessionSettings ofA = new SessionSettings().epoch(1).sendWindow(window)
            .firstSequence(firstSequence);
        final SessionSettings ofB = new SessionSettings().epoch(-5).receiveWindow(window)
            .firstSequence(~firstSequence);
        try (TestNetwork network = new TestNetwork(seed, ofA, ofB).faults(percent / 100.0))
        {
            final Traffic toB = new Traffic(network.a, network.b, seed + 1);
            final Traffic toA = new Traffic(network.b, network.a, seed + 2);
            for (int i = 0; i < 1000; i++)
            {
                toB.write();
                toA.write();
                network.step();
                checkSometimes(i, toA, toB);
            }
            network.runUntil(toB::finish, SECOND);
            network.runUntil(toA::finish, SECOND);
            network.runUntil(network::isQuiet, 5 * SECOND);
            network.runUntil(() -> toA.isAnswered() && toB.isAnswered(), SECOND);
            toB.checkAllLanded();
            toA.checkAllLanded();
            assertEquals(0, network.a.lostWrites + network.b.lostWrites);
        }
    }

    @Property(tries = 30)
    void shouldSurviveSequencesThatWrap(@ForAll final long seed, @ForAll @IntRange(max = 300) final int before)
    {
        final SessionSettings ofA = new SessionSettings().epoch(1).firstSequence(-before);
        final SessionSettings ofB = new SessionSettings().epoch(1).firstSequence(Integer.MAX_VALUE - before);
        try (TestNetwork network = new TestNetwork(seed, ofA, ofB).faults(0.03))
        {
            final Traffic toB = new Traffic(network.a, network.b, seed + 1);
            final Traffic toA = new Traffic(network.b, network.a, seed + 2);
            while (network.a.session.counter(SessionCounter.DATA_SENT) < 2L * before + 10)
            {
                toB.write();
                toA.write();
                network.step();
            }
            network.runUntil(() -> toB.finish() && toA.finish(), SECOND);
            network.runUntil(() -> network.isQuiet() && toA.isAnswered() && toB.isAnswered(), 5 * SECOND);
            toB.checkAllLanded();
            toA.checkAllLanded();
        }
    }

    @Property(tries = 50)
    void shouldLandNothingOfAnEpochThatIsOver(
        @ForAll final long seed, @ForAll @LongRange(max = 5) final long percent)
    {
        final SplittableRandom random = new SplittableRandom(seed);
        try (TestNetwork network = new TestNetwork(seed).faults(percent / 100.0))
        {
            final Traffic toB = new Traffic(network.a, network.b, seed + 1);
            final Traffic toA = new Traffic(network.b, network.a, seed + 2);
            int epochOfA = 10;
            int epochOfB = 20;
            // Without a connection nothing is lost with it: what waits lands in the first one.
            network.a.session.connect();
            network.runUntil(network::areBothUp, 5 * SECOND);
            for (int round = 0; round < 6; round++)
            {
                run(network, toA, toB, 50 + random.nextInt(400));
                final boolean isA = random.nextBoolean();
                final TestPeer dead = isA ? network.a : network.b;
                final TestPeer other = isA ? network.b : network.a;
                final int eventsBefore = other.events.size();
                final long pending = other.session.pendingWrites();
                dead.start(new SessionSettings().epoch(isA ? --epochOfA : ++epochOfB)
                    .random(random.split()).firstSequence(random.nextInt()));
                // What the dead one had sent may still land until the other knows of the new epoch.
                dead.session.connect();
                network.runUntil(() -> network.areBothUp() && since(other, eventsBefore).contains("up"), 5 * SECOND);
                final String told = since(other, eventsBefore).stream()
                    .filter(event -> event.startsWith("restarted ")).findFirst().orElseThrow();
                assertTrue(Long.parseLong(told.substring(10)) <= pending, told + " of " + pending);
                toA.cut();
                toB.cut();
            }
            run(network, toA, toB, 200);
            network.runUntil(() -> toB.finish() && toA.finish(), SECOND);
            network.runUntil(network::isQuiet, 5 * SECOND);
            toB.checkOrderedLanded();
            toA.checkOrderedLanded();
        }
    }

    private static List<String> since(final TestPeer peer, final int eventsBefore)
    {
        return peer.events.subList(eventsBefore, peer.events.size());
    }

    private static void run(final TestNetwork network, final Traffic toA, final Traffic toB, final int steps)
    {
        for (int i = 0; i < steps; i++)
        {
            toB.write();
            toA.write();
            network.step();
            checkSometimes(i, toA, toB);
        }
    }

    private static void checkSometimes(final int step, final Traffic toA, final Traffic toB)
    {
        if (step % 5 == 0)
        {
            toB.check();
            toA.check();
        }
    }
}
