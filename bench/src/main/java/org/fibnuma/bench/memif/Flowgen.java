package org.fibnuma.bench.memif;

import org.fibnuma.bench.lab.DpdkTelemetry;
import org.fibnuma.core.UserException;
import org.fibnuma.core.service.netns.ChildProcess;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * DPDK's testpmd as a generator: it sends UDP frames of 64 bytes as fast as it can on both links and receives what is
 * forwarded. Its telemetry socket reports the counters of its drivers.
 */
final class Flowgen implements AutoCloseable
{
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final int FRAMES = 16384;
    private static final int LINKS = 2;
    private static final long POLL_NS = TimeUnit.MILLISECONDS.toNanos(10);

    private final ChildProcess process;
    private final DpdkTelemetry telemetry;

    private Flowgen(final ChildProcess process, final DpdkTelemetry telemetry)
    {
        this.process = process;
        this.telemetry = telemetry;
    }

    static Flowgen start(final MemifRig rig)
    {
        final int core = rig.generatorCore();
        final String prefix = "fibnuma-flowgen-" + ProcessHandle.current().pid();
        // Open standard input and statistics are both required: without either testpmd ends at once.
        final ChildProcess process = rig.host().start(
            "dpdk-testpmd", "--no-pci", "--in-memory", "--file-prefix", prefix,
            "--lcores", "0@" + core + ",1@" + core,
            "--vdev", rig.device(0, false), "--vdev", rig.device(1, false),
            "--", "--forward-mode=flowgen", "--stats-period=1", "--nb-cores=1", "--disable-link-check",
            "--total-num-mbufs=" + FRAMES);
        try
        {
            process.awaitLine(line -> line.contains("NIC statistics"), PATIENCE);
            final Flowgen flowgen = new Flowgen(process, DpdkTelemetry.connect(prefix));
            flowgen.awaitTraffic();
            return flowgen;
        }
        catch (final RuntimeException ex)
        {
            process.close();
            throw ex;
        }
    }

    private void awaitTraffic()
    {
        final long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (counts().received() == 0)
        {
            if (System.nanoTime() > deadline)
            {
                throw new UserException("the generator receives no frames");
            }
            LockSupport.parkNanos(POLL_NS);
        }
    }

    Counts counts()
    {
        long sent = 0;
        long received = 0;
        for (int link = 0; link < LINKS; link++)
        {
            sent += telemetry.read(link, "opackets").count();
            received += telemetry.read(link, "ipackets").count();
        }
        return new Counts(sent, received);
    }

    @Override
    public void close()
    {
        process.close();
        telemetry.close();
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
