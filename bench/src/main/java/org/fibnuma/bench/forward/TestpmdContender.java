package org.fibnuma.bench.forward;

import org.fibnuma.bench.lab.DpdkTelemetry;
import org.fibnuma.core.service.netns.ChildProcess;
import org.fibnuma.core.wire.MacAddress;

import java.time.Duration;

/** DPDK's testpmd: in mac mode it writes both addresses of a frame, in io mode it does not read the frame. */
final class TestpmdContender implements Contender
{
    private static final String PROGRAM = "dpdk-testpmd";
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final int SPARE_FRAMES = 16384;

    private final String mode;

    TestpmdContender(final String mode)
    {
        this.mode = mode;
    }

    /** Returns one line with why testpmd cannot run on this machine, or null if it can. */
    static String missing()
    {
        return ChildProcess.isInstalled(PROGRAM) ? null : PROGRAM + " is not installed: apt-get install dpdk-dev";
    }

    @Override
    public String name()
    {
        return "testpmd " + mode;
    }

    @Override
    public Running start(final ForwardRig rig, final CaptureKind kind)
    {
        final String prefix = "fibnuma-bench-" + mode + "-" + ProcessHandle.current().pid();
        final int core = rig.core();
        // testpmd would end at once if its standard input were closed or it printed no statistics.
        final ChildProcess testpmd = rig.host().start(
            PROGRAM, "--no-pci", "--in-memory", "--file-prefix", prefix, "--lcores", "0@" + core + ",1@" + core,
            "--vdev", rig.source(kind), "--vdev", rig.sink(),
            "--", "--forward-mode=" + mode, "--burst=64", "--stats-period=1", "--nb-cores=1",
            "--total-num-mbufs=" + (rig.frames() + SPARE_FRAMES),
            "--eth-peer=1," + MacAddress.format(ForwardRig.NEXT_HOP_MAC));
        try
        {
            testpmd.awaitLine(line -> line.contains("NIC statistics"), PATIENCE);
            return new Running(
                name(), testpmd.pid(), testpmd::isAlive, testpmd::errors, DpdkTelemetry.connect(prefix),
                testpmd::close);
        }
        catch (final RuntimeException ex)
        {
            testpmd.close();
            DpdkTelemetry.remove(prefix);
            throw ex;
        }
    }
}
