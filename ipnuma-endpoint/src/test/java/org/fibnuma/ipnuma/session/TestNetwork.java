package org.fibnuma.ipnuma.session;

import java.util.SplittableRandom;
import java.util.function.BooleanSupplier;

/** Two peers, a link each way and one virtual clock. */
final class TestNetwork implements AutoCloseable
{
    static final long STEP_NS = 1_000;
    static final int REGION_SIZE = 65_536;

    final TestPeer a = new TestPeer(REGION_SIZE);
    final TestPeer b = new TestPeer(REGION_SIZE);
    final LossyLink toB;
    final LossyLink toA;
    boolean isPollingA = true;
    boolean isPollingB = true;
    private long nowNs = 77_000_000_000L;

    TestNetwork(final long seed)
    {
        this(seed, new SessionSettings().epoch(10),
            new SessionSettings().epoch(20));
    }

    TestNetwork(final long seed, final SessionSettings settingsOfA, final SessionSettings settingsOfB)
    {
        settingsOfA.random(new SplittableRandom(seed + 1));
        settingsOfB.random(new SplittableRandom(seed + 2));
        toB = new LossyLink(seed, 3_000);
        toA = new LossyLink(~seed, 3_000);
        a.start(settingsOfA);
        b.start(settingsOfB);
    }

    TestNetwork faults(final double probability)
    {
        toA.faults(probability);
        toB.faults(probability);
        return this;
    }

    long nowNs()
    {
        return nowNs;
    }

    /** One step of time: arrivals first, then both send. */
    void step()
    {
        nowNs += STEP_NS;
        toA.time(nowNs);
        toB.time(nowNs);
        a.time(nowNs);
        b.time(nowNs);
        if (isPollingA)
        {
            toA.deliver(a);
            a.session.poll(toB, nowNs);
        }
        if (isPollingB)
        {
            toB.deliver(b);
            b.session.poll(toA, nowNs);
        }
    }

    void run(final long durationNs)
    {
        for (final long end = nowNs + durationNs; nowNs < end;)
        {
            step();
        }
    }

    /** Steps until something holds. */
    void runUntil(final BooleanSupplier condition, final long limitNs)
    {
        final long end = nowNs + limitNs;
        while (!condition.getAsBoolean())
        {
            if (nowNs >= end)
            {
                throw new AssertionError("not within " + limitNs / 1_000_000 + " ms; a: " + a.session.state() + " " +
                    a.session.pendingWrites() + " " + a.events + ", b: " + b.session.state() + " " +
                    b.session.pendingWrites() + " " + b.events);
            }
            step();
        }
    }

    boolean areBothUp()
    {
        return a.session.state() == SessionState.UP && b.session.state() == SessionState.UP;
    }

    boolean isQuiet()
    {
        return a.session.pendingWrites() == 0 && b.session.pendingWrites() == 0;
    }

    @Override
    public void close()
    {
        toA.close();
        toB.close();
        a.close();
        b.close();
    }
}
