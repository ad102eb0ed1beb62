package org.fibnuma.fabric.command;

import com.fasterxml.jackson.core.JsonProcessingException;
import org.fibnuma.core.service.command.ResultOutput;
import org.fibnuma.fabric.export.AddressFileReader;
import org.fibnuma.fabric.export.Addressing;
import org.fibnuma.fabric.export.LaneFile;
import org.fibnuma.fabric.export.RoutesReader;
import org.fibnuma.fabric.plan.Demand;
import org.fibnuma.fabric.plan.TrafficReader;
import org.fibnuma.fabric.proof.RoutingProof;
import org.fibnuma.fabric.sonic.SonicAddresses;
import org.fibnuma.fabric.sonic.SonicSite;
import org.fibnuma.fabric.tables.Lanes;
import org.fibnuma.fabric.tables.TableWalk;
import org.fibnuma.fabric.topology.Fabric;
import org.fibnuma.fabric.topology.TopologyReader;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;

/** {@code fibnuma fabric check}: proves existing tables, and checks networks of SONiC switches. */
@Command(
    name = "check",
    description = "Follows existing tables from every server to every other and prints a cycle in which buffers can " +
        "wait for each other, if there is one. Exit status 1 if there is, or if a server is not reached.",
    mixinStandardHelpOptions = true,
    footerHeading = "%nExamples:%n",
    footer = "  fibnuma fabric check --topology fat-tree:k=4 --routes plan/routes")
final class CheckCommand implements Callable<Integer>
{
    @Spec
    private CommandSpec spec;

    @Option(names = "--topology", paramLabel = "FILE",
        description = "an edge list, JSON, a file of ibnetdiscover or ibsim, or a folder of LLDP dumps")
    private String topology;

    @Option(names = "--routes", paramLabel = "FILE",
        description = "a plan's routes folder, opensm-lfts.dump or opensm.fdbs")
    private Path routes;

    @Option(names = "--ignore", paramLabel = "NAME",
        description = "leave out an interface of all switches or a device of LLDP dumps or of NetBox, such as a " +
            "management port or switch; may be repeated")
    private Set<String> ignored = new HashSet<>();

    @Option(names = "--traffic", defaultValue = PlanCommand.UNIFORM, paramLabel = "FILE|uniform",
        description = "traffic between servers (${DEFAULT-VALUE})")
    private String traffic;

    @Option(names = "--lanes", paramLabel = "FILE",
        description = "the lanes.txt of a plan with lanes; default: all frames have the same lossless priority")
    private Path lanes;

    @Option(names = "--addresses", paramLabel = "FILE", description = "the site's addresses, if the plan had them")
    private Path addresses;

    @Option(names = "--sonic", paramLabel = "DIR",
        description = "instead of both: a folder for each SONiC switch with its config_db.json and its routes, " +
            "ip-route.json and ipv6-route.json (show ip route json) or appl-db.json (sonic-db-dump -n APPL_DB -y). " +
            "Also checks PFC, watchdogs, headroom and ECN; exit status 1 if one is wrong.")
    private Path sonic;

    @Option(names = "--headroom", paramLabel = "MODEL",
        description = "with --sonic: formula of all switches, own, sonic, mlx5 or annex-o, as in pfc headroom; less " +
            "is an error. Without it, less than sonic's result is a warning, because ASICs have formulas of their own")
    private String headroom;

    @Option(names = "--cell", defaultValue = "0", paramLabel = "BYTES",
        description = "with --sonic: size of a memory cell of the switches (default: 96 for sonic, 128 for mlx5)")
    private int cell;

    @Mixin
    private ResultOutput output;

    @Override
    public Integer call() throws JsonProcessingException
    {
        if (sonic != null && topology == null && routes == null)
        {
            final SonicReport report = new SonicReport(sonic, lanes, headroom, cell);
            report.print(output);
            return report.holds() ? FabricCommand.OK : FabricCommand.FAILED;
        }
        if (sonic != null || topology == null || routes == null)
        {
            throw new ParameterException(spec.commandLine(), "use --topology and --routes, or --sonic");
        }
        final SonicSite site = SonicSite.isSite(Path.of(topology)) ? SonicSite.read(Path.of(topology)) : null;
        final Fabric fabric = site == null ? TopologyReader.read(topology, ignored) : site.fabric();
        FabricCommand.printLeftOut(fabric, spec);
        final Addressing own = site != null ? new SonicAddresses(site) :
            addresses == null ? null : AddressFileReader.read(fabric, addresses);
        final Demand demand = traffic.equals(PlanCommand.UNIFORM) ?
            Demand.uniform(fabric) : TrafficReader.read(fabric, Path.of(traffic));
        final TableWalk walk = TableWalk.of(RoutesReader.read(fabric, routes, own),
            lanes == null ? Lanes.one(fabric) : LaneFile.read(fabric, lanes), demand);
        final RoutingProof proof = RoutingProof.of(walk);
        final Map<String, Object> result = new LinkedHashMap<>();
        result.put("acyclic", proof.isAcyclic());
        result.put("cycle", describe(fabric, proof.cycle()));
        if (lanes != null)
        {
            result.put("lanes", walk.laneCount());
            result.put("cycleLane", proof.isAcyclic() ? null : proof.lane());
        }
        result.put("unreachablePairs", walk.unreachablePairs());
        result.put("pairs", proof.pairs());
        result.put("maxLinkLoad", (double)walk.loads().max() / demand.busiestServer());
        result.put("throughput", walk.loads().throughput(demand.busiestServer()));
        result.put("averageHops", walk.loads().averageHops());
        output.print(result);
        return proof.holds() ? FabricCommand.OK : FabricCommand.FAILED;
    }

    static List<String> describe(final Fabric fabric, final int[] cycle)
    {
        return Arrays.stream(cycle).mapToObj(fabric::describe).toList();
    }
}
