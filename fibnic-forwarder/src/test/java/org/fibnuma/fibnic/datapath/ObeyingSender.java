package org.fibnuma.fibnic.datapath;

import org.fibnuma.pfc.quanta.PauseQuanta;

import java.util.ArrayDeque;
import java.util.Queue;
import java.util.SplittableRandom;

/**
 * A host that sends one lossless priority at the rate of its link, in frames of random lengths, until a pause takes
 * effect: after the frame behind which it waited, the cable, and the time that the host takes. Virtual time.
 */
final class ObeyingSender
{
    private static final int WIRE_OVERHEAD = 24;
    private static final int SHORTEST = 200;
    private static final int LONGEST = 1514;
    private static final int PFC_OPCODE = 0x0101;

    private final RouterFixture router;
    private final int port;
    private final int priority;
    private final long bitsPerSecond;
    private final double cableNs;
    private final double reactionNs;
    private final SplittableRandom random;
    private final Queue<double[]> pauses = new ArrayDeque<>();
    private double nextNs;
    private double stoppedUntilNs;
    private byte[] next;

    ObeyingSender(
        final RouterFixture router,
        final int port,
        final int priority,
        final long bitsPerSecond,
        final double cableNs,
        final double reactionNs)
    {
        this.router = router;
        this.port = port;
        this.priority = priority;
        this.bitsPerSecond = bitsPerSecond;
        this.cableNs = cableNs;
        this.reactionNs = reactionNs;
        this.random = new SplittableRandom(1 + port);
        this.next = frame();
    }

    /** Takes what the router sends: pauses come into effect later. */
    void receive(final double nowNs)
    {
        for (final byte[] frame : router.sent(port))
        {
            if (TestFrame.u16(frame, 12) == 0x8808 && TestFrame.u16(frame, 14) == PFC_OPCODE)
            {
                final int quanta = TestFrame.u16(frame, 18 + 2 * priority);
                pauses.add(new double[]{nowNs + wireNs(LONGEST) + cableNs + reactionNs, quanta});
            }
        }
    }

    /** Hands the router all that has arrived until now. */
    void deliver(final double nowNs)
    {
        while (obey() + wireNs(next.length) + cableNs <= nowNs)
        {
            router.receive(port, next);
            nextNs += wireNs(next.length);
            next = frame();
        }
    }

    /** When the next frame begins, by the pauses that are in effect by then. */
    private double obey()
    {
        while (true)
        {
            while (!pauses.isEmpty() && pauses.peek()[0] <= nextNs)
            {
                final double[] pause = pauses.remove();
                stoppedUntilNs = pause[0] + PauseQuanta.toNanos((int)pause[1], bitsPerSecond);
            }
            if (nextNs >= stoppedUntilNs)
            {
                return nextNs;
            }
            nextNs = pauses.isEmpty() ? stoppedUntilNs : Math.min(stoppedUntilNs, pauses.peek()[0]);
        }
    }

    private double wireNs(final int length)
    {
        return (length + WIRE_OVERHEAD) * 8e9 / bitsPerSecond;
    }

    private byte[] frame()
    {
        return TestFrame.ipv4().source("10.0." + port + ".2").destination("10.0.1.2").trafficClass(priority << 5 | 2)
            .payload(random.nextInt(SHORTEST, LONGEST + 1) - 34).to("02:00:00:00:01:0" + port).bytes();
    }
}
