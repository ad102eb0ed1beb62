package org.fibnuma.fabric.command;

import com.fasterxml.jackson.core.JsonProcessingException;
import org.fibnuma.core.service.command.ResultOutput;
import org.fibnuma.fabric.deadlock.LosslessNetwork;
import org.fibnuma.fabric.deadlock.RingDemonstration;
import org.fibnuma.fabric.tables.ForwardingTables;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;

/** {@code fibnuma fabric deadlock}: shows a deadlock and its absence. */
@Command(
    name = "deadlock",
    description = "Shows a deadlock: simulates a ring with small lossless buffers, first with shortest paths, which " +
        "deadlocks, then with a planned turn set, which does not. --routers uses four real routers instead.",
    mixinStandardHelpOptions = true,
    footerHeading = "%nExamples:%n",
    footer = {
        "  fibnuma fabric deadlock",
        "  fibnuma fabric deadlock --switches 8 --json"
    })
final class DeadlockCommand implements Callable<Integer>
{
    @Spec
    private CommandSpec spec;

    @Option(names = "--switches", defaultValue = "4", description = "switches of the ring, 4 to 64 (${DEFAULT-VALUE})")
    private int switches;

    @Option(names = "--buffer", defaultValue = "2", description = "packets of a buffer, 1 to 1000 (${DEFAULT-VALUE})")
    private int buffer;

    @Option(names = "--packets", defaultValue = "1000",
        description = "packets that each server sends, 1 to 10000 (${DEFAULT-VALUE})")
    private int packets;

    @Mixin
    private ResultOutput output;

    @Override
    public Integer call() throws JsonProcessingException
    {
        require("--switches", switches, 4, 64);
        require("--buffer", buffer, 1, 1000);
        require("--packets", packets, 1, 10_000);
        final RingDemonstration ring = new RingDemonstration(switches);
        final Map<String, Object> result = new LinkedHashMap<>();
        put(result, "shortestPaths", ring, ring.shortestPaths());
        put(result, "planned", ring, ring.planned());
        output.print(result);
        return Boolean.TRUE.equals(result.get("plannedDone")) ? FabricCommand.OK : FabricCommand.FAILED;
    }

    private void put(
        final Map<String, Object> result,
        final String name,
        final RingDemonstration ring,
        final ForwardingTables tables)
    {
        final LosslessNetwork network = ring.run(tables, buffer, packets);
        result.put(name + "Done", network.delivered() == network.sent());
        result.put(name + "Delivered", network.delivered());
        result.put(name + "Sent", network.sent());
        result.put(name + "Steps", network.steps());
        result.put(name + "Waiting", network.waitingCycle());
    }

    private void require(final String option, final int value, final int min, final int max)
    {
        if (value < min || value > max)
        {
            throw new ParameterException(
                spec.commandLine(), option + ": " + value + " is not in " + min + " to " + max);
        }
    }
}
