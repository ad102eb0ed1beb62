package org.fibnuma.bench.forward;

import org.fibnuma.bench.fib.DualStackTable;
import org.fibnuma.bench.lab.Families;
import org.fibnuma.bench.lab.MeasurementCommand;
import org.fibnuma.bench.memif.MemifResult;
import org.fibnuma.core.UserException;
import org.fibnuma.core.agent.CleanEnd;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;

/** {@code fibnuma bench forward}: compares the router with DPDK's programs on DPDK's virtual devices. */
@Command(
    name = "forward",
    description = "Forwards from an endlessly replayed capture to a driver that drops, both DPDK's, on one core, in " +
        "turn with testpmd (and with l3fwd, DPDK's sample router, where asked for); then measures the cycles of " +
        "each stage. Then compares them on two cores that are connected by memif. Needs root and DPDK.",
    mixinStandardHelpOptions = true,
    footerHeading = "%nExamples:%n",
    footer = {
        "  fibnuma bench forward --family 4 --l3fwd --json",
        "  fibnuma bench forward --slices 24 --no-memif --json"
    })
public final class ForwardCommand extends MeasurementCommand
{
    private static final int FCS = 4;
    private static final int SHORTEST_FRAME = 64;
    private static final int SHORTEST_IPV6_FRAME = PcapTraffic.SHORTEST_IPV6 + FCS;
    private static final int LONGEST_FRAME = 1518;
    /** Smallest number of frames and destinations; with fewer, the lookups hit the cache too often. */
    private static final int FEWEST_FRAMES = 4096;
    private static final int MOST_FRAMES = 65536;

    @Option(names = "--table", defaultValue = "generated:950000", paramLabel = "FILE|generated:N",
        description = "IPv4 routes, with a next hop each in 198.18.0.0/16 (${DEFAULT-VALUE})")
    private String table;

    @Option(names = "--table6", defaultValue = "generated:200000", paramLabel = "FILE|generated:N",
        description = "IPv6 routes, with a next hop each in 2001:2::/48; not loaded with --family 4 " +
            "(${DEFAULT-VALUE})")
    private String ipv6Table;

    @Option(names = "--family", defaultValue = Families.ALL, paramLabel = "4|6|mixed|all",
        description = "frames of the capture: IPv4, IPv6, both in turn frame by frame, or each of these captures in " +
            "every round (${DEFAULT-VALUE}); the links between two cores have IPv4 only")
    private String family;

    @Option(names = "--frames", defaultValue = "16384", description = "in the capture, each to an address of the " +
        "table (${DEFAULT-VALUE})")
    private int frames;

    @Option(names = "--frame-size", paramLabel = "BYTES", description = "of every frame, with FCS, up to 1518; at " +
        "least 66 for UDP over IPv6, 64 with --family 4; default: the least")
    private Integer frameSize;

    @Option(names = "--seconds", defaultValue = "3", description = "length of one measurement (${DEFAULT-VALUE})")
    private int seconds;

    @Option(names = "--rounds", defaultValue = "3", description = "measurements of each; the median counts " +
        "(${DEFAULT-VALUE})")
    private int rounds;

    @Option(names = "--slices", defaultValue = "0", paramLabel = "N", description = "instead of rounds: all programs " +
        "run at once, each N times for 0.35 s while the others are stopped; with --l3fwd it needs 1 GB of huge pages")
    private int slices;

    @Option(names = "--starts", defaultValue = "1", paramLabel = "N", description = "with --slices: all programs are " +
        "started N times; the median of the slices of a start counts as one round. The rate of a process depends on " +
        "its start by some percent (${DEFAULT-VALUE})")
    private int starts;

    @Option(names = "--core", defaultValue = "1", description = "core that forwards (${DEFAULT-VALUE})")
    private int core;

    @Option(names = "--generator-core", defaultValue = "0", description = "core that generates for the memif links " +
        "(${DEFAULT-VALUE})")
    private int generatorCore;

    @Option(names = "--no-capture", description = "leave out the capture that is replayed")
    private boolean withoutCapture;

    @Option(names = "--no-memif", description = "leave out the links between two cores")
    private boolean withoutMemif;

    @Option(names = "--no-stages", description = "leave out the cycles of each stage")
    private boolean withoutStages;

    @Option(names = "--l3fwd", description = "build DPDK's sample router from the source in Debian's dpdk-doc and " +
        "measure it in turn too; it takes up to a minute to load a full table, for each capture in every round")
    private boolean withL3fwd;

    @Option(names = "--against", paramLabel = "DIR", description = "measure the router of another clone too, for " +
        "example of the commit before")
    private Path against;

    private Set<Families> kinds;

    /** Creates the command for picocli. */
    public ForwardCommand()
    {
    }

    @Override
    public Integer call() throws Exception
    {
        requireOptions();
        return CleanEnd.during(this::run);
    }

    private void requireOptions()
    {
        kinds = Families.of(family);
        require(!kinds.isEmpty(), "--family: " + family + " is none of 4, 6, mixed and all");
        final int shortest = isIpv4Only() ? SHORTEST_FRAME : SHORTEST_IPV6_FRAME;
        frameSize = frameSize == null ? Integer.valueOf(shortest) : frameSize;
        require(seconds >= 1 && rounds >= 1 && frameSize >= shortest && frameSize <= LONGEST_FRAME &&
            frames >= FEWEST_FRAMES && frames <= MOST_FRAMES,
            "--seconds and --rounds must be 1 or more, --frame-size " + shortest + " to " + LONGEST_FRAME +
            (isIpv4Only() ? "" : " (from " + SHORTEST_FRAME + " with --family 4)") +
            ", --frames " + FEWEST_FRAMES + " to " + MOST_FRAMES);
        require(slices >= 0, "--slices: " + slices + " is not 0 or more");
        require(starts >= 1, "--starts: " + starts + " is not 1 or more");
        require(starts == 1 || slices > 0, "--starts needs --slices");
        require(against == null || Files.isExecutable(against.resolve("fibnuma")),
            "--against: " + against + " has no program \"fibnuma\": name the top directory of a clone");
        require(against == null || !withoutCapture,
            "--against forwards what is captured: leave out --no-capture or --against");
        require(!withL3fwd || !withoutCapture,
            "--l3fwd forwards what is captured: leave out --no-capture or --l3fwd");
    }

    private boolean isIpv4Only()
    {
        return kinds.equals(Set.of(Families.IPV4));
    }

    private int run() throws IOException
    {
        if (withL3fwd && L3fwdProgram.missing() != null)
        {
            throw new UserException("--l3fwd: " + L3fwdProgram.missing());
        }
        output().say("loads " + table + (isIpv4Only() ? "" : " and " + ipv6Table) + " and writes the captures");
        final DualStackTable tables = DualStackTable.open(table, isIpv4Only() ? null : ipv6Table);
        final ForwardResult result = new ForwardResult(frameSize);
        try (ForwardRig rig = new ForwardRig(tables, kinds, frames, frameSize - FCS, core))
        {
            measure(rig, result);
        }
        result.setting("table", table);
        result.setting("routes", tables.ipv4().size());
        if (tables.hasIpv6())
        {
            result.setting("table6", ipv6Table);
            result.setting("routes6", tables.ipv6().size());
        }
        result.setting("frames", frames);
        output().print(result.toMap(), result::print);
        return DONE;
    }

    private void measure(final ForwardRig rig, final ForwardResult result) throws IOException
    {
        final Duration duration = Duration.ofSeconds(seconds);
        if (!withoutCapture)
        {
            compare(rig, result);
        }
        if (!withoutCapture && !withoutStages)
        {
            for (final Families kind : kinds)
            {
                output().say(kind.label() + ": the cycles of each stage, for " + seconds + " s");
                result.cycles(kind, StageCosts.measure(rig, kind, duration));
            }
        }
        if (!withoutMemif && kinds.contains(Families.IPV4))
        {
            result.memif(MemifResult.measure(
                rig.memif(generatorCore), rounds, duration, output()::say));
        }
    }

    private void compare(final ForwardRig rig, final ForwardResult result) throws IOException
    {
        final ForwardComparison comparison = new ForwardComparison(rig, kinds, result, output()::say);
        comparison.add(new FibnumaContestant());
        if (against != null)
        {
            comparison.add(new FibnumaContestant(against));
        }
        comparison.add(new TestpmdContestant("mac"));
        comparison.add(new TestpmdContestant("io"));
        if (withL3fwd)
        {
            comparison.add(new L3fwdContestant(L3fwdProgram.build(rig.table(), rig.frames(), rig.directory())));
        }
        if (slices > 0)
        {
            comparison.measureInSlices(starts, slices);
        }
        else
        {
            comparison.measureInTurn(rounds, Duration.ofSeconds(seconds));
        }
    }
}
