package org.fibnuma.bench.memif;

import org.fibnuma.bench.lab.Contestant;
import org.fibnuma.bench.lab.Testpmd;
import org.fibnuma.bench.lab.Waiting;
import org.fibnuma.core.AllOrNothing;
import org.fibnuma.core.UserException;

import java.time.Duration;
import java.util.List;

/**
 * DPDK's testpmd as a generator: it sends UDP frames of 64 bytes as fast as it can on both links and receives what is
 * forwarded. Its drivers count the frames.
 *
 * @param testpmd running program with telemetry.
 */
record Flowgen(Contestant.Running testpmd) implements AutoCloseable
{
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final int LINKS = 2;

    /** Starts the generator and waits until frames return. */
    static Flowgen start(final MemifRig rig)
    {
        final Flowgen flowgen = new Flowgen(Testpmd.startWithTelemetry(
            "flowgen", rig.host(), Testpmd.prefix("flowgen"), rig.generatorCore(),
            List.of(rig.device(0, false), rig.device(1, false)),
            "--forward-mode=flowgen", "--disable-link-check", "--total-num-mbufs=16384"));
        return AllOrNothing.open(flowgen, Flowgen::awaitTraffic);
    }

    private void awaitTraffic()
    {
        if (!Waiting.until(() -> counts().received() > 0, PATIENCE))
        {
            throw new UserException("the generator receives no frames");
        }
    }

    Counts counts()
    {
        long sent = 0;
        long received = 0;
        for (int link = 0; link < LINKS; link++)
        {
            sent += testpmd.telemetry().read(link, "opackets").count();
            received += testpmd.telemetry().read(link, "ipackets").count();
        }
        return new Counts(sent, received);
    }

    @Override
    public void close()
    {
        testpmd.close();
    }

    /**
     * Counters of both links together.
     *
     * @param sent     frames that the links accepted.
     * @param received frames that returned.
     */
    record Counts(long sent, long received)
    {
    }
}
