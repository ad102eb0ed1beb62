package org.fibnuma.bench.ring;

import com.fasterxml.jackson.core.JsonProcessingException;
import org.fibnuma.core.service.command.Commands;
import org.fibnuma.core.service.command.ResultOutput;
import org.fibnuma.fabric.deadlock.RingDemonstration;
import org.fibnuma.fabric.tables.ForwardingTables;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;

/** {@code fibnuma fabric deadlock --routers}. Main class. */
@Command(
    name = "fibnuma fabric deadlock",
    description = "Shows a deadlock of real routers: workers of this program on a ring of links in memory, two " +
        "hosts at each, small lossless buffers; or router processes. On shortest paths PFC stops all of them " +
        "for ever, with planned turns it does not.",
    mixinStandardHelpOptions = true,
    footerHeading = "%nExamples:%n",
    footer = "  fibnuma fabric deadlock --routers")
public final class RouterDeadlockCommand implements Callable<Integer>
{
    private static final int SERVERS_PER_SWITCH = 2;

    @Spec
    private CommandSpec spec;

    @Option(names = "--routers", description = "run routers instead of the simulator")
    private boolean routers;

    @Option(names = "--namespaces",
        description = "run router processes in network namespaces instead of workers in this process; as root")
    private boolean namespaces;

    @Option(names = "--switches", defaultValue = "4", description = "routers of the ring, 4 to 16 (${DEFAULT-VALUE})")
    private int switches;

    @Option(names = "--millis", defaultValue = "2000",
        description = "time for which hosts send, 100 to 60000 (${DEFAULT-VALUE})")
    private int millis;

    @Mixin
    private ResultOutput output;

    /** Creates the command, for picocli. */
    public RouterDeadlockCommand()
    {
    }

    /**
     * Runs the command and ends the process: exit status 0 for a deadlock on shortest paths and none with planned
     * turns, 1 otherwise, 2 for wrong usage.
     *
     * @param arguments options.
     */
    public static void main(final String[] arguments)
    {
        System.exit(Commands.prepare(new CommandLine(new RouterDeadlockCommand())).execute(arguments));
    }

    @Override
    public Integer call() throws JsonProcessingException
    {
        if (switches < 4 || switches > 16 || millis < RingRun.WINDOW_MS || millis > 60_000)
        {
            throw new ParameterException(spec.commandLine(), "--switches or --millis is out of range; see --help");
        }
        final RingDemonstration ring = new RingDemonstration(switches, SERVERS_PER_SWITCH);
        final Map<String, Object> result = new LinkedHashMap<>();
        final RingRun shortest = run(result, "shortestPaths", ring, ring.shortestPaths());
        final RingRun planned = run(result, "planned", ring, ring.planned());
        output.print(result);
        return !shortest.waiting().isEmpty() && planned.isDone() ? 0 : 1;
    }

    private RingRun run(
        final Map<String, Object> result,
        final String name,
        final RingDemonstration ring,
        final ForwardingTables tables)
    {
        try (RouterRing opened = namespaces ? NamespaceRing.open(ring, tables) : new MemoryRing(ring, tables))
        {
            opened.congest();
            final RingRun run = RingRun.of(opened, tables.fabric(), millis);
            result.put(name + "Done", run.isDone());
            result.put(name + "Delivered", run.delivered());
            result.put(name + "Sent", run.sent());
            result.put(name + "Dropped", run.dropped());
            result.put(name + "LastDeliveryMs", run.lastDeliveryMs());
            result.put(name + "Waiting", run.waiting());
            return run;
        }
    }
}
