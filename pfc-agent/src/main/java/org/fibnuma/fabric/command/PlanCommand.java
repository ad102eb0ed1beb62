package org.fibnuma.fabric.command;

import org.fibnuma.core.UserException;
import org.fibnuma.core.service.command.ResultOutput;
import org.fibnuma.fabric.export.AddressFileReader;
import org.fibnuma.fabric.plan.Demand;
import org.fibnuma.fabric.plan.TrafficReader;
import org.fibnuma.fabric.sonic.HostCommands;
import org.fibnuma.fabric.sonic.SonicAddresses;
import org.fibnuma.fabric.sonic.SonicPatches;
import org.fibnuma.fabric.sonic.SonicSite;
import org.fibnuma.fabric.tables.Lanes;
import org.fibnuma.fabric.topology.Fabric;
import org.fibnuma.fabric.topology.JoinedFatTrees;
import org.fibnuma.fabric.topology.TopologyReader;
import org.fibnuma.fabric.turns.TurnAddition;
import org.fibnuma.fabric.turns.TurnMethod;
import org.fibnuma.fabric.turns.TurnProhibition;
import org.fibnuma.fabric.turns.UpDown;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;

/** {@code fibnuma fabric plan}: plans and exports routing. */
@Command(
    name = "plan",
    description = "Chooses the turns that routes may use, proves that buffers cannot wait in a cycle and that all " +
        "servers are reached, builds tables and proves them too. If a proof fails, exits with 1 and writes nothing.",
    mixinStandardHelpOptions = true,
    footerHeading = "%nExamples:%n",
    footer = {
        "  fibnuma fabric plan --topology fat-tree:k=4 --out plan",
        "  fibnuma fabric plan --topology network.edges --method turn-addition --lanes 2 --json"
    })
final class PlanCommand implements Callable<Integer>
{
    /** The traffic by default: one unit for each pair of servers. */
    static final String UNIFORM = "uniform";
    private static final String AUTO = "auto";
    /** The methods of {@link #AUTO}; on equal results the first is used. */
    private static final List<String> SOUND_METHODS =
        List.of(MethodPlans.JOINT, MethodPlans.PROHIBITION, "updown");

    /** The throughput of the tables of a method, and the time for turns, tables and proofs. */
    private record MethodThroughput(String method, double throughput, double seconds)
    {
        @Override
        public String toString()
        {
            return method + " " + throughput + " in " + seconds + " s";
        }
    }

    @Spec
    private CommandSpec spec;

    @Option(names = "--topology", required = true, paramLabel = "FILE",
        description = "an edge list, JSON, a file of ibnetdiscover or ibsim, NetBox cables (CSV), a folder of LLDP " +
            "dumps, a folder of NAME/config_db.json of SONiC switches, or a generated network: fat-tree:k=4, " +
            "joined-fat-trees:k=8,join=middle, random:switches=20,ports=10,servers=10,seed=1")
    private String topology;

    @Option(names = "--method", defaultValue = AUTO,
        paramLabel = "auto|updown|tp|turn-addition|turn-addition-paper",
        description = "method (${DEFAULT-VALUE}: plans updown, tp and turn-addition and takes the best tables)")
    private String method;

    @Option(names = "--ignore", paramLabel = "NAME",
        description = "leave out an interface of all switches or a device of LLDP dumps or of NetBox, such as a " +
            "management port or switch; may be repeated")
    private Set<String> ignored = new HashSet<>();

    @Option(names = "--traffic", defaultValue = UNIFORM, paramLabel = "FILE|uniform",
        description = "traffic between servers (${DEFAULT-VALUE}); by default, generated fat trees use the paper's")
    private String traffic;

    @Option(names = "--roots", paramLabel = "FILE",
        description = "names or GUIDs of the switches that updown tries as the root")
    private Path roots;

    @Option(names = "--lanes", defaultValue = "1", paramLabel = "N",
        description = "lossless priorities that the tables of turn-addition may use, 1 to 8 (${DEFAULT-VALUE}); the " +
            "servers of a switch send in one of them")
    private int lanes;

    @Option(names = "--seed", defaultValue = "1", paramLabel = "N", description = "seed for ties (${DEFAULT-VALUE})")
    private long seed;

    @Option(names = "--addresses", paramLabel = "FILE",
        description = "the site's addresses, lines \"server NAME PREFIX\" and \"port SWITCH INTERFACE ADDRESS\"; " +
            "default: 10.0.0.1 and following; those of SONiC switches are in their configurations")
    private Path addresses;

    @Option(names = "--headroom", paramLabel = "MODEL",
        description = "formula of all SONiC switches: own, sonic, mlx5 or annex-o. Without it patches have sonic's " +
            "result where the configuration has no xoff, and other values stay")
    private String headroom;

    @Option(names = "--cell", defaultValue = "0", paramLabel = "BYTES",
        description = "size of a memory cell of SONiC switches (default: 96 for sonic, 128 for mlx5)")
    private int cell;

    @Option(names = "--out", paramLabel = "DIR", description = "folder for the turns and routes")
    private Path out;

    @Mixin
    private ResultOutput output;

    @Override
    public Integer call() throws IOException
    {
        SonicReport.requireCell(cell);
        requireLanes();
        try
        {
            return plan();
        }
        catch (final OutOfMemoryError ex)
        {
            throw new UserException("--topology: " + topology + " needs more memory than the heap of " +
                (Runtime.getRuntime().maxMemory() >> 20) + " MiB; set a larger one, as in FIBNUMA_JAVA_OPTS=-Xmx" +
                (Runtime.getRuntime().maxMemory() >> 19) + "m, or plan with a single --method", ex);
        }
    }

    private int plan() throws IOException
    {
        final SonicSite site = SonicSite.isSite(Path.of(topology)) ? SonicSite.read(Path.of(topology)) : null;
        final Fabric fabric = site == null ? TopologyReader.read(topology, ignored) : site.fabric();
        FabricCommand.printLeftOut(fabric, spec);
        final JoinedFatTrees trees = traffic.equals(UNIFORM) ? TopologyReader.fatTrees(topology) : null;
        final Demand demand = traffic.equals(UNIFORM) ?
            Demand.uniform(fabric) : TrafficReader.read(fabric, Path.of(traffic));
        final long start = System.nanoTime();
        final List<MethodThroughput> throughputs = new ArrayList<>();
        FabricPlan best = null;
        final List<TurnMethod> methods = new ArrayList<>();
        final List<String> names = method.equals(AUTO) ? SOUND_METHODS : List.of(method);
        for (final String name : names)
        {
            methods.add(method(name, fabric));
        }
        for (final FabricPlan plan : new MethodPlans(fabric, trees, demand, lanes, seed).plan(names, methods))
        {
            throughputs.add(
                new MethodThroughput((String)plan.result().get("method"), plan.throughput(), plan.seconds()));
            best = best == null || plan.isBetterThan(best) ? plan : best;
        }
        best.comparePaths();
        if (best.holds() && out != null)
        {
            write(best, site);
        }
        final Map<String, Object> result = best.result();
        if (method.equals(AUTO))
        {
            result.put("throughputs", throughputs);
        }
        result.put("allSeconds", (System.nanoTime() - start) / 1e9);
        output.print(result);
        return best.holds() ? FabricCommand.OK : FabricCommand.FAILED;
    }

    private void requireLanes()
    {
        if (lanes < 1 || lanes > Lanes.MAX_COUNT)
        {
            throw UserException.usage("--lanes: " + lanes + " is not in 1 to " + Lanes.MAX_COUNT);
        }
        if (lanes > 1 && !method.equals(AUTO) && !method.equals(MethodPlans.JOINT))
        {
            throw UserException.usage(
                "--lanes: " + method + " needs one lane; use it with --method " + AUTO + " or " + MethodPlans.JOINT);
        }
    }

    /** Writes the plan; computes all that can fail first. */
    private void write(final FabricPlan plan, final SonicSite site) throws IOException
    {
        if (site == null)
        {
            plan.write(out, addresses == null ? null : AddressFileReader.read(plan.fabric(), addresses));
            return;
        }
        final SonicPatches patches =
            SonicPatches.of(site, plan.tables(), plan.lanes(), SonicReport.headroomRule(headroom, cell));
        final SonicAddresses own = new SonicAddresses(site);
        final HostCommands hosts = new HostCommands(patches.patched(), own, plan.lanes());
        plan.write(out, own);
        patches.write(out);
        hosts.write(out);
    }

    private TurnMethod method(final String name, final Fabric fabric) throws IOException
    {
        switch (name)
        {
            case "updown":
                return new UpDown(roots == null ? new int[0] : readRoots(fabric));
            case MethodPlans.PROHIBITION:
                return new TurnProhibition();
            case MethodPlans.JOINT:
                return TurnAddition.sound(seed);
            case "turn-addition-paper":
                return TurnAddition.asInThePaper(seed);
            default:
                throw new ParameterException(spec.commandLine(), "--method: \"" + name +
                    "\" is unknown; use auto, updown, tp, turn-addition or turn-addition-paper");
        }
    }

    private int[] readRoots(final Fabric fabric) throws IOException
    {
        if (!Files.isReadable(roots))
        {
            throw UserException.usage(roots + ": cannot be read; give a readable file to --roots");
        }
        final List<Integer> found = new ArrayList<>();
        int number = 0;
        for (final String line : Files.readAllLines(roots))
        {
            number++;
            final String word = line.replaceFirst("#.*", "").strip();
            if (!word.isEmpty())
            {
                found.add(rootNamed(fabric, roots + ":" + number, word));
            }
        }
        return found.stream().mapToInt(Integer::intValue).toArray();
    }

    private static int rootNamed(final Fabric fabric, final String place, final String word)
    {
        for (int node = 0; node < fabric.switchCount(); node++)
        {
            if (fabric.switchName(node).equals(word) || fabric.switchGuid(node) != Fabric.NO_GUID &&
                word.matches("0x[0-9a-fA-F]{1,16}") &&
                Long.parseUnsignedLong(word.substring(2), 16) == fabric.switchGuid(node))
            {
                return node;
            }
        }
        throw UserException.usage(place + ": unknown switch \"" + word + "\"; give a name or a GUID of the topology");
    }
}
