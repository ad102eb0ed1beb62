package org.fibnuma.bench.veth;

import org.fibnuma.core.UserException;
import org.fibnuma.core.service.netns.ChildProcess;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

/**
 * DPDK's testpmd in mac mode on net_af_xdp, which reads no IP header and has no table. Without an open standard input
 * or printed statistics testpmd would end at once; so it has both.
 */
final class TestpmdContestant implements Contestant
{
    private static final String PROGRAM = "dpdk-testpmd";
    private static final String PREFIX = "fibnuma-veth-" + ProcessHandle.current().pid();
    private static final Path DIRECTORY = Path.of("/var/run/dpdk", PREFIX);
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final int busyBudget;

    TestpmdContestant(final int busyBudget)
    {
        this.busyBudget = busyBudget;
    }

    @Override
    public String name()
    {
        return "testpmd, busy_budget=" + busyBudget;
    }

    @Override
    public String missing()
    {
        return ChildProcess.isInstalled(PROGRAM) ? null : PROGRAM + " is not installed: apt-get install dpdk-dev";
    }

    @Override
    public Running start(final VethRig rig)
    {
        rig.kernelForwarding(false);
        final int core = rig.forwarderCore();
        final ChildProcess testpmd = rig.router().start(
            PROGRAM, "--no-pci", "--no-huge", "--no-shconf", "-m", "256", "--no-telemetry",
            "--file-prefix", PREFIX,
            "--lcores", "0@" + core + ",1@" + core,
            "--vdev", device(0, VethRig.INGRESS), "--vdev", device(1, VethRig.EGRESS),
            "--", "--forward-mode=mac", "--burst=64", "--stats-period=1", "--nb-cores=1", "--total-num-mbufs=32768",
            "--eth-peer=1," + VethRig.NEXT_HOP_MAC);
        try
        {
            testpmd.awaitLine(line -> line.contains("Port statistics") || line.contains("NIC statistics"), PATIENCE);
        }
        catch (final UserException ex)
        {
            end(testpmd);
            throw ex;
        }
        return new ProgramRunning(name(), testpmd::isAlive, testpmd::errors, () -> stop(rig, testpmd));
    }

    /** Ends testpmd and removes its XDP programs, which testpmd attaches by netlink and does not detach. */
    private static void stop(final VethRig rig, final ChildProcess testpmd)
    {
        end(testpmd);
        for (final String device : new String[] {VethRig.INGRESS, VethRig.EGRESS})
        {
            rig.router().run("ip", "link", "set", "dev", device, "xdp", "off");
        }
    }

    /** Ends testpmd and removes its empty runtime directory, which DPDK does not remove. */
    private static void end(final ChildProcess testpmd)
    {
        testpmd.close();
        try
        {
            Files.deleteIfExists(DIRECTORY);
        }
        catch (final IOException ex)
        {
            throw new UserException("cannot remove " + DIRECTORY + ": " + ex.getMessage(), ex);
        }
    }

    private String device(final int index, final String name)
    {
        return "net_af_xdp" + index + ",iface=" + name + ",busy_budget=" + busyBudget;
    }
}
