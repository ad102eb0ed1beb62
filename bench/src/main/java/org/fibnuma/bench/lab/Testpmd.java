package org.fibnuma.bench.lab;

import org.fibnuma.core.service.netns.ChildProcess;
import org.fibnuma.core.service.netns.Host;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** DPDK's testpmd between two devices, with one thread for all of its work. */
public final class Testpmd
{
    private static final String PROGRAM = "dpdk-testpmd";
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private Testpmd()
    {
    }

    /** Returns one line with why testpmd cannot run on this machine, or null if it can. */
    public static String missing()
    {
        return ChildProcess.isInstalled(PROGRAM) ? null : PROGRAM + " is not installed: apt-get install dpdk-dev";
    }

    /**
     * Returns the EAL option {@code --file-prefix} of a testpmd that this process starts.
     *
     * @param use what it is started for.
     */
    public static String prefix(final String use)
    {
        return "fibnuma-" + use + "-" + ProcessHandle.current().pid();
    }

    /**
     * Starts testpmd and waits until it forwards.
     *
     * @param host    host that it runs in.
     * @param prefix  its EAL option {@code --file-prefix}.
     * @param core    core of its threads.
     * @param devices DPDK's descriptions of the two devices.
     * @param eal     further options of EAL.
     * @param options further options of testpmd.
     * @return the running program.
     * @throws org.fibnuma.core.UserException if it does not start; its runtime directory is removed.
     */
    public static ChildProcess start(
        final Host host,
        final String prefix,
        final int core,
        final List<String> devices,
        final List<String> eal,
        final List<String> options)
    {
        final List<String> command = new ArrayList<>(List.of(
            PROGRAM, "--no-pci", "--file-prefix", prefix, "--lcores", "0@" + core + ",1@" + core));
        devices.forEach(device -> command.addAll(List.of("--vdev", device)));
        command.addAll(eal);
        // testpmd would end at once if its standard input were closed or it printed no statistics.
        command.addAll(List.of("--", "--stats-period=1", "--nb-cores=1"));
        command.addAll(options);
        final ChildProcess testpmd = host.start(command.toArray(new String[0]));
        try
        {
            testpmd.awaitLine(line -> line.contains("NIC statistics") || line.contains("Port statistics"), PATIENCE);
            return testpmd;
        }
        catch (final RuntimeException ex)
        {
            testpmd.close();
            DpdkTelemetry.remove(prefix);
            throw ex;
        }
    }

    /**
     * Starts testpmd as {@link #start} does, without files in huge pages, and connects to its telemetry.
     *
     * @param name    contestant's name for error messages.
     * @param host    host that it runs in.
     * @param prefix  its EAL option {@code --file-prefix}.
     * @param core    core of its threads.
     * @param devices DPDK's descriptions of the two devices.
     * @param options further options of testpmd.
     * @return the running program with its telemetry.
     */
    public static Contestant.Running startWithTelemetry(
        final String name,
        final Host host,
        final String prefix,
        final int core,
        final List<String> devices,
        final String... options)
    {
        final ChildProcess testpmd = start(host, prefix, core, devices, List.of("--in-memory"), List.of(options));
        try
        {
            return Contestant.Running.of(name, testpmd, DpdkTelemetry.connect(prefix));
        }
        catch (final RuntimeException ex)
        {
            testpmd.close();
            DpdkTelemetry.remove(prefix);
            throw ex;
        }
    }
}
