package org.fibnuma.bench.forward;

import org.fibnuma.bench.lab.Contestant;
import org.fibnuma.bench.lab.DpdkTelemetry;
import org.fibnuma.bench.lab.Testpmd;
import org.fibnuma.core.UserException;
import org.fibnuma.core.service.netns.ChildProcess;

import java.time.Duration;

/**
 * DPDK's sample router l3fwd with the whole tables in rte_lpm, whose lookup resolves four addresses at a time, and in
 * rte_lpm6, which l3fwd calls for each frame.
 */
final class L3fwdContestant implements Contestant<ForwardRig.Replay>
{
    static final String NAME = "l3fwd";

    /** Longest start: rte_lpm scans all routes of a length for each new route, half a minute for 950,000 routes. */
    private static final Duration PATIENCE = Duration.ofMinutes(10);
    /** Shell command that filters the line that l3fwd prints for each added route. */
    private static final String QUIETLY = "exec \"$@\" > >(exec grep -v --line-buffered 'Adding route')";

    private final L3fwdProgram program;

    L3fwdContestant(final L3fwdProgram program)
    {
        this.program = program;
    }

    @Override
    public String name()
    {
        return NAME;
    }

    @Override
    public Running start(final ForwardRig.Replay replay)
    {
        final String prefix = Testpmd.prefix("bench-l3fwd");
        final ChildProcess l3fwd = replay.rig().host().start(
            "bash", "-c", QUIETLY, NAME, program.executable().toString(),
            "--no-pci", "--in-memory", "--log-level=lib.eal:warning", "--file-prefix", prefix,
            "--lcores", "0@" + replay.rig().core(), "--vdev", replay.source(), "--vdev", ForwardRig.SINK,
            "--", "-p", "0x3", "-P", "--parse-ptype", "--lookup=lpm", "--config", "(0,0,0),(1,0,0)",
            "--rule_ipv4=" + program.ipv4Rules(), "--rule_ipv6=" + program.ipv6Rules());
        try
        {
            // This is the last complete line before l3fwd forwards: later output stays in its buffer.
            l3fwd.awaitLine("Port 1: softly parse packet type info"::equals, PATIENCE);
            return Running.of(NAME, l3fwd, DpdkTelemetry.connect(prefix));
        }
        catch (final RuntimeException ex)
        {
            l3fwd.close();
            DpdkTelemetry.remove(prefix);
            throw new UserException("l3fwd did not start: " + cause(l3fwd, ex) +
                " (its tables take 140 MB of huge pages, 210 MB with 200,000 IPv6 routes; " +
                "its frames 2.4 MB a thousand)", ex);
        }
    }

    /** Returns the cause that DPDK prints when it exits, or else the failure's message. */
    private static String cause(final ChildProcess l3fwd, final RuntimeException failure)
    {
        final String marker = "Cause: ";
        return l3fwd.errors().stream().filter(line -> line.contains(marker)).findFirst()
            .map(line -> line.substring(line.indexOf(marker) + marker.length())).orElse(failure.getMessage());
    }
}
