package org.fibnuma.bench.forward;

import org.fibnuma.bench.fib.DualStackTable;
import org.fibnuma.bench.lab.MeasurementOutput;
import org.fibnuma.bench.lab.Rounds;
import org.fibnuma.bench.memif.MemifResult;
import org.fibnuma.core.agent.CleanEnd;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;

import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.NANOSECONDS;
import static java.util.concurrent.TimeUnit.SECONDS;

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
public final class ForwardCommand implements Callable<Integer>
{
    private static final int FCS = 4;
    private static final int SHORTEST_FRAME = 64;
    private static final int SHORTEST_IPV6_FRAME = PcapTraffic.SHORTEST_IPV6 + FCS;
    private static final int LONGEST_FRAME = 1518;
    /** Smallest number of frames and destinations; with fewer, the lookups hit the cache too often. */
    private static final int FEWEST_FRAMES = 4096;
    private static final int MOST_FRAMES = 65536;
    /** Time until the JIT has compiled the data path. */
    private static final Duration WARM_UP = Duration.ofMillis(3000);
    private static final Duration PEER_WARM_UP = Duration.ofMillis(500);

    @Spec
    private CommandSpec spec;

    @Option(names = "--table", defaultValue = "generated:950000", paramLabel = "FILE|generated:N",
        description = "IPv4 routes, with a next hop each in 198.18.0.0/16 (${DEFAULT-VALUE})")
    private String table;

    @Option(names = "--table6", defaultValue = "generated:200000", paramLabel = "FILE|generated:N",
        description = "IPv6 routes, with a next hop each in 2001:2::/48; not loaded with --family 4 " +
            "(${DEFAULT-VALUE})")
    private String ipv6Table;

    @Option(names = "--family", defaultValue = CaptureKind.ALL, paramLabel = "4|6|mixed|all",
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

    @Mixin
    private MeasurementOutput output;

    private Set<CaptureKind> kinds;
    private ForwardResult result;

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

    private int run() throws IOException
    {
        measure();
        output.print(result.toMap(), result::print);
        return 0;
    }

    private void measure() throws IOException
    {
        if (withL3fwd)
        {
            L3fwdProgram.requireParts();
        }
        output.say("loads " + table + (isIpv4Only() ? "" : " and " + ipv6Table) + " and writes the captures");
        final DualStackTable tables = DualStackTable.open(table, isIpv4Only() ? null : ipv6Table);
        result = new ForwardResult(frameSize);
        try (ForwardRig rig = ForwardRig.open(tables, kinds, frames, frameSize - FCS, core))
        {
            if (!withoutCapture)
            {
                measureContenders(rig);
            }
            if (!withoutCapture && !withoutStages)
            {
                for (final CaptureKind kind : kinds)
                {
                    output.say(kind.label() + ": the cycles of each stage, for " + seconds + " s");
                    result.cycles(kind, StageCosts.measure(rig, kind, Duration.ofSeconds(seconds)));
                }
            }
            if (!withoutMemif && kinds.contains(CaptureKind.IPV4))
            {
                result.memif(MemifResult.measure(rig.memif(generatorCore), TestpmdContender.missing() == null,
                    rig.destinations(), rounds, Duration.ofSeconds(seconds), output::say));
            }
        }
        result.setting("table", table);
        result.setting("routes", tables.ipv4().size());
        if (tables.hasIpv6())
        {
            result.setting("table6", ipv6Table);
            result.setting("routes6", tables.ipv6().size());
        }
        result.setting("frames", frames);
    }

    private boolean isIpv4Only()
    {
        return kinds.equals(Set.of(CaptureKind.IPV4));
    }

    private void requireOptions()
    {
        kinds = CaptureKind.of(family);
        if (kinds.isEmpty())
        {
            throw new ParameterException(spec.commandLine(),
                "--family: " + family + " is none of 4, 6, mixed and all");
        }
        final int shortest = isIpv4Only() ? SHORTEST_FRAME : SHORTEST_IPV6_FRAME;
        frameSize = frameSize == null ? Integer.valueOf(shortest) : frameSize;
        if (seconds < 1 || rounds < 1 || frameSize < shortest || frameSize > LONGEST_FRAME ||
            frames < FEWEST_FRAMES || frames > MOST_FRAMES)
        {
            throw new ParameterException(spec.commandLine(),
                "--seconds and --rounds must be 1 or more, --frame-size " + shortest + " to " + LONGEST_FRAME +
                (isIpv4Only() ? "" : " (from " + SHORTEST_FRAME + " with --family 4)") +
                ", --frames " + FEWEST_FRAMES + " to " + MOST_FRAMES);
        }
        if (slices < 0)
        {
            throw new ParameterException(spec.commandLine(), "--slices: " + slices + " is not 0 or more");
        }
        if (starts < 1 || starts > 1 && slices == 0)
        {
            throw new ParameterException(spec.commandLine(),
                starts < 1 ? "--starts: " + starts + " is not 1 or more" : "--starts needs --slices");
        }
        if (against != null && !Files.isExecutable(against.resolve("fibnuma")))
        {
            throw new ParameterException(spec.commandLine(),
                "--against: " + against + " has no program \"fibnuma\": name the top directory of a clone");
        }
        if (against != null && withoutCapture)
        {
            throw new ParameterException(spec.commandLine(),
                "--against forwards what is captured: leave out --no-capture or --against");
        }
        if (withL3fwd && withoutCapture)
        {
            throw new ParameterException(spec.commandLine(),
                "--l3fwd forwards what is captured: leave out --no-capture or --l3fwd");
        }
    }

    private void measureContenders(final ForwardRig rig)
    {
        try (L3fwdProgram l3fwd = withL3fwd ? L3fwdProgram.build(rig) : null)
        {
            final List<Contender> contenders = contenders();
            if (l3fwd != null)
            {
                contenders.add(new L3fwdContender(l3fwd));
            }
            if (slices > 0)
            {
                measureInSlices(rig, contenders);
            }
            else
            {
                measureInTurn(rig, contenders);
            }
        }
    }

    private List<Contender> contenders()
    {
        final List<Contender> contenders = new ArrayList<>(List.of(new FibnumaContender()));
        if (against != null)
        {
            contenders.add(new FibnumaContender(against));
        }
        if (TestpmdContender.missing() == null)
        {
            contenders.add(new TestpmdContender("mac"));
            contenders.add(new TestpmdContender("io"));
        }
        else
        {
            output.say("left out: " + TestpmdContender.missing());
        }
        return contenders;
    }

    private void measureInTurn(final ForwardRig rig, final List<Contender> contenders)
    {
        sayLength(rounds + " rounds", (long)rounds * kinds.size() *
            contenders.stream().mapToLong(contender -> warmUp(contender).toMillis() + SECONDS.toMillis(seconds)).sum());
        final long start = System.nanoTime();
        for (int round = 1; round <= rounds; round++)
        {
            for (final CaptureKind kind : kinds)
            {
                for (final Contender contender : contenders)
                {
                    output.say(String.format(
                        "round %d of %d: %-11s %s starts", round, rounds, kind.label(), contender.name()));
                    final double mpps = measure(rig, kind, contender);
                    result.add(kind, contender.name(), mpps);
                    output.say(String.format("round %d of %d: %-11s %-12s %6.1f Mpps",
                        round, rounds, kind.label(), contender.name(), mpps));
                }
            }
            sayRest(start, round, rounds);
        }
    }

    /** Prints how long the programs run; the time to start them and to load their tables is not known yet. */
    private void sayLength(final String what, final long runningMs)
    {
        output.say(what + ", captures of " +
            kinds.stream().map(CaptureKind::label).collect(Collectors.joining(", ")) + ": the programs run for " +
            (MILLISECONDS.toSeconds(runningMs) + 1) + " s in all, and before that each starts and loads its table");
    }

    private void sayRest(final long startNs, final int done, final int all)
    {
        final long passedS = NANOSECONDS.toSeconds(System.nanoTime() - startNs);
        if (done < all)
        {
            output.say(done + " of " + all + " took " + passedS + " s, the others take about " +
                passedS * (all - done) / done + " s");
        }
    }

    private void measureInSlices(final ForwardRig rig, final List<Contender> contenders)
    {
        sayLength(starts + " starts with " + slices + " slices", (long)kinds.size() * starts * contenders.stream()
            .mapToLong(contender -> warmUp(contender).toMillis() + slices * SlicedMeasurement.sliceMs()).sum());
        final long startNs = System.nanoTime();
        int done = 0;
        for (final CaptureKind kind : kinds)
        {
            for (int start = 1; start <= starts; start++)
            {
                final Rounds<String> rates = new Rounds<>();
                try (SlicedMeasurement measurement =
                    new SlicedMeasurement(contenders, rig, kind, ForwardCommand::warmUp))
                {
                    for (int slice = 0; slice < slices; slice++)
                    {
                        measurement.measure(slice, rates::add);
                    }
                }
                for (final String contender : rates.contestants())
                {
                    (starts == 1 ? rates.of(contender) : List.of(rates.median(contender)))
                        .forEach(mpps -> result.add(kind, contender, mpps));
                }
                output.say(kind.label() + ": " + slices + " slices of each program" +
                    (starts == 1 ? "" : ", start " + start + " of " + starts));
                done++;
                sayRest(startNs, done, kinds.size() * starts);
            }
        }
    }

    private double measure(final ForwardRig rig, final CaptureKind kind, final Contender contender)
    {
        try (Contender.Running running = contender.start(rig, kind))
        {
            return running.measure(warmUp(contender), Duration.ofSeconds(seconds));
        }
    }

    private static Duration warmUp(final Contender contender)
    {
        return contender instanceof FibnumaContender ? WARM_UP : PEER_WARM_UP;
    }
}
